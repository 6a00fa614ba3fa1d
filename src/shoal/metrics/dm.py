"""DM: the discernibility of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Metric
from shoal.core.node import Node
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics.cell_measures import most_classes


@dataclass(frozen=True)
class DM(Metric):
    """Sum over records of the size of their class; a suppressed row costs as much as the table has rows.

    Monotone: (a + b)² ≥ a² + b², and no class is larger than the table. At a node and above it, the sum is therefore at
    least that of the squares of all its classes, suppressed or not; with C classes it is at least rows² / C.

    Cost: O(classes).

    Reference: Bayardo and Agrawal 2005, Data Privacy through Optimal k-Anonymization; Ciriani et al. 2007, k-Anonymity
    (section 4.1.1).

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import DM
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(DM().score(release)), 3)
    8.0
    """

    name: ClassVar[str] = "dm"
    summary: ClassVar[str] = "sum of squared class sizes, suppressed rows at the size of the table"
    scores_nodes: ClassVar[bool] = True
    is_monotone: ClassVar[bool] = True

    def score(self, release: Release) -> float:
        """Sum of squared class sizes plus rows times suppressed rows."""
        return squares(release.classes.sizes) + float(release.n_suppressed) * release.table.n_rows

    def node_score(self, node: Node) -> float:
        """Same as ``score``."""
        return squares(node.sizes[node.kept]) + float(node.n_suppressed) * node.table.n_rows

    def node_floor(self, node: Node) -> tuple[float, ...]:
        """The sum of the squared sizes of all classes."""
        return (squares(node.sizes),)

    def suppression_floor(self, table: Table, n_suppressed: int) -> tuple[float, ...]:
        """A lower bound for nodes that suppress this many rows: each costs the table's size, other rows at least 1."""
        return (float(n_suppressed) * table.n_rows + (table.n_rows - n_suppressed),)

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """Rows² / classes."""
        return (float(table.n_rows) ** 2 / most_classes(table, levels))[:, None]


def squares(sizes: np.typing.NDArray[np.integer]) -> float:
    """The sum of squares in floating point, exact up to 2^53."""
    exact = sizes.astype(np.float64)
    return float(np.dot(exact, exact))
