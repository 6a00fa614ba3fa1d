"""Aligns all rows of a person by place, also across tables, so that a person becomes one wide row, and unfolds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.core.groups import Groups
from shoal.core.table import QuasiColumn, SensitiveColumn, Table
from shoal.kernels.distinct import number_lists

MOST_COLUMNS = 96
"""The most columns of a wide table. Longer histories are compared by evenly spaced places."""


@dataclass(frozen=True, eq=False)
class HistoryForms:
    """The distinct sets of places that people have, each ascending, and which of them each person has."""

    places: tuple[Codes, ...]
    of_person: Codes

    @property
    def counts(self) -> Offsets:
        """The number of people with each form."""
        return np.bincount(self.of_person, minlength=len(self.places)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Histories:
    """The rows of people, in one table or in several that use the same numbers for people.

    ``places[t][i]`` is the place of row ``i`` of table ``t`` in its person's history. Nobody has two rows at a place,
    and no place occurs in two tables. Rows of two people at the same place may be published with the same cells.
    """

    tables: tuple[Table, ...]
    places: tuple[Codes, ...]
    n_people: int

    @cached_property
    def _rows(self) -> tuple[Groups, Codes]:
        """The rows of each person by place, numbered across all tables; and the places of all rows so numbered."""
        people = np.concatenate([owners_of(table) for table in self.tables])
        places = np.concatenate(self.places)
        members = np.lexsort((places, people)).astype(np.int32)
        counts = np.bincount(people, minlength=self.n_people)
        return Groups(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), members), places

    @cached_property
    def _starts(self) -> Offsets:
        """The number of the first row of each table, across all tables."""
        return np.cumsum([0, *(table.n_rows for table in self.tables)]).astype(np.int64)

    @cached_property
    def forms(self) -> HistoryForms:
        """The form of each person's history. O(rows log rows)."""
        rows, places = self._rows
        ordered = places[rows.members].astype(np.int32)
        ids, firsts = number_lists(rows.offsets, ordered)
        return HistoryForms(tuple(ordered[rows.offsets[p] : rows.offsets[p + 1]] for p in firsts), ids)

    def rows_at(self, people: Codes, form: Codes) -> list[Codes]:
        """Per table ``rows[place, person]``: the rows of people who all have the places of ``form``."""
        rows, places = self._rows
        mine = rows.take(people).members
        kept = mine[np.isin(places[mine], form)].reshape(people.size, form.size).T
        table_of = np.searchsorted(self._starts, kept[:, 0], side="right") - 1
        return [kept[table_of == t] - self._starts[t] for t in range(len(self.tables))]

    def wide(self, people: Codes, form: Codes) -> Table:
        """These people as a table of one row each: columns constant within each person once, others at every place.

        A column that represents several places has the sum of their weights, so that the loss equals that of the rows.
        """
        quasi: list[QuasiColumn] = []
        codes: list[Codes] = []
        sensitive: list[SensitiveColumn] = []
        for table, rows in zip(self.tables, self.rows_at(people, form), strict=True):
            step = max(1, -(-form.size * table.n_quasi // MOST_COLUMNS))
            for column, values in zip(table.quasi, table.codes, strict=True):
                for at, weight in _folded(values, rows, step):
                    quasi.append(replace(column, weight=column.weight * weight))
                    codes.append(at)
            sensitive += [replace(column, codes=column.codes[at]) for column in table.sensitive for at in rows]
        return Table(tuple(quasi), np.array(codes, np.int32), tuple(sensitive))

    def unfold(self, groups: Groups, forms: Sequence[Codes]) -> tuple[Groups, ...]:
        """Per table, the rows that will share their cells: those of group ``g`` at each place of ``forms[g]``.

        Rows at other places, and rows of people in no group, are left out. O(rows log rows).
        """
        width = 1 + max(int(places.max(initial=0)) for places in self.places)
        keys = [np.int64(g) * width + form for g, form in enumerate(forms)]
        wanted = np.concatenate([*keys, np.empty(0, np.int64)])
        ids = groups.ids(self.n_people).astype(np.int64)
        return tuple(
            _equal(ids[owners_of(table)] * width + places, wanted)
            for table, places in zip(self.tables, self.places, strict=True)
        )


def histories_of(table: Table, order: Offsets | None = None) -> Histories:
    """The histories of one table: a person's rows have the places 0, 1, 2, … by ``order``, or in table order."""
    keys = np.arange(table.n_rows) if order is None else order
    return Histories((table,), (numbered_within(owners_of(table), keys),), table.n_people)


def owners_of(table: Table) -> Codes:
    """The person of each row; without ``people``, each row is a person."""
    return np.arange(table.n_rows, dtype=np.int32) if table.people is None else table.people


def numbered_within(owners: Codes, keys: Codes | Offsets) -> Codes:
    """The rank of each row among those of the same owner, by key; of equal keys the first row comes first.

    >>> numbered_within(np.array([7, 3, 7, 7]), np.array([5, 0, 9, 1])).tolist()
    [1, 0, 2, 0]
    """
    order = np.lexsort((keys, owners))
    starts = np.flatnonzero(np.diff(owners[order], prepend=-1))
    ranks = np.empty(owners.size, np.int32)
    sizes = np.diff(starts, append=owners.size)
    ranks[order] = np.arange(owners.size) - np.repeat(starts, sizes)
    return ranks


def _folded(values: Codes, rows: Codes, step: int) -> Iterator[tuple[Codes, float]]:
    """A column once if constant within each person, else at every ``step``-th place; with the places each covers."""
    n_places = rows.shape[0]
    if not n_places:
        return
    first = values[rows[0]]
    if all((values[at] == first).all() for at in rows[1:]):
        yield first, float(n_places)
        return
    kept = rows[::step]
    for at in kept:
        yield values[at], n_places / kept.shape[0]


def _equal(keys: Offsets, wanted: Offsets) -> Groups:
    """The rows with each wanted key, one group per key that occurs."""
    order = np.argsort(keys, kind="stable")
    order = order[np.isin(keys[order], wanted)]
    ordered = keys[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1 if not ordered.size else ordered[0] - 1))
    return Groups(np.append(starts, ordered.size).astype(np.int64), order.astype(np.int32))


@dataclass(frozen=True, eq=False)
class Branch:
    """A table whose rows are children of another's: row ``i`` of row ``above[i]`` of the table numbered ``parent``.

    The first table of a tree has people as rows and no parent. ``order`` ranks the rows of one parent row.
    """

    table: Table
    parent: int | None
    above: Codes
    order: Offsets


def linked_histories(branches: Sequence[Branch]) -> Histories:
    """The histories of the people who are the rows of the first table; parent tables come before their children.

    A row's place is the place of its parent row plus its rank among the parent's children: rows with the most children
    first, so that people with different numbers of rows share more places, then by ``order``. The parents of two rows
    at the same place are at the same place, too, so a form never has a row without its parent. O(rows log rows).
    """
    people: list[Codes] = []
    places: list[Codes] = []
    start = 0
    for number, branch in enumerate(branches):
        if branch.parent is None:
            people.append(np.arange(branch.table.n_rows, dtype=np.int32))
            places.append(np.zeros(branch.table.n_rows, np.int32))
        else:
            people.append(people[branch.parent][branch.above])
            ranks = numbered_within(branch.above, _ranked(branches, number))
            paths = places[branch.parent][branch.above].astype(np.int64) * (int(ranks.max(initial=0)) + 1) + ranks
            places.append((np.unique(paths, return_inverse=True)[1] + start).astype(np.int32))
        start = int(places[-1].max(initial=start - 1)) + 1
    tables = [branch.table.with_people(own) for branch, own in zip(branches, people, strict=True)]
    return Histories(tuple(tables), tuple(places), branches[0].table.n_rows)


def _ranked(branches: Sequence[Branch], number: int) -> Offsets:
    """Rank rows with more children first, then by their own order."""
    branch = branches[number]
    hanging = np.zeros(branch.table.n_rows, np.int64)
    for other in branches:
        if other.parent == number:
            hanging += np.bincount(other.above, minlength=hanging.size)
    order = np.lexsort((branch.order, -hanging))
    ranks = np.empty(order.size, np.int64)
    ranks[order] = np.arange(order.size)
    return ranks
