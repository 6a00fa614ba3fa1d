"""k-anonymity of combinations of columns, for adversaries who know only some of the quasi-identifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from math import comb
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.contracts import Verdict
from shoal.core.groups import CountGroups, Groups
from shoal.core.node import Node, generalized
from shoal.core.parameters import checked, whole_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean
from shoal.kernels.distinct import number_rows
from shoal.kernels.grouping import count_distinct
from shoal.models.class_sizes import CountsPeople
from shoal.models.of_people import needs_people, refuse_more_than

_MOST = 20_000
"""More combinations than this would take hours."""


@dataclass(frozen=True)
class KCombinations(CountsPeople):
    """On each chosen combination of quasi-identifiers, every record shares its cells with at least ``k`` − 1 others.

    Guarantee: an adversary who knows the columns of one combination finds at least k records. Weaker than k-anonymity,
    which is about all columns at once.

    Threat model: the adversary knows only some of a person's quasi-identifiers: those of one combination.

    The combinations are all sets of ``every`` columns, the named ``keys``, or both. Records that agree on a combination
    also agree on any part of it. All combinations are counted exactly; tools that suppress cells for one combination
    after another may leave an earlier one broken. A missing value is a value like any other.

    Suppressing a class makes others rarer, so classes that are too rare are suppressed repeatedly until none is left;
    this keeps as much as possible. Nodes above a feasible one are feasible, because equal records stay equal.

    People counted: the records of at least k different people.

    Cost: O(combinations · records).

    Reference: Hundepool and Willenborg 1996, μ- and τ-ARGUS: Software for Statistical Disclosure Control.

    >>> str(KCombinations(5, every=3)), str(KCombinations(3, keys=("age+sex", "zip")))
    ('5-anonymity of every 3 columns', '3-anonymity of age+sex and zip')
    """

    k: int = field(metadata=checked(whole_number, "k", least=1))
    every: int | None = field(default=None, metadata=checked(whole_number, "The number of columns", least=1))
    keys: Sequence[str | Sequence[str]] = ()

    name: ClassVar[str] = "k-combinations"
    flag: ClassVar[str] = "k-combinations"
    summary: ClassVar[str] = (
        "on chosen columns every record agrees with at least K - 1 others; K:3 for every 3 quasi-identifiers, "
        "K:age+sex,zip+sex for these"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "keys", _keys(self.keys))
        if self.every is None and not self.keys:
            raise InputError("k-combinations needs columns, as in 5:3 or 5:age+sex,zip+sex, got none.")

    @classmethod
    def parse(cls, text: str) -> KCombinations:
        """Parse ``5:3`` or ``5:age+sex,zip+sex``."""
        k, _, said = text.partition(":")
        number = whole_number("k", k, least=1)
        if said.strip().isdecimal():
            return cls(number, every=int(said))
        return cls(number, keys=said)

    @property
    def enough(self) -> int:
        """k: records that agree on all columns agree on some."""
        return self.k

    @property
    def survives_union(self) -> bool:
        """True: with more records, no fewer agree."""
        return True

    def is_upward(self, *, suppressing: bool) -> bool:
        """Yes: the rows that are kept at a node are kept at every node above it."""
        return True

    def places(self, table: Table) -> list[tuple[int, ...]]:
        """The combinations as positions of quasi-identifiers, none of them part of another.

        Raises:
            InputError: a column is not a quasi-identifier, or there are too many combinations.
        """
        names = [column.name for column in table.quasi]
        found = {tuple(sorted({_place(name, names) for name in key})) for key in self.keys}
        if self.every is not None:
            size = min(self.every, len(names))
            if comb(len(names), size) > _MOST:
                raise InputError(
                    f"Every {size} of {len(names)} columns are {comb(len(names), size):,} combinations, more than "
                    f"{_MOST:,}; ask for fewer columns at a time, or name the combinations."
                )
            found.update(combinations(range(len(names)), size))
        return sorted(one for one in found if not any(set(one) < set(other) for other in found))

    def require_columns(self, table: Table) -> None:
        """Refuse columns that are not quasi-identifiers."""
        self.places(table)

    def refuse(self, table: Table) -> None:
        """Refuse unknown columns, and k above the number of rows or people."""
        self.places(table)
        refuse_more_than(self.k, table)

    def check(self, release: Release) -> Verdict:
        """Count every combination among the published records."""
        table, classes = release.table, release.classes
        records = np.zeros(table.n_rows, np.int32)
        records[release.owners] = np.arange(release.n_records, dtype=np.int32)
        shapes = release.shapes[records[classes.members]]
        cells = np.array([each.ids[shapes] for each in release.cells], np.int32)
        people = needs_people(self, table)[classes.members] if self.counts_people else None
        counts = _fewest(self.places(table), cells, partial(_sizes, people=people))
        measures = counts[classes.offsets[:-1]].astype(float) if len(classes) else np.empty(0)
        return replace(Verdict.of(self, measures, self.k), wanted=self.k)

    def judge_counts(self, table: Table, count: CountGroups) -> Verdict:
        """Judge by the fewest records, or people, that agree on each combination; counts groups of all combinations."""
        achieved, n_groups, n_failing = np.inf, 0, 0
        for columns in self.places(table):
            found = count(columns)
            sizes = found.people if self.counts_people else found.records
            achieved = min(achieved, float(sizes.min(initial=np.iinfo(np.int64).max)))
            n_groups, n_failing = n_groups + sizes.size, n_failing + int((sizes < self.k).sum())
        return Verdict(str(self), not n_failing, self.k, achieved, n_groups, n_failing)

    def keep(self, node: Node, order: Codes) -> Flags:
        """The most classes that can stay. O(rounds · combinations · classes), or rows if people are counted."""
        places = self.places(node.table)
        kept = node.kept.copy()
        cells = np.array([node.bounds(column)[0] for column in range(node.table.n_quasi)], np.int32)
        while kept.any():
            counts = self._people_of(node, kept, places) if self.counts_people else _rows_of(node, kept, places, cells)
            rare = kept & (counts < self.k)
            if not rare.any():
                break
            kept &= ~rare
        return kept

    def _people_of(self, node: Node, kept: Flags, places: Sequence[tuple[int, ...]]) -> Offsets:
        ids = node.row_classes
        rows = np.flatnonzero(kept[ids])
        people = needs_people(self, node.table)[rows]
        cells = generalized(node.table, node.levels)[:, rows]
        found = np.zeros(node.sizes.size, np.int64)
        found[ids[rows]] = _fewest(places, cells, partial(_sizes, people=people))
        return found

    def __str__(self) -> str:
        named = ["+".join(key) for key in self.keys]
        every = [] if self.every is None else [f"every {self.every} columns"]
        return f"{self.k}-anonymity of {' and '.join([*every, *named])}{self._counted()}"


def _fewest(places: Sequence[tuple[int, ...]], cells: Codes, sizes: Callable[[Codes, int], Offsets]) -> Offsets:
    """For each record ``cells[:, record]``, the least ``sizes`` of the groups that agree with it on a combination."""
    fewest = np.full(cells.shape[1], np.iinfo(np.int64).max)
    for columns in places if cells.shape[1] else ():
        ids, firsts = number_rows(np.ascontiguousarray(cells[list(columns)]))
        np.minimum(fewest, sizes(ids, firsts.size)[ids], out=fewest)
    return fewest


def _sizes(ids: Codes, n_groups: int, people: Codes | None) -> Offsets:
    if people is None:
        return np.bincount(ids, minlength=n_groups).astype(np.int64)
    groups = Groups.from_ids(ids, n_groups)
    known, numbers = np.unique(people, return_inverse=True)
    return np.asarray(count_distinct(groups.offsets, groups.members, numbers.astype(np.int32), known.size), np.int64)


def _rows_of(node: Node, kept: Flags, places: Sequence[tuple[int, ...]], cells: Codes) -> Offsets:
    """For each kept class, the fewest rows of kept classes that share a combination with it."""
    rows = np.zeros(node.sizes.size, np.int64)
    rows[kept] = _fewest(places, cells[:, kept], lambda ids, n: np.bincount(ids, node.sizes[kept], n).astype(np.int64))
    return rows


def _keys(said: str | Sequence[str | Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Combinations of columns, from lists or from texts such as ``age+sex,zip``."""
    keys = [part for part in said.split(",") if part.strip()] if isinstance(said, str) else said
    parted = (key.split("+") if isinstance(key, str) else key for key in keys)
    return tuple(tuple(name.strip() for name in names) for names in parted)


def _place(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise InputError(f"k-combinations: {name!r} is not a quasi-identifier.{did_you_mean(name, names)}")
    return names.index(name)
