"""Ambiguity: the number of combinations of values that each record may represent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Metric
from shoal.core.node import Node, once
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics.cell_measures import level_widths, node_widths, shape_widths, whole_widths


@dataclass(frozen=True)
class Ambiguity(Metric):
    """Mean over rows of the product over columns of the leaves in the cell; a suppressed row may have any value.

    1: every cell is exact. All values of the hierarchy count as leaves, whether or not a row has them.

    Monotone: a coarser cell has more leaves, and none more than all. At a node and above it, the mean is therefore at
    least that with all classes kept; from the levels alone it is at least 2 to the mean of log2 of the product
    (Jensen), which is a sum over columns.

    Cost: O(rows · columns).

    Reference: Nergiz and Clifton 2007, Thoughts on k-Anonymization (ambiguity metric).

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import Ambiguity
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(Ambiguity().score(release)), 3)
    2.0
    """

    name: ClassVar[str] = "ambiguity"
    summary: ClassVar[str] = "mean number of combinations of values that a record may stand for"
    scores_nodes: ClassVar[bool] = True
    is_monotone: ClassVar[bool] = True

    def score(self, release: Release) -> float:
        """Mean over rows."""
        widths = shape_widths(release)
        uses = np.bincount(release.shapes, minlength=widths.shape[1])
        return _mean(widths, uses, release.table, release.n_suppressed)

    def node_score(self, node: Node) -> float:
        """Same as ``score``. O(classes · columns)."""
        return _mean(node_widths(node)[:, node.kept], node.sizes[node.kept], node.table, node.n_suppressed)

    def node_floor(self, node: Node) -> tuple[float, ...]:
        """The mean with all classes kept."""
        return (_mean(node_widths(node), node.sizes, node.table, 0),)

    def suppression_floor(self, table: Table, n_suppressed: int) -> tuple[float, ...]:
        """A lower bound for nodes that suppress this many rows: each may be anything, other rows count at least 1."""
        return (_mean(np.ones((1, 1)), np.array([table.n_rows - n_suppressed]), table, n_suppressed) * (1 - 1e-12),)

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """2 to the power of the mean logarithm."""
        means = once(table, "mean logarithms of leaves", lambda: _mean_logarithms(table))
        total = sum((mean[level] for mean, level in zip(means, levels.T, strict=True)), np.zeros(levels.shape[0]))
        with np.errstate(over="ignore"):
            return np.asarray(np.exp2(total))[:, None] * (1 - 1e-12)


def _mean(widths: Floats, sizes: npt.NDArray[np.number], table: Table, n_suppressed: int) -> float:
    with np.errstate(over="ignore"):
        paid = float(np.dot(widths.prod(axis=0), sizes)) + n_suppressed * float(whole_widths(table).prod())
    return paid / max(1, table.n_rows)


def _mean_logarithms(table: Table) -> tuple[Floats, ...]:
    """Per column and level, the mean over rows of log2 of the leaves in the cell."""
    columns = zip(table.quasi, table.codes, strict=True)
    counts = ((c, np.bincount(codes, minlength=c.domain.n_leaves)) for c, codes in columns)
    return tuple(np.log2(level_widths(column)) @ rows / table.n_rows for column, rows in counts)
