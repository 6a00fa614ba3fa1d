"""What analysts get from a release in each form: nothing lost where nothing was changed, and the truth where it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import InputError
from shoal.utility import analyses
from shoal.utility.analyses import Study
from shoal.utility.analyses.regression import fit, overlap

FORMS = ["labels", "bounds", "center", "sampled"]
LEARNING = {"gradient-boosting", "random-forest"}


def people(n: int = 600, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age, hours = rng.integers(20, 70, n), rng.integers(10, 60, n)
    town = rng.choice(["Ely", "Ripon", "Truro"], n, p=[0.5, 0.3, 0.2])
    score = 0.06 * (age - 45) + 0.04 * (hours - 35) + (town == "Ely") + rng.logistic(size=n)
    return pl.DataFrame({"age": age, "hours": hours, "town": town, "rich": np.where(score > 0, "yes", "no")})


SAID: dict[str, Any] = {
    "quasi_identifiers": ["age", "hours", "town"],
    "others": ["rich"],
    "algorithm": "mondrian",
    "seed": 1,
}


def by_form(found: dict[str, float | None], form: str) -> dict[str, float | None]:
    return {name.partition(": ")[2]: value for name, value in found.items() if name.startswith(f"{form}: ")}


def test_nothing_is_lost_where_nothing_was_changed() -> None:
    made = shoal.anonymize(people(200), privacy=shoal.KAnonymity(1), **SAID)
    found = made.usefulness("rich", [], FORMS)
    for form in FORMS:
        own = by_form(found, form)
        assert set(own) == set(analyses.ALL)
        for name, value in own.items():
            by_order = 0.03 if name in LEARNING else 1e-9  # trees depend on the order of rows
            assert value == pytest.approx(0, abs=by_order), (form, name)


def test_every_form_of_a_release_is_judged_and_numbers_need_numbers() -> None:
    made = shoal.anonymize(people(), privacy=shoal.KAnonymity(20), **SAID)
    found = made.usefulness("rich", [], FORMS)
    labels, center, sampled = (by_form(found, form) for form in ("labels", "center", "sampled"))
    for name in ("sums", "quantiles", "correlations", "coefficients", "intervals"):
        assert labels[name] is None
        assert (center[name] or 0) > 0
    counts = [own["counts"] for own in (labels, center, sampled)]
    assert counts[0] > counts[1] > counts[2]  # type: ignore[operator]  # middles pile up, drawn values spread
    assert all(-0.3 < (own[name] or 0) < 0.6 for own in (labels, center, sampled) for name in LEARNING)


def test_the_original_is_judged_alike_whichever_form_comes_first() -> None:
    made = shoal.anonymize(people(120), privacy=shoal.KAnonymity(5), **SAID)
    forwards, backwards = (made.usefulness("rich", [], forms) for forms in (["labels", "bounds"], ["bounds", "labels"]))
    assert forwards == pytest.approx(backwards, nan_ok=True)


def test_a_release_of_another_tool_is_judged_from_its_labels_and_tested_on_other_people(tmp_path: Any) -> None:
    table, unseen = people(400), people(300, seed=2)
    made = shoal.anonymize(table, privacy=shoal.KAnonymity(10), **SAID)
    made.write(tmp_path / "release.csv")
    words = {"quasi_identifiers": SAID["quasi_identifiers"], "measures": [], "target": "rich"}
    found = shoal.usefulness(table, tmp_path / "release.csv", **words, forms=["center"], test=unseen)
    own = by_form(found, "center")
    assert own["quantiles"] == pytest.approx(by_form(made.usefulness("rich", [], ["center"]), "center")["quantiles"])
    assert own["random-forest"] is not None
    untested = by_form(shoal.usefulness(table, tmp_path / "release.csv", **words, forms=["center"]), "center")
    assert untested["random-forest"] is None
    assert untested["coefficients"] == own["coefficients"]
    with pytest.raises(InputError, match=r"no form of cells 'centre'\. Did you mean 'center'"):
        shoal.usefulness(table, tmp_path / "release.csv", **words, forms=["centre"])
    with pytest.raises(InputError, match="has no column 'town'"):
        shoal.usefulness(table, tmp_path / "release.csv", **words, forms=["center"], test=unseen.drop("town"))


def test_known_errors_are_found() -> None:
    """Ages ten years too high: sums, quantiles and counts say by how much; correlations and slopes do not change."""
    table = people().with_columns(pl.col("age", "hours").cast(pl.Float64))
    moved = table.with_columns(pl.col("age") + 10.0)
    names = ("age", "hours", "town")
    study = Study(table, (moved,), {name: (name,) for name in names}, ("age", "hours"), "rich")
    found = {name: made().compare(study) for name, made in analyses.ALL.items()}
    age = table["age"].to_numpy()
    assert found["sums"] == pytest.approx(10 / age.mean() / 2)
    assert found["quantiles"] == pytest.approx(10 / age.std() / 2)
    assert found["correlations"] == pytest.approx(0, abs=1e-12)
    assert found["counts"] is not None
    assert 0 < found["counts"] < 0.5
    assert found["gradient-boosting"] is None
    assert found["coefficients"] is not None
    slopes = 10 / age.std() * 0.06 * age.std() / 6  # the intercept alone moves, by ten years of slope; six coefficients
    assert found["coefficients"] == pytest.approx(slopes, rel=0.5)


def test_regressions_are_those_of_the_textbook() -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    design = np.column_stack([np.ones(500), rng.normal(size=(500, 2)), np.zeros(500)])
    answers = (design @ [0.3, 1.0, -0.5, 9.0] + rng.logistic(size=500) > 0).astype(float)
    estimates, errors = fit(design, answers, is_logistic=True)
    right = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(design[:, 1:3], answers)
    assert estimates[:3] == pytest.approx([*right.intercept_, *right.coef_[0]], abs=1e-4)
    assert (estimates[3], errors[3]) == (0, 0)
    line = design @ [1.0, 2.0, 3.0, 0.0] + rng.normal(size=500)
    estimates, errors = fit(design, line, is_logistic=False)
    own = design[:, :3]
    right_line, rest, *_ = np.linalg.lstsq(own, line, rcond=None)
    assert estimates[:3] == pytest.approx(right_line)
    assert errors[:3] == pytest.approx(np.sqrt(np.diag(np.linalg.inv(own.T @ own)) * rest / (500 - 3)), rel=1e-2)


def test_the_overlap_of_intervals() -> None:
    one = (np.zeros(1), np.ones(1))
    assert overlap(one, one) == pytest.approx(1)
    assert overlap(one, (np.array([10.0]), np.ones(1))) == 0
    assert overlap(one, (np.zeros(1), np.array([0.5]))) == pytest.approx(0.75)


@pytest.mark.usefixtures("trials_here")
def test_compare_measures_forms() -> None:
    found = shoal.compare(
        people(200), quasi_identifiers=["age", "hours", "town"], others=["rich"], goals=[shoal.KAnonymity(5)],
        algorithms=["mondrian"], measures=[], forms=["center"], target="rich", processes=1,
    )  # fmt: skip
    assert found.entries[0].utility["center: intervals"] is not None
    assert "error of center: random-forest" in found.frame.columns
