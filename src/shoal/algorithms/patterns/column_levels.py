"""The levels at which a column may be published, from the value itself up to a star."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.cells import Cells
from shoal.core.table import QuasiColumn


@dataclass(frozen=True, eq=False)
class Ladder:
    """One column: ``nodes[level, leaf]`` is the cell above a leaf; cells with equal content have equal numbers.

    Level 0 is the value itself, the last level is the star. Without hierarchy levels there are only these two. The star
    has a number of its own even in a column with a single value: what is blanked is printed as a star.
    """

    column: QuasiColumn
    nodes: Codes
    low: Codes
    high: Codes

    @classmethod
    def of(cls, column: QuasiColumn, with_levels: bool) -> Ladder:
        """Keep or star; with levels also every level in between, if the column's cells are nodes of a hierarchy."""
        leaves = np.arange(column.domain.n_leaves, dtype=np.int32)
        low, high = [leaves], [leaves]
        if with_levels and column.recoding.closes_to_nodes:
            nested = column.recoding.nested
            low, high = [*nested.low[:-1]], [*nested.high[:-1]]
        low.append(np.zeros_like(leaves))
        high.append(np.full_like(leaves, leaves.size - 1))
        starred = np.repeat(np.arange(len(low)) == len(low) - 1, leaves.size)
        bounds = np.array([np.concatenate(low), np.concatenate(high), starred], np.int32)
        distinct, numbers = np.unique(bounds, axis=1, return_inverse=True)
        nodes = numbers.reshape(len(low), leaves.size).astype(np.int32)
        return cls(column, nodes, distinct[0], distinct[1])

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    @property
    def top(self) -> int:
        """The level of the star."""
        return int(self.nodes.shape[0]) - 1

    @property
    def everything(self) -> int:
        """The cell that contains every value: the star."""
        return int(self.nodes[-1, 0])

    def cells(self, nodes: Codes) -> Cells:
        """These cells in publishable form. O(nodes + leaves)."""
        used, places = np.unique(nodes, return_inverse=True)
        low, high, recoding = self.low[used], self.high[used], self.column.recoding
        if not self._is_mistakable or self.everything not in used:
            return recoding.close(low, high).take(places.astype(np.int32))
        levels = np.where(used == self.everything, max(1, recoding.nested.n_levels - 1), -1)
        return Cells.of_intervals(low, high, levels.astype(np.int32)).take(places.astype(np.int32))

    @property
    def _is_mistakable(self) -> bool:
        """Whether a cell below the star also contains all values, so that the star needs an explicit label."""
        nested = self.column.recoding.nested
        return bool(nested.high[max(0, nested.n_levels - 2), 0] == self.nodes.shape[1] - 1)
