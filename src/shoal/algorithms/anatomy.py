"""Anatomy: unchanged quasi-identifiers, sensitive values in a separate table, linked only by buckets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.contracts import Algorithm, Goal
from shoal.core.diverse_parts import join_until
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet, InputError
from shoal.kernels.distinct import number_rows
from shoal.models.l_diversity import LDiversity

WARNING = (
    "Anatomy publishes quasi-identifiers as they are: everybody can see who is in the table, and only which value of "
    "their bucket is theirs is hidden. It promises diversity, never k-anonymity."
)


@dataclass(frozen=True)
class Anatomy(Algorithm):
    """Buckets of rows with different sensitive values; two tables are published, and only the bucket links them.

    The first table has the exact quasi-identifiers and the number of each row's bucket; the second says how often each
    sensitive value occurs in each bucket. So the quasi-identifiers lose nothing, and nobody is hidden: the promise is
    that a person's value could be any of ``l``. k-anonymity is refused.

    One row, drawn at random, of each of the ``l`` most frequent remaining values makes the next bucket; each row that
    remains joins a bucket drawn among those without its value. If a value is too frequent for buckets with all
    different values, buckets are merged until each keeps the promise.

    Differs from Wong et al.'s AT, which gives the rows of a bucket shared cells in order to compare losses.

    Cost: O(n log n) time, O(n) memory.

    Reference: Xiao and Tao 2006, Anatomy: Simple and Effective Privacy Preservation; Wong, Mamoulis and Cheung 2010,
    Non-Homogeneous Generalization in Privacy Preserving Data Publishing (section 7.4).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"age": [23, 25, 61, 67], "disease": ["flu", "gout", "flu", "asthma"]})
    >>> words = {"quasi_identifiers": ["age"], "sensitive": ["disease"], "privacy": shoal.LDiversity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Anatomy(), **words)
    >>> release.to_frame().columns
    ['age', 'bucket']
    """

    name: ClassVar[str] = "anatomy"
    summary: ClassVar[str] = "two tables joined by buckets: quasi-identifiers exact, diverse values (no k-anonymity)"
    serves = (LDiversity,)
    makes_buckets: ClassVar[bool] = True

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse promises other than diversity, and tables without a sensitive column."""
        for promise in goal.promises:
            if not isinstance(promise, self.serves):
                raise InputError(
                    f"Anatomy publishes quasi-identifiers unchanged, so it cannot promise {promise}; ask it for "
                    "l-diversity alone, or choose another algorithm."
                )
        if not table.sensitive:
            raise InputError("Anatomy needs a sensitive column; name the one whose values are to be hidden.")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Make the buckets, and merge those that break a promise."""
        self.refuse(table, goal)
        if not goal.accepts(table, Groups.whole(table.n_rows)).all():
            raise GoalNotMet("Even with all rows in one bucket, the promises do not all hold; ask for weaker ones.")
        progress.stage("filling buckets")
        values, _ = number_rows(np.array([column.codes for column in table.sensitive], np.int32))
        ids = buckets(values, max(1, goal.floor), randomness)
        made = join_until(lambda some: goal.accepts(table, some), Groups.from_ids(ids, int(ids.max()) + 1))
        return replace(Release.identity(table), buckets=made.ids(table.n_rows), account=(WARNING,))


def buckets(values: Codes, size: int, randomness: Randomness) -> Codes:
    """The bucket of each row: ``size`` different values in each, as far as possible. O(n log n)."""
    order = randomness.permutation(values.size)
    lists = Groups.from_ids(values[order], int(values.max()) + 1)
    left = [order[lists.of(value)].tolist() for value in range(len(lists))]
    ties = randomness.permutation(len(left)).tolist()
    heap = [(-len(rows), tie, value) for value, (rows, tie) in enumerate(zip(left, ties, strict=True)) if rows]
    heapify(heap)
    ids, n_buckets = np.full(values.size, -1, np.int32), 0
    while len(heap) >= size:
        for _, tie, value in [heappop(heap) for _ in range(size)]:
            ids[left[value].pop()] = n_buckets
            if left[value]:
                heappush(heap, (-len(left[value]), tie, value))
        n_buckets += 1
    _share_out(values, left, max(1, n_buckets), ids, randomness)
    return ids


def _share_out(values: Codes, left: list[list[int]], n_buckets: int, ids: Codes, randomness: Randomness) -> None:
    """Put each remaining row into a random bucket without its value, one per bucket; if all have it, into any."""
    for value, rows in enumerate(left):
        if not rows:
            continue
        lacks = np.ones(n_buckets, bool)
        lacks[ids[(values == value) & (ids >= 0)]] = False
        free = np.flatnonzero(lacks)
        drawn = free[randomness.permutation(free.size)][: len(rows)]
        rest = randomness.integers(n_buckets, len(rows) - drawn.size).astype(np.int64)
        ids[rows] = np.concatenate([drawn, rest])
