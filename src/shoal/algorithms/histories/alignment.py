"""The order in which one person's rows are placed next to another's, and the columns that vary within nobody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Offsets
from shoal.core.block_union import block_of
from shoal.core.groups import Groups
from shoal.core.histories import owners_of
from shoal.core.randomness import Randomness
from shoal.core.release import Claim, ClaimVerdict, Release
from shoal.core.table import Table

_SAMPLED = 2_000
"""The number of people on whom orders are tried."""


def orders_of(table: Table) -> Iterator[int]:
    """The columns by which rows could be ordered: those that vary within somebody, or the first if none does."""
    varying = [column for column in range(table.n_quasi) if _varies(table.codes[column], owners_of(table))]
    yield from varying or [0]


def order_by(table: Table, column: int) -> Offsets:
    """A rank for each row: by the column, then by all others. O(rows log rows · columns)."""
    others = [codes for other, codes in enumerate(table.codes) if other != column]
    order = np.lexsort([*reversed(others), table.codes[column]])
    ranks = np.empty(order.size, np.int64)
    ranks[order] = np.arange(order.size)
    return ranks


def scrambled(table: Table, randomness: Randomness) -> Offsets:
    """A random rank for each row, so that no place says anything about sensitive values."""
    return randomness.permutation(table.n_rows).astype(np.int64)


def sample_of_people(table: Table, randomness: Randomness) -> Table:
    """All rows of a sample of people; the table itself if it has few."""
    if table.n_people <= _SAMPLED:
        return table
    owners = owners_of(table)
    people = randomness.permutation(table.n_people)[:_SAMPLED]
    rows = Groups.from_ids(owners, table.n_people).take(people).members
    return block_of(table, rows)


@dataclass(frozen=True)
class ConstantWithinPeople(Claim):
    """A column with one value within every person has one cell in all records of each person."""

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Compare each record's cell with one of the same person's. O(records · columns)."""
        owners = owners_of(release.table)
        constant = [j for j, codes in enumerate(release.table.codes) if not _varies(codes, owners)]
        people = owners[release.owners]
        broken = [j for j in constant if _varies(release.cells[j].ids[release.shapes], people)]
        names = [release.table.quasi[j].name for j in constant]
        return ClaimVerdict(
            "columns that never vary within a person do not vary in the release",
            not broken,
            ", ".join(names) or "there is none",
            {"columns": names, "varying": [release.table.quasi[j].name for j in broken]},
        )


def _varies(codes: Codes, owners: Codes) -> bool:
    """Whether anybody has two different codes."""
    some = np.zeros(int(owners.max(initial=-1)) + 1, np.int32)
    some[owners] = codes
    return bool((some[owners] != codes).any())
