"""The verb ``anonymize``: what comes back, what is refused, and that nothing secret leaves."""

from __future__ import annotations

import hashlib
import json
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from shoal.core.contracts import Algorithm, GroupModel
from shoal.core.groups import Groups
from shoal.core.release import Release

PEOPLE = pl.DataFrame(
    {
        "name": [f"person {i}" for i in range(60)],
        "age": [20 + i * 7 % 45 for i in range(60)],
        "zip": [f"0213{i % 7}" for i in range(60)],
        "sex": ["F" if i % 3 else "M" for i in range(60)],
        "job": [None if i % 11 == 0 else ["nurse", "clerk, bank", "pilot"][i % 3] for i in range(60)],
        "disease": [["flu", "asthma", "HIV", "gout"][i * 5 % 13 % 4] for i in range(60)],
    }
)
ROLES: dict[str, Any] = {
    "identifiers": ["name"],
    "quasi_identifiers": ["age", "zip", "sex", "job"],
    "sensitive": ["disease"],
}
GOAL = [shoal.KAnonymity(5), shoal.LDiversity(2, of="disease")]


def classes(frame: pl.DataFrame) -> Counter[tuple[object, ...]]:
    return Counter(frame.select(ROLES["quasi_identifiers"]).rows())


def test_promises_hold_in_what_is_published() -> None:
    published = shoal.anonymize(PEOPLE, privacy=GOAL, **ROLES).to_frame()
    assert published.columns == ["age", "zip", "sex", "job", "disease"]
    assert min(classes(published).values()) >= 5
    values: dict[tuple[object, ...], set[str]] = {}
    for *quasi, disease in published.rows():
        values.setdefault(tuple(quasi), set()).add(disease)
    assert min(len(found) for found in values.values()) >= 2
    assert sorted(published["disease"]) == sorted(PEOPLE["disease"])


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame, pa.Table])
def test_the_kind_that_went_in_comes_back(kind: Any) -> None:
    given = {pl.DataFrame: PEOPLE, pd.DataFrame: PEOPLE.to_pandas(), pa.Table: PEOPLE.to_arrow()}[kind]
    back: Any = shoal.anonymize(given, privacy=GOAL, **ROLES).to_frame()
    assert isinstance(back, kind)
    assert len(back) == 60


def test_duplicate_index_labels_of_pandas_do_not_matter_and_do_not_leave() -> None:
    given = PEOPLE.to_pandas().set_index(pd.Index([7] * 60, name="patient"))
    back = shoal.anonymize(given, privacy=GOAL, **ROLES).to_frame()
    assert list(back.index) == list(range(60))
    assert "patient" not in back.columns


def test_same_seed_same_bytes_and_no_seed_other_order() -> None:
    once, again = (shoal.anonymize(PEOPLE, privacy=GOAL, seed=3, **ROLES).to_frame() for _ in range(2))
    assert once.equals(again)
    free = [shoal.anonymize(PEOPLE, privacy=GOAL, **ROLES).to_frame() for _ in range(4)]
    assert any(not one.equals(free[0]) for one in free[1:])


def test_an_untouched_column_keeps_its_type_and_missing_stays_missing() -> None:
    frame = pl.DataFrame({"age": [30, 30, 30, 41, 41, 41], "job": [None, None, None, "a", "a", "a"]})
    published = shoal.anonymize(frame, quasi_identifiers=["age", "job"], privacy=shoal.KAnonymity(3)).to_frame()
    assert published.schema == {"age": pl.Int64, "job": pl.String}
    assert sorted(published.rows(), key=str) == sorted(frame.rows(), key=str)


def test_levels_of_an_index_and_columns_named_by_numbers_can_be_quasi_identifiers() -> None:
    people = PEOPLE.select("age", "zip", "disease").to_pandas()
    said: dict[str, Any] = {"sensitive": ["disease"], "privacy": shoal.KAnonymity(5), "quick": True, "seed": 1}
    by_name = shoal.anonymize(people, quasi_identifiers=["age", "zip"], **said).to_frame()
    by_level = shoal.anonymize(people.set_index("age"), quasi_identifiers=["age", "zip"], **said).to_frame()
    pd.testing.assert_frame_equal(by_level, by_name)
    said |= {"quasi_identifiers": [0, 1], "sensitive": [2], "hierarchies": {1: "mask"}, "weights": {0: 2}}
    numbered = shoal.anonymize(people.set_axis([0, 1, 2], axis=1), **said)
    assert list(numbered.to_frame().columns) == [0, 1, 2]


def test_the_input_frame_is_not_changed() -> None:
    before = PEOPLE.clone()
    shoal.anonymize(PEOPLE, privacy=GOAL, **ROLES)
    assert PEOPLE.equals(before)


def test_missing_rows_are_dropped_on_request_and_counted() -> None:
    result = shoal.anonymize(PEOPLE, privacy=GOAL, missing="drop", **ROLES)
    assert result.frame.height == 60 - PEOPLE["job"].null_count()
    assert any("6 of 60 rows" in note for note in result.notes)


