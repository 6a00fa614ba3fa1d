"""AECS: the average size of a class."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Metric
from shoal.core.node import Node
from shoal.core.parameters import checked, real_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics.cell_measures import most_classes
from shoal.metrics.suppression_weight import factors


@dataclass(frozen=True)
class AECS(Metric):
    """Rows per class, with all suppressed rows as one class; C_avg of the literature is this over k.

    ``split`` counts published classes s-fold and the class of the suppressed rows g-fold, like ARX.

    Monotone: merging or suppressing classes leaves no more of them. A node with C classes, and every node above it, has
    at most C published ones, or C − 1 and the suppressed rows.

    Cost: O(classes).

    Reference: LeFevre, DeWitt and Ramakrishnan 2006, Mondrian Multidimensional k-Anonymity (C_avg).

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import AECS
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(AECS().score(release)), 3)
    2.0
    """

    split: float = field(default=0.5, metadata=checked(real_number, "split", least=0, most=1))

    name: ClassVar[str] = "aecs"
    summary: ClassVar[str] = "average size of a class"
    scores_nodes: ClassVar[bool] = True
    is_monotone: ClassVar[bool] = True

    def score(self, release: Release) -> float:
        """Rows / classes."""
        return self._average(release.table.n_rows, len(release.classes), release.n_suppressed)

    def node_score(self, node: Node) -> float:
        """Same as ``score``."""
        return self._average(node.table.n_rows, int(node.kept.sum()), node.n_suppressed)

    def node_floor(self, node: Node) -> tuple[float, ...]:
        """Rows / all classes."""
        return (float(self._least(node.table.n_rows, np.array([float(node.sizes.size)]))[0]),)

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """Rows / the largest possible number of classes."""
        return self._least(table.n_rows, most_classes(table, levels))[:, None]

    def _average(self, n_rows: int, n_classes: int, n_suppressed: int) -> float:
        g, s = factors(self.split)
        counted = s * n_classes + (g if n_suppressed else 0.0)
        return n_rows / counted if counted else (math.inf if n_rows else 0.0)

    def _least(self, n_rows: int, n_classes: Floats) -> Floats:
        g, s = factors(self.split)
        return n_rows / np.maximum(s * n_classes, s * (n_classes - 1) + g)
