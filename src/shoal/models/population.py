"""The base class of models about a population: how many of its people fit the cells of a class."""

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
    """A model about classes and the people of the population whose values lie inside their cells.

    The population is the table given as ``population``, from which the published rows were sampled; without one, the
    published rows are the population. If an algorithm judges groups before their cells are chosen, the smallest
    permitted cells around them are used. O(classes · distinct people · columns).

    If the table has the person of each row, people are counted, in the population too if it has that column; otherwise
    each of its rows is a person.
    """

    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    judges_cells: ClassVar[bool] = True
    needs_original: ClassVar[bool] = True
    judged_by: ClassVar[tuple[Evidence, ...]] = ("population",)

    def measure(self, table: Table, groups: Groups) -> Floats:
        """Measure the smallest permitted cells around each group."""
        columns = zip(table.quasi, table.codes, strict=True)
        return self.measure_cells(table, [column.recoding.enclose(groups, codes) for column, codes in columns])

    def of_people(self) -> PopulationModel:
        """The model itself: it counts people if the table has them."""
        return self

    def check(self, release: Release) -> Verdict:
        """Judge by the published cells."""
        shapes = np.unique(release.shapes)
        _, firsts = number_rows(np.array([cells.ids[shapes] for cells in release.cells], np.int32))
        return self.verdict(self.measure_cells(release.table, [cells.take(shapes[firsts]) for cells in release.cells]))


def people_inside(table: Table, cells: Sequence[Cells]) -> Offsets:
    """How many people of the population lie inside the i-th cells of all columns."""
    return _people(table, cells, "distinct population", *_population(table))


def rows_inside(table: Table, cells: Sequence[Cells]) -> Offsets:
    """How many people of the table lie inside the i-th cells of all columns; without ``people``, rows."""
    return _people(table, cells, "distinct rows of people", table.codes, table.people)


def n_people(table: Table) -> int:
    """The number of people in the population."""
    codes, people = _population(table)
    return int(codes.shape[1]) if people is None else int(people.max(initial=-1)) + 1


def _population(table: Table) -> tuple[Codes, Codes | None]:
    """The codes of the population, and the person of each row if known."""
    if table.population is None:
        return table.codes, table.people
    return table.population, table.population_people


def _people(table: Table, cells: Sequence[Cells], what: str, codes: Codes, people: Codes | None) -> Offsets:
    if people is None:
        return _inside(table, cells, *once(table, what, lambda: _distinct(codes)))
    return owners_inside(cells, *once(table, (what, "owned"), lambda: _owned(codes, people)))


_PAIRS = 2_000_000
"""Pairs of a class and a row that are compared at once, at about 40 bytes per pair."""


def owners_inside(cells: Sequence[Cells], codes: Codes, people: Codes) -> Offsets:
    """How many different people have a row inside the i-th cells of all columns.

    Each class is compared with the rows between the ends of its cell in the column with the fewest such rows.
    O(columns · (rows log rows + pairs)).
    """
    orders = [np.argsort(values, kind="stable").astype(np.int32) for values in codes]
    firsts, lasts = np.empty((2, len(cells), len(cells[0])), np.int64)
    for j, (each, order) in enumerate(zip(cells, orders, strict=True)):
        firsts[j] = np.searchsorted(codes[j][order], each.low[each.ids], "left")
        lasts[j] = np.searchsorted(codes[j][order], each.high[each.ids], "right")
    best = (lasts - firsts).argmin(0)
    found = np.zeros(len(cells[0]), np.int64)
    for j, order in enumerate(orders):
        which = np.flatnonzero(best == j).astype(np.int32)
        widths = (lasts - firsts)[j, which]
        for some in np.split(which, np.flatnonzero(np.diff(np.cumsum(widths) // _PAIRS)) + 1):
            rows = [order[firsts[j, place] : lasts[j, place]] for place in some.tolist()]
            if rows:
                found[some] = _owners_among(some, rows, cells, codes, people)
    return found


def _owners_among(which: Codes, rows: Sequence[Codes], cells: Sequence[Cells], codes: Codes, people: Codes) -> Offsets:
    """For each of these classes, the number of different people among the candidate rows that lie inside."""
    places = np.repeat(np.arange(which.size), [some.size for some in rows])
    own = np.concatenate(rows)
    for each, values in zip(cells, codes, strict=True):
        inside = each.take(which[places]).cover(values[own])
        places, own = places[inside], own[inside]
    n_people = int(people.max(initial=-1)) + 1
    return np.bincount(np.unique(places * n_people + people[own]) // max(1, n_people), minlength=which.size)


def _owned(codes: Codes, people: Codes) -> tuple[Codes, Codes]:
    """The distinct rows of each person."""
    _, firsts = number_rows(np.concatenate([codes, people[None]]).astype(np.int32))
    return np.ascontiguousarray(codes[:, firsts]), people[firsts]


def _inside(table: Table, cells: Sequence[Cells], codes: Codes, weights: Offsets) -> Offsets:
    allowed = [_holds(column, each) for column, each in zip(table.quasi, cells, strict=True)]
    widths = np.array([column.domain.n_leaves for column in table.quasi], np.int64)
    at = np.cumsum([0] + [flags.size for flags in allowed])[:-1]
    numbers = np.array([each.ids for each in cells], np.int32)
    return np.asarray(count_inside(numbers, np.concatenate(allowed), at, widths, codes, weights))


def _distinct(codes: Codes) -> tuple[Codes, Offsets]:
    ids, firsts = number_rows(codes)
    return np.ascontiguousarray(codes[:, firsts]), np.bincount(ids).astype(np.int64)


def _holds(column: QuasiColumn, cells: Cells) -> Flags:
    """``[cell, leaf]``, flat: whether the cell contains the leaf."""
    flags = np.zeros((cells.n_distinct, column.domain.n_leaves), bool)
    for cell in range(cells.n_distinct):
        leaves = cells.leaves(cell)
        flags[cell, leaves[leaves < column.domain.n_leaves]] = True  # a label that was read may have no known value
    return flags.ravel()
