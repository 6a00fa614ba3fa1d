"""Promises about all classes together where rows are not all in memory: kept, and judged on what was written."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.contracts import PrivacyModel
from shoal.core.node import chosen_levels
from shoal.core.randomness import Randomness
from shoal.engine.backends.anonymize_file import anonymize_file
from shoal.engine.backends.disk_release import DiskRelease
from shoal.engine.backends.memory_limit import Memory
from shoal.errors import BrokenPromise, InputError

TREES = {"age": shoal.Intervals(width=10), "zip": shoal.Mask()}
WORDS: dict[str, Any] = {"quasi_identifiers": ["age", "zip", "sex"], "memory": "8GiB", "others": ["note"]}
WHOLE: list[PrivacyModel] = [
    shoal.AverageRisk(0.1),
    shoal.RiskShare(0.25, 0.1),
    shoal.SampleUniqueness(0.01),
    shoal.PopulationUniqueness(0.01, population=30_000),
    shoal.PopulationUniqueness(0.001, "zayatz", 30_000),
    shoal.KCombinations(4, every=2),
    shoal.KCombinations(6, keys=("age+sex",)),
]


def people(n: int = 1500) -> pl.DataFrame:
    drawn = Randomness(3)
    ages, zips, sexes = (drawn.integers(bound, n) for bound in (50, 30, 2))
    return pl.DataFrame(
        {"age": 20 + ages, "zip": [f"{10 + z}" for z in zips], "sex": ["fm"[s] for s in sexes], "note": range(n)}
    )


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "batch", 700)
    monkeypatch.setattr(Memory, "block", 400)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    people().write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


@pytest.mark.parametrize("promise", WHOLE, ids=str)
def test_levels_are_those_of_a_run_in_memory(source: Path, tmp_path: Path, promise: PrivacyModel) -> None:
    words = {**WORDS, "hierarchies": TREES, "algorithm": "lattice", "privacy": promise, "suppression_limit": 0.1}
    made = anonymize_file(source, tmp_path / "release.csv", **words)
    words.pop("memory")
    local = shoal.anonymize(source, audit="off", **words)
    assert made.levels == chosen_levels(local.release)
    assert made.n_records == local.release.n_records
    assert made.verdicts[0].achieved == pytest.approx(local.verdicts[0].achieved)


@pytest.mark.parametrize("promise", WHOLE, ids=str)
def test_blocks_keep_them_too(source: Path, tmp_path: Path, promise: PrivacyModel) -> None:
    made = anonymize_file(source, tmp_path / "release.csv", **WORDS, algorithm="mondrian", privacy=promise)
    assert made.verdicts[0].holds
    seen = shoal.verify(tmp_path / "release.csv", quasi_identifiers=["age", "zip", "sex"], privacy=promise)
    assert seen.holds
    assert seen.verdicts[0].achieved == pytest.approx(made.verdicts[0].achieved)


@pytest.mark.parametrize("promise", [shoal.AverageRisk(0.1), shoal.KCombinations(4, every=2)], ids=str)
def test_people_are_counted_in_the_written_file(tmp_path: Path, promise: PrivacyModel) -> None:
    rows = people(600).with_columns(who=pl.int_range(600) // 2)
    rows.write_csv(tmp_path / "visits.csv")
    made = anonymize_file(tmp_path / "visits.csv", tmp_path / "release.csv", **WORDS, person="who", privacy=promise)
    assert "people counted" in made.verdicts[0].promise
    by_labels = pl.read_csv(tmp_path / "release.csv").join(rows.select("note", "who"), on="note")
    people_of = [pl.len(), pl.col("who").n_unique().alias("people")]
    sizes = by_labels.group_by("age", "zip", "sex").agg(people_of)
    some = combinations(["age", "zip", "sex"], 2)
    pairs = [by_labels.group_by(pair).agg(people_of)["people"].to_numpy().min() for pair in some]
    found = {"average-risk": float((sizes["len"] / sizes["people"]).sum()) / 600, "k-combinations": min(pairs)}
    assert made.verdicts[0].achieved == pytest.approx(found[promise.name])


@pytest.mark.parametrize("promise", WHOLE, ids=str)
def test_what_was_written_is_judged(
    source: Path, tmp_path: Path, promise: PrivacyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = DiskRelease._typed
    monkeypatch.setattr(DiskRelease, "_typed", lambda *said: typed(*said).with_columns(age=pl.col("note")))
    with pytest.raises(BrokenPromise, match="DOES NOT HOLD"):
        anonymize_file(source, tmp_path / "release.csv", **WORDS, privacy=promise)
    assert not (tmp_path / "release.csv").exists()


def test_the_number_of_people_of_a_population_can_be_said_everywhere(source: Path, tmp_path: Path) -> None:
    words = {**WORDS, "privacy": shoal.PopulationUniqueness(0.01), "algorithm": "mondrian"}
    made = anonymize_file(source, tmp_path / "release.csv", **words, population=30_000)
    assert "of 30,000 people" in made.verdicts[0].promise
    with pytest.raises(InputError, match="smaller than the 1,500 people"):
        anonymize_file(source, tmp_path / "release.csv", **words, population=1_000)
    with pytest.raises(InputError, match="its size can be given instead"):
        anonymize_file(source, tmp_path / "release.csv", **words, population="everybody.csv")


def test_household_risk_wants_the_rows(source: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="all rows in memory"):
        anonymize_file(source, tmp_path / "release.csv", **WORDS, privacy=shoal.HouseholdRisk(0.5))
