"""Ambiguity: how many combinations of values each record may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Metric
from shoal.core.node import Node, once
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics.volumes import level_volumes, mean_volumes, node_volumes, record_volumes, whole_volume


@dataclass(frozen=True)
class Ambiguity(Metric):
    """Mean over rows of the product over columns of the leaves in the cell; a suppressed row may be anything.

    1: every cell exact. Values that the hierarchy knows count as leaves, whether or not a row has them.

    Monotone: a coarser cell has more leaves, and none more than all. So at a node and above it the mean is at least
    that with all classes kept; and from the levels alone at least 2 to the mean of log2 of the product (Jensen),
    which is a sum over columns.

    Reference: Nergiz and Clifton 2007 (ambiguity metric).
    """

    name: ClassVar[str] = "ambiguity"
    summary: ClassVar[str] = "mean number of combinations of values that a record may stand for"
    scores_nodes: ClassVar[bool] = True
    is_monotone: ClassVar[bool] = True

    def score(self, release: Release) -> float:
        """Mean over rows."""
        return _mean(record_volumes(release), np.ones(release.n_records), release.table, release.n_suppressed)

    def node_score(self, node: Node) -> float:
        """As ``score``. O(classes · columns)."""
        return _mean(node_volumes(node)[node.kept], node.sizes[node.kept], node.table, node.n_suppressed)

    def node_floor(self, node: Node) -> tuple[float, ...]:
        """The mean with all classes kept."""
        return (_mean(node_volumes(node), node.sizes, node.table, 0),)

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """2 to the mean logarithm."""
        means = once(table, "mean volumes", lambda: mean_volumes(table, level_volumes))
        total = sum((mean[level] for mean, level in zip(means, levels.T, strict=True)), np.zeros(levels.shape[0]))
        return _powers(np.asarray(total))[:, None] * (1 - 1e-12)


def _mean(volumes: Floats, sizes: np.typing.NDArray[np.number], table: Table, n_suppressed: int) -> float:
    paid = float(np.dot(_powers(volumes), sizes)) + n_suppressed * float(_powers(np.array(whole_volume(table))))
    return paid / max(1, table.n_rows)


def _powers(volumes: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.exp2(volumes)
