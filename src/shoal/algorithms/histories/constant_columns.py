"""Columns that never vary within a person must not vary in the release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.arrays import Codes
from shoal.core.histories import owners_of
from shoal.core.release import Claim, ClaimVerdict, Release


@dataclass(frozen=True)
class ConstantWithinPeople(Claim):
    """A column with one value within every person has one cell in all records of each person."""

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Compare each record's cell with one of the same person's. O(records · columns)."""
        owners = owners_of(release.table)
        constant = [j for j, codes in enumerate(release.table.codes) if not varies(codes, owners)]
        people = owners[release.owners]
        broken = [j for j in constant if varies(release.cells[j].ids[release.shapes], people)]
        names = [release.table.quasi[j].name for j in constant]
        return ClaimVerdict(
            "columns that never vary within a person do not vary in the release",
            not broken,
            ", ".join(names) or "there is none",
            {"columns": names, "varying": [release.table.quasi[j].name for j in broken]},
        )


def varies(codes: Codes, owners: Codes) -> bool:
    """Whether anybody has two different codes."""
    some = np.zeros(int(owners.max(initial=-1)) + 1, np.int32)
    some[owners] = codes
    return bool((some[owners] != codes).any())
