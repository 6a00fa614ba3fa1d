"""Ciriani et al., k-Anonymity, figure 2: every model of the taxonomy can be asked for (docs/algorithms.md)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.hierarchy import Hierarchy
from support.chapter import FIGURE_1

NAMES = ["zip", "status", "sex"]
PEOPLE = pl.DataFrame([row[:3] for row in FIGURE_1], schema=NAMES, orient="row")
TREES = {
    "zip": Hierarchy.from_dict({"2203*": ["22030", "22032"], "2204*": ["22045", "22047"]}, root="220**"),
    "status": Hierarchy.from_dict({"been": ["married", "widow", "divorced"], "never": ["single"]}, root="any"),
    "sex": Hierarchy.from_rows([["M", "either"], ["F", "either"]]),
}
STARS = dict.fromkeys(NAMES, "suppress")


def level_of(column: str, label: str) -> int:
    """How far up its hierarchy a label is."""
    steps = {"zip": label.count("*"), "status": {"been": 1, "never": 1, "any": 2}.get(label, 0)}
    return steps.get(column, int(label == "either"))


def released(**said: Any) -> list[dict[str, str]]:
    """The records of a 2-anonymous release of the chapter's ten rows."""
    made = shoal.anonymize(PEOPLE, quasi_identifiers=NAMES, privacy=shoal.KAnonymity(2), audit="off", seed=1, **said)
    records = made.to_frame().rows(named=True)
    assert min(Counter(tuple(record.values()) for record in records).values()) >= 2
    return records


def has_one_level_per_column(records: list[dict[str, str]], *, stars: bool = False) -> bool:
    """Whether the labels of each column are on one level, cells on the top one apart where they may be starred."""
    levels = {(name, level_of(name, record[name])) for record in records for name in NAMES}
    levels -= {(name, TREES[name].n_levels - 1) for name in NAMES} if stars else set()
    return len(levels) == len({name for name, _ in levels})


@pytest.mark.parametrize("algorithm", ["lattice", "samarati", "incognito"])
def test_ag_ts_one_level_per_column_and_rows_left_out(algorithm: str) -> None:
    records = released(algorithm=algorithm, hierarchies=TREES, suppression_limit=0.3)
    assert 7 <= len(records) < 10
    assert has_one_level_per_column(records)


def test_ag_one_level_per_column() -> None:
    records = released(algorithm="lattice", hierarchies=TREES)
    assert len(records) == 10
    assert has_one_level_per_column(records)


def test_ag_cs_one_level_per_column_and_single_cells_starred() -> None:
    records = released(algorithm="local-suppression", hierarchies=TREES)
    assert len(records) == 10
    assert has_one_level_per_column(records, stars=True)
    assert not has_one_level_per_column(records)


def test_cg_every_cell_on_a_level_of_its_own() -> None:
    records = released(algorithm="clustering:steps=10", hierarchies=TREES)
    assert len(records) == 10
    assert not has_one_level_per_column(records)


def test_ts_values_as_they_are_and_rows_left_out() -> None:
    records = released(levels={"zip": 0, "status": 0, "sex": 0}, hierarchies=TREES, suppression_limit=0.5)
    assert 5 <= len(records) < 10
    assert all(level_of(name, record[name]) == 0 for record in records for name in NAMES)


def test_as_columns_as_they_are_or_not_at_all() -> None:
    records = released(algorithm="lattice", recodings=STARS)
    assert len(records) == 10
    for name in NAMES:
        labels = {record[name] for record in records}
        assert labels == {"*"} or "*" not in labels


@pytest.mark.parametrize("algorithm", ["clustering:steps=10", "park-shim", "meyerson-williams", "factor", "patterns"])
def test_cs_values_as_they_are_or_starred(algorithm: str) -> None:
    records = released(algorithm=algorithm, recodings=STARS)
    values = {name: {*PEOPLE[name].to_list(), "*"} for name in NAMES}
    assert len(records) == 10
    assert all(record[name] in values[name] for record in records for name in NAMES)
    assert any(0 < [*record.values()].count("*") < 3 for record in records)
