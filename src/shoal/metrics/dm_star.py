"""DM*: the discernibility of rows, published or suppressed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Metric
from shoal.core.node import Node
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics.cell_measures import most_classes
from shoal.metrics.dm import squares


@dataclass(frozen=True)
class DMStar(Metric):
    """Sum over all rows of the size of their class, including suppressed rows.

    In a full-domain release, suppressed rows are in the class in which their values would have been published; in any
    other release they form one class, because nothing but the star is known of them.

    Monotone: (a + b)² ≥ a² + b². Along the lattice it does not depend on what is suppressed.

    Cost: O(classes).

    Reference: El Emam et al. 2009, A Globally Optimal k-Anonymity Method for the De-Identification of Health Data.

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import DMStar
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(DMStar().score(release)), 3)
    8.0
    """

    name: ClassVar[str] = "dm_star"
    summary: ClassVar[str] = "sum of squared class sizes, suppressed rows in classes of their own"
    scores_nodes: ClassVar[bool] = True
    is_monotone: ClassVar[bool] = True

    def score(self, release: Release) -> float:
        """Sum of squared class sizes."""
        node = Node.of_release(release) if release.n_suppressed else None
        if node is not None:
            return self.node_score(node)
        return squares(release.classes.sizes) + float(release.n_suppressed) ** 2

    def node_score(self, node: Node) -> float:
        """Sum over all classes."""
        return squares(node.sizes)

    def node_floor(self, node: Node) -> tuple[float, ...]:
        """The score itself."""
        return (squares(node.sizes),)

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """Rows² / classes."""
        return (float(table.n_rows) ** 2 / most_classes(table, levels))[:, None]
