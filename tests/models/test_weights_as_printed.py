"""Risks of weighted samples are judged on the printed records, by the weights of the rows that own them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.core.recoding import Suppress
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.engine.backends import checked_table
from shoal.engine.release_check import Beside, as_it_stands
from shoal.errors import BrokenPromise, InputError
from shoal.io.domains import encode_column
from shoal.models.population_frequencies import individual_risk

DRAWN = np.random.default_rng(11)
SURVEY = pl.DataFrame(
    {
        "age": DRAWN.integers(20, 60, 120),
        "sex": DRAWN.choice(["f", "m"], 120),
        "home": np.repeat(np.arange(60), 2),
        "weight": DRAWN.uniform(5, 40, 120).round(1),
    }
)
WORDS: dict[str, Any] = {
    "quasi_identifiers": ["age", "sex"], "sample_weight": "weight", "algorithm": "lattice", "audit": "off",
    "hierarchies": {"age": "intervals:width=10,factors=2"}, "suppression_limit": 0.2,
}  # fmt: skip
RISKS = [({"individual-risk": 0.01}, {"identifiers": ["home"]}), ({"household-risk": 0.02}, {"person": "home"})]


@pytest.mark.parametrize(("privacy", "more"), RISKS)
def test_what_is_printed_is_judged_by_the_weights_of_its_owners(
    privacy: dict[str, float], more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shoal.anonymize(SURVEY, privacy=privacy, **WORDS, **more)
    printed = checked_table.to_frame
    alone = pl.int_range(pl.len()).cast(pl.String).alias("age")
    monkeypatch.setattr(checked_table, "to_frame", lambda publication: printed(publication).with_columns(alone))
    with pytest.raises(BrokenPromise, match=f"{next(iter(privacy)).replace('-', ' ')} .* DOES NOT HOLD"):
        shoal.anonymize(SURVEY, privacy=privacy, **WORDS, **more)


def test_weights_lie_beside_the_printed_records_in_their_order() -> None:
    table = SURVEY.with_columns(note=pl.int_range(120))
    made = shoal.anonymize(
        table, privacy={"individual-risk": 0.01}, identifiers=["home"], others=["note"], seed=4, **WORDS
    )
    assert made.beside.weights is not None
    expected = table["weight"].gather(made.frame["note"]).to_list()
    assert made.beside.weights.tolist() == expected
    seen = Release.identity(as_it_stands(made.frame, ["age", "sex"], [], beside=Beside(weights=made.beside.weights)))
    assert shoal.IndividualRisk(0.01).check(seen).achieved == pytest.approx(made.verdicts[0].achieved)


def _three_of_four(*, adjusts: bool) -> Release:
    """Weights 10, 10, 20, 40 of which the last is not published: 40 people of 80, or all of them."""
    coded = encode_column(pl.Series("age", [1, 1, 1, 2]))
    column = QuasiColumn(coded.domain, Suppress(coded.domain))
    table = Table((column,), coded.codes[None])
    weighted = replace(table, sample_weights=np.array([10.0, 10.0, 20.0, 40.0]), adjusts_weights=adjusts)
    whole = Release.identity(weighted)
    return replace(whole, owners=whole.owners[:3], shapes=whole.shapes[:3])


def test_weights_are_adjusted_after_suppression_where_that_is_said() -> None:
    for adjusts, people in ((False, 40.0), (True, 80.0)):
        risk = float(individual_risk(np.array([3]), np.array([people]))[0])
        release = _three_of_four(adjusts=adjusts)
        assert shoal.IndividualRisk(0.5).check(release).achieved == pytest.approx(risk)
        assert shoal.HouseholdRisk(0.5).check(release).achieved == pytest.approx(risk)


def test_adjusting_lowers_the_risks_that_are_told_and_never_what_is_published(tmp_path: Path) -> None:
    privacy = {"individual-risk": 0.01, "k": 15}
    words = {
        **WORDS,
        "privacy": privacy,
        "identifiers": ["home"],
        "seed": 2,
        "audit": "quick",
        "levels": [1, 0],
        "suppression_limit": 0.9,
    }
    kept, adjusted = (shoal.anonymize(SURVEY, **words, adjust_weights=adjust) for adjust in (False, True))
    assert kept.release.n_suppressed > 0, "the test needs rows that are left out"
    assert kept.frame.equals(adjusted.frame)
    risks = [made.verdicts[0].achieved for made in (kept, adjusted)]
    assert risks[1] < risks[0]
    assert kept.audited is not None
    assert adjusted.audited is not None
    told = kept.audited.figures.sample, adjusted.audited.figures.sample
    assert told[0] is not None
    assert told[1] is not None
    assert told[0].adjusted is not None
    assert told[1].individual.scenario == told[0].adjusted.scenario
    assert told[1].individual.highest == pytest.approx(told[0].adjusted.highest)
    assert told[1].individual.average == pytest.approx(told[0].adjusted.average)
    assert told[1].adjusted is None
    assert told[1].expected < told[0].expected
    SURVEY.write_csv(tmp_path / "survey.csv")
    said = ["anonymize", str(tmp_path / "survey.csv"), "--quasi", "age,sex", "--identifiers", "home", "--k", "2"]
    weighted = ["--sample-weight", "weight", "--adjust-weights", "--quick", "-q", "-o", str(tmp_path / "r.csv")]
    assert main([*said, *weighted]) == 0
    assert json.loads((tmp_path / "r.run.json").read_text())["adjust_weights"] is True


def test_there_is_nothing_to_adjust_without_weights() -> None:
    with pytest.raises(InputError, match="adjust_weights scales sample weights; name their column"):
        shoal.anonymize(SURVEY, quasi_identifiers=["age"], privacy={"k": 2}, adjust_weights=True)
