"""Promises about a population: by hand, and through the whole engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from naive.people import owners_inside as owners_one_by_one
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.models import population

TOWN = pl.DataFrame({"age": [age for age in range(20, 60) for _ in range(3)], "sex": ["F", "M", "F"] * 40})
SAMPLE = TOWN.gather_every(6)
WORDS: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "hierarchies": {"age": shoal.Intervals(width=5)}}
ALGORITHMS = ["mondrian", "mondrian:relaxed", "hilbert", "lattice", "samarati"]


def fitting(frame: pl.DataFrame, age: object, sex: object) -> int:
    """How many rows a published pair of labels fits, by reading it."""
    low, high = (20, 59) if age == "*" else tuple(map(int, str(age).strip("[]").split("..") * 2))[:2]
    sexes = ["F", "M"] if str(sex) in ("*", "{F, M}") else [sex]
    return frame.filter(pl.col("age").is_between(low, high), pl.col("sex").is_in(sexes)).height


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_record_fits_k_people_of_the_town(algorithm: str) -> None:
    result = shoal.anonymize(SAMPLE, privacy=shoal.KMap(12), population=TOWN, algorithm=algorithm, **WORDS)
    fits = [fitting(TOWN, *row) for row in result.frame.rows()]
    assert min(fits) == result.verdicts[0].achieved >= 12
    assert result.release.classes.sizes.min() < 12


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nobody_can_be_told_to_be_in_the_sample(algorithm: str) -> None:
    result = shoal.anonymize(SAMPLE, privacy=shoal.DeltaPresence(0.3), population=TOWN, algorithm=algorithm, **WORDS)
    shares = [fitting(SAMPLE, *row) / fitting(TOWN, *row) for row in result.frame.rows()]
    assert max(shares) == pytest.approx(result.verdicts[0].achieved)
    assert max(shares) <= 0.3


def test_the_optimum_counts_people_by_the_cells_that_are_published() -> None:
    result = shoal.anonymize(SAMPLE, privacy=shoal.KMap(12), population=TOWN, algorithm="lattice", **WORDS)
    found = result.exploration
    for i in range(len(found)):
        if found.is_feasible[i]:
            assert result.metrics()["lm"] <= found.losses[i] + 1e-12


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"privacy": shoal.KMap(121)}, "needs at least 121 people, but the population has 120"),
        ({"privacy": shoal.DeltaPresence(0.1)}, "cannot hold: 20 rows are 0.167 of the 120 people"),
        ({"population": TOWN.drop("sex")}, "population has no column 'sex'"),
        ({"algorithm": "incognito"}, "cannot promise 12-map"),
        ({"population": "nowhere.csv"}, "nowhere.csv"),
    ],
)
def test_what_cannot_be_is_refused(
    change: dict[str, Any], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(shoal.InputError, match=says):
        shoal.anonymize(SAMPLE, **{"privacy": shoal.KMap(12), "population": TOWN, **WORDS, **change})


def test_a_population_of_other_values_widens_no_published_dictionary() -> None:
    town = pl.concat([TOWN, pl.DataFrame({"age": [7, 99], "sex": ["X", "X"]})])
    result = shoal.anonymize(SAMPLE, privacy=shoal.KMap(12), population=town, **WORDS)
    assert not any("X" in str(value) for value in result.frame["sex"])


@pytest.mark.parametrize("seed", range(8))
def test_owners_of_rows_inside_are_counted_as_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(population, "_PAIRS", 50)
    rng = np.random.default_rng(seed)
    n_rows, n_classes, n_leaves = int(rng.integers(1, 80)), int(rng.integers(1, 30)), 9
    codes = rng.integers(0, n_leaves, (3, n_rows)).astype(np.int32)
    people = np.unique(rng.integers(0, 20, n_rows), return_inverse=True)[1].astype(np.int32)
    ends = np.sort(rng.integers(0, n_leaves + 1, (2, 2, n_classes)).astype(np.int32), axis=1)  # a last leaf nobody has
    sizes = rng.integers(1, 6, n_classes)
    sets = Groups(np.concatenate([[0], np.cumsum(sizes)]), rng.integers(0, n_leaves, sizes.sum()).astype(np.int32))
    cells = [Cells.of_intervals(low, high) for low, high in ends]
    cells.append(Cells.of_sets(sets, np.arange(n_leaves, dtype=np.int32), n_leaves))
    held = [[{*each.leaves(int(cell)).tolist()} for cell in each.ids] for each in cells]
    expected = owners_one_by_one(held, codes.T.tolist(), people.tolist())
    assert population.owners_inside(cells, codes, people).tolist() == expected