def test_columns_that_nobody_spoke_about_are_refused_and_published_only_on_purpose() -> None:
    roles: dict[str, Any] = {"quasi_identifiers": ["age", "zip"], "privacy": GOAL[0]}
    with pytest.raises(shoal.InputError, match=r"4 columns have no role and may identify people: 'name', .* 'sex', "):
        shoal.anonymize(PEOPLE, **roles)
    result = shoal.anonymize(PEOPLE, others=["name", "sex", "job"], sensitive=["disease"], **roles)
    assert "name" in result.frame.columns
    assert any(
        note.startswith("Published unchanged: name, sex, job, disease. An adversary who") for note in result.notes
    )


def test_suggested_roles_are_taken_and_told() -> None:
    result = shoal.anonymize(PEOPLE, quasi_identifiers=["age", "zip"], privacy=GOAL[0], roles="suggested")
    assert result.schema.identifiers == ("name",)
    assert result.schema.quasi_identifiers == ("age", "zip", "sex", "job")
    assert result.schema.sensitive == ("disease",)
    assert "name" not in result.frame.columns
    assert "Suggested role identifier: name." in result.notes


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"privacy": [shoal.KAnonymity(61)]}, "k = 61 needs at least 61 rows, but the table has 60"),
        ({"privacy": [shoal.LDiversity(5)]}, "l = 5 needs at least 5 different values of 'disease', which has 4"),
        ({"privacy": [shoal.LDiversity(2, of="age")]}, "'age' is not a sensitive column"),
        ({"privacy": []}, "No privacy model was asked for"),
        ({"privacy": [5]}, "privacy takes privacy models such as shoal.KAnonymity"),
        ({"privacy": 5}, r"privacy takes privacy models such as shoal.KAnonymity\(5\), got 5"),
        ({"privacy": shoal.KAnonymity}, r"got the class KAnonymity; say what must hold, as in KAnonymity\(…\)"),
        ({"weights": [1]}, "'weights' must say something per column"),
        ({"quasi_identifiers": []}, "No quasi-identifier was named"),
        ({"quasi_identifiers": "age"}, "quasi_identifiers takes a list"),
        ({"quasi_identifiers": ["agee"]}, "no column 'agee'.*Did you mean 'age'"),
        ({"quasi_identifiers": ["age", "age"]}, "'age' is named twice"),
        ({"sensitive": ["disease", "age"]}, "'age' is named as quasi-identifier and as sensitive"),
        ({"algorithm": "mondrain"}, "no algorithm 'mondrain'.*Did you mean 'mondrian'"),
        ({"algorithm": "mondrian:relax"}, "has no option 'relax'.*Did you mean 'relaxed'"),
        ({"algorithm": "mondrian:relaxed=perhaps"}, "'relaxed' must be a bool"),
        ({"metric": "ml"}, "no metric 'ml'"),
        ({"budget": "soon"}, "budget must be a number, got 'soon'"),
        ({"budget": -1}, "budget must be at least 0"),
        ({"budget": 5, "algorithm": "mondrian"}, "A budget is for the algorithm 'auto'"),
        ({"suppression_limit": 1.5}, "suppression_limit must be between 0 and 1"),
        ({"recodings": {"sex": "range"}}, "'sex' is nominal and has no ranges"),
        ({"recodings": {"sex": "tree"}}, "needs a hierarchy"),
        ({"recodings": {"sex": "rang"}}, "unknown recoding 'rang'"),
        ({"orders": {"sex": ["F"]}}, "order of 'sex' lacks the value 'M'"),
        ({"kinds": {"sex": "numeric"}}, "'sex' is not numeric: it holds"),
        ({"kinds": {"sex": "number"}}, "'kinds' cannot be 'number' for 'sex'"),
        ({"missing": "keep"}, "'missing' cannot be 'keep'"),
        ({"kinds": {"sex": "date"}}, "'sex' is not of dates"),
        ({"weights": {"age": -1.0}}, "weight of 'age' must be at least 0"),
        ({"hierarchies": {"zip": {"a": ["02130"]}}}, "hierarchy of 'zip' lacks 6 values"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(change: dict[str, object], says: str) -> None:
    with pytest.raises(shoal.InputError, match=says):
        shoal.anonymize(PEOPLE, **{"privacy": GOAL, **ROLES, **change})


@pytest.mark.parametrize("bad", [float("inf"), float("-inf")])
def test_infinities_are_refused_and_nan_is_missing(bad: float) -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, bad, float("nan")]})
    with pytest.raises(shoal.InputError, match="'x' has 1 infinite values"):
        shoal.anonymize(frame, quasi_identifiers=["x"], privacy=shoal.KAnonymity(2))
    tame = pl.DataFrame({"x": [1.0, 1.0, float("nan"), float("nan")]})
    published = shoal.anonymize(tame, quasi_identifiers=["x"], privacy=shoal.KAnonymity(2)).to_frame()
    assert published["x"].null_count() == 2


