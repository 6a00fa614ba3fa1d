"""The result of a greedy cover."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Floats, Offsets
from shoal.core.groups import Groups


@dataclass(frozen=True, eq=False)
class Cover:
    """The group of each row, the pick that covered it, and what each pick cost."""

    homes: Offsets
    turns: Offsets
    prices: Floats

    @property
    def groups(self) -> Groups:
        """The groups, omitting numbers that no row has any more."""
        _, ids = np.unique(self.homes, return_inverse=True)
        return Groups.from_ids(ids.astype(np.int32), int(ids.max(initial=-1)) + 1)


def nothing(n_rows: int) -> tuple[Offsets, Offsets, Offsets]:
    """Homes and turns of rows that are not covered yet, and the sizes of empty groups."""
    return np.full(n_rows, -1, np.int64), np.full(n_rows, -1, np.int64), np.zeros(n_rows + 1, np.int64)
