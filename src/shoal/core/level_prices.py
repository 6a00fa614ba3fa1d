"""The prices that rows pay at each level of each column, used to score lattice nodes by cell metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Floats, Offsets
from shoal.core.node import Node
from shoal.core.table import QuasiColumn, Table
from shoal.kernels.rollup import pay_suppressed


@dataclass(frozen=True, eq=False)
class LevelPrices:
    """Per column ``j``: ``means[j][level]`` is the mean price of a row if none is suppressed.

    ``least[j][level]`` is the least mean price on that level or above, suppressed or not. ``extra`` (flat: column after
    column, level after level, leaf after leaf) is the additional price of a suppressed row.
    """

    n_rows: int
    means: tuple[Floats, ...]
    least: tuple[Floats, ...]
    extra: Floats
    starts: Offsets
    widths: Offsets

    @classmethod
    def of(
        cls,
        table: Table,
        prices: Callable[[QuasiColumn], Floats],
        suppressed: Callable[[QuasiColumn, Floats], Floats],
    ) -> LevelPrices:
        """From ``prices(column)[level, leaf]`` and the prices of suppressed rows. O(rows · columns)."""
        means, least, extra = [], [], []
        for place, column in enumerate(table.quasi):
            kept = prices(column)
            lost = suppressed(column, kept)
            shares = table.value_counts(place) / max(1, table.n_rows)
            means.append(kept @ shares)
            onwards = np.minimum.accumulate(np.minimum(kept, lost)[::-1], axis=0)[::-1]
            least.append(onwards @ shares)
            extra.append((lost - kept).ravel())
        starts = np.concatenate([[0], np.cumsum([e.size for e in extra[:-1]])]).astype(np.int64)
        widths = np.array([column.domain.n_leaves for column in table.quasi], np.int64)
        return cls(table.n_rows, tuple(means), tuple(least), np.concatenate(extra), starts, widths)

    def losses(self, node: Node) -> Floats:
        """The mean price in each column of a node. O(classes + suppressed classes · columns)."""
        losses: Floats = np.array([mean[level] for mean, level in zip(self.means, node.levels, strict=True)])
        if node.n_suppressed:
            starts = self.starts + self.widths * np.array(node.levels, np.int64)
            losses += pay_suppressed(node.sizes, node.kept, node.class_codes, self.extra, starts) / self.n_rows
        return losses

    def extras(self, node: Node) -> Floats:
        """The additional price of a row of each class, over all columns, if it is suppressed. O(classes · columns)."""
        starts = self.starts + self.widths * np.array(node.levels, np.int64)
        return np.asarray(self.extra[starts[:, None] + node.class_codes].sum(axis=0))

    def bounds(self, levels: Sequence[Sequence[int]] | npt.NDArray[np.integer]) -> Floats:
        """``[node, column]``: no node with at least these levels has a lower mean price in the column. O(nodes)."""
        return np.array([least[level] for least, level in zip(self.least, np.asarray(levels).T, strict=True)]).T
