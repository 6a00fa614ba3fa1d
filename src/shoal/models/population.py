"""What promises about a population share: how many people of it fit the cells of a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.cells import Cells
from shoal.core.contracts import Evidence, GroupModel, Verdict
from shoal.core.groups import Groups
from shoal.core.node import once
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.kernels.distinct import number_rows
from shoal.kernels.population import count_inside


@dataclass(frozen=True)
class PopulationModel(GroupModel):
    """A promise about classes and the people of the population whose values lie inside their cells.

    The population is the table given as ``population``, of which the published rows are a sample; without one the
    published rows are everybody. Where an algorithm asks about groups before their cells are chosen, the smallest
    permitted cells around them count. O(classes · distinct people · columns).
    """

    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    judges_cells: ClassVar[bool] = True
    needs_original: ClassVar[bool] = True
    judged_by: ClassVar[tuple[Evidence, ...]] = ("population",)

    def measure(self, table: Table, groups: Groups) -> Floats:
        """By the smallest permitted cells around each group."""
        columns = zip(table.quasi, table.codes, strict=True)
        return self.measure_cells(table, [column.recoding.enclose(groups, codes) for column, codes in columns])

    def check(self, release: Release) -> Verdict:
        """By the cells as published."""
        shapes = np.unique(release.shapes)
        _, firsts = number_rows(np.array([cells.ids[shapes] for cells in release.cells], np.int32))
        return self.verdict(self.measure_cells(release.table, [cells.take(shapes[firsts]) for cells in release.cells]))


def people_inside(table: Table, cells: Sequence[Cells]) -> Offsets:
    """How many people of the population the i-th cells of all columns hold together."""
    codes = table.codes if table.population is None else table.population
    return _inside(table, cells, *once(table, "distinct population", lambda: _distinct(codes)))


def rows_inside(table: Table, cells: Sequence[Cells]) -> Offsets:
    """How many rows of the table the i-th cells of all columns hold together."""
    return _inside(table, cells, *once(table, "distinct rows of people", lambda: _distinct(table.codes)))


def n_people(table: Table) -> int:
    """How many people the population has."""
    return int((table.codes if table.population is None else table.population).shape[1])


def _inside(table: Table, cells: Sequence[Cells], codes: Codes, weights: Offsets) -> Offsets:
    allowed = [_holds(column, each) for column, each in zip(table.quasi, cells, strict=True)]
    widths = np.array([column.domain.n_leaves for column in table.quasi], np.int64)
    at = np.cumsum([0] + [flags.size for flags in allowed])[:-1]
    numbers = np.array([each.ids for each in cells], np.int32)
    counts: Offsets = count_inside(numbers, np.concatenate(allowed), at, widths, codes, weights)
    return counts


def _distinct(codes: Codes) -> tuple[Codes, Offsets]:
    ids, firsts = number_rows(codes)
    return np.ascontiguousarray(codes[:, firsts]), np.bincount(ids).astype(np.int64)


def _holds(column: QuasiColumn, cells: Cells) -> Flags:
    """``[cell, leaf]``, flat: whether the cell holds the leaf."""
    flags = np.zeros((cells.n_distinct, column.domain.n_leaves), bool)
    for cell in range(cells.n_distinct):
        leaves = cells.leaves(cell)
        flags[cell, leaves[leaves < column.domain.n_leaves]] = True  # a label that was read may fit nobody
    return flags.ravel()