class Liar(Algorithm):
    """Publishes every row as it is and claims to be done."""

    name = "liar"
    summary = "does nothing"
    serves = (GroupModel,)

    def run(self, table, goal, randomness, progress):
        return Release.identity(table)


class Inventor(Liar):
    """Publishes cells that do not hold their owners' values."""

    def run(self, table, goal, randomness, progress):
        release = Release.from_groups(table, Groups.from_ids((table.codes[2] > 0).astype("int32"), 2))
        return Release(table, release.owners, 1 - release.shapes, release.cells)


@pytest.mark.parametrize(
    ("algorithm", "says"), [(Liar(), "5-anonymity DOES NOT HOLD"), (Inventor(), "do not hold their own")]
)
def test_a_lying_algorithm_is_caught(algorithm: Algorithm, says: str) -> None:
    with pytest.raises(shoal.BrokenPromise, match=f"{says}.*bug in shoal"):
        shoal.anonymize(PEOPLE, privacy=GOAL, algorithm=algorithm, **ROLES)


def test_the_check_of_what_is_printed_does_not_trust_the_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    from shoal.engine.backends import checked_table

    honest = checked_table.to_frame
    numbered = pl.int_range(pl.len()).cast(pl.String)
    monkeypatch.setattr(checked_table, "to_frame", lambda publication: honest(publication).with_columns(age=numbered))
    with pytest.raises(shoal.BrokenPromise, match="5-anonymity DOES NOT HOLD"):
        shoal.anonymize(PEOPLE, privacy=GOAL, **ROLES)


def test_writing_leaves_a_release_and_a_private_record(tmp_path: Path) -> None:
    source, target = tmp_path / "people.csv", tmp_path / "release.csv"
    PEOPLE.write_csv(source)
    result = shoal.anonymize(source, privacy=GOAL, seed=11, **ROLES)
    result.write(target)
    result.report(tmp_path / "report.html")
    result.report(tmp_path / "public.json", public=True)
    record = json.loads((tmp_path / "release.run.json").read_text())
    assert record["seed"] == 11
    assert record["input"]["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()
    assert record["output"]["sha256"] == hashlib.sha256(target.read_bytes()).hexdigest()
    assert stat.S_IMODE((tmp_path / "release.run.json").stat().st_mode) == 0o600
    assert pl.read_csv(target, infer_schema=False).equals(result.frame.cast(pl.String))
    assert "person 1" not in target.read_text()
    assert "<html" in (tmp_path / "report.html").read_text()
    with pytest.raises(shoal.InputError, match="would overwrite"):
        result.write(source)


def test_the_public_report_says_nothing_about_the_original(tmp_path: Path) -> None:
    canary = PEOPLE.with_columns(zip=pl.when(pl.col("name") == "person 3").then(pl.lit("9CANARY9")).otherwise("zip"))
    result = shoal.anonymize(
        canary, privacy=GOAL, hierarchies={"zip": {"east": sorted(set(canary["zip"]))}}, seed=97531, **ROLES
    )
    for ending in ("html", "json", "txt"):
        result.report(tmp_path / f"public.{ending}", public=True)
        text = (tmp_path / f"public.{ending}").read_text()
        assert "9CANARY9" not in text
        assert "97531" not in text
        assert "person 1" not in text


def test_minus_zero_is_zero() -> None:
    frame = pl.DataFrame({"x": [0.0, -0.0, 1.0, 1.0]})
    published = shoal.anonymize(frame, quasi_identifiers=["x"], privacy=shoal.KAnonymity(2)).to_frame()
    assert sorted(published["x"]) == [0.0, 0.0, 1.0, 1.0]


def test_inspect_takes_paths_and_frames(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    by_path, by_frame = shoal.inspect(tmp_path / "people.csv"), shoal.inspect(PEOPLE.to_pandas())
    assert by_path.roles == by_frame.roles
    assert by_path.roles["identifiers"] == ["name"]


def test_a_budget_loses_less_and_says_what_was_taken() -> None:
    quick = shoal.anonymize(PEOPLE, privacy=GOAL, quick=True, **ROLES)
    better = shoal.anonymize(PEOPLE, privacy=GOAL, budget="0.5s", **ROLES)
    assert quick.choice.algorithm.name == "mondrian"
    assert better.choice.algorithm.name == "the best of agglomerative and mondrian, refined by search"
    assert better.metrics()["lm"] < quick.metrics()["lm"]
    assert "0.5 seconds" in better.choice.reason
    assert min(classes(better.frame).values()) >= 5


def test_auto_takes_what_serves_the_promises() -> None:
    result = shoal.anonymize(PEOPLE, privacy=shoal.UniformMatching(3), **ROLES)
    assert result.choice.algorithm.name == "nonhomogeneous"
