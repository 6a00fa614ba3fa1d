"""Height: the level of generalization of a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Floats
from shoal.core.cells import Cells
from shoal.core.contracts import PriceMetric
from shoal.core.node import Node, levels_of
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.metrics.cell_measures import cell_levels, column_height


@dataclass(frozen=True)
class Height(PriceMetric):
    """Sum over columns of the level, times the column's weight.

    In a full-domain release each column has one level, and suppressed rows do not change it. In any other release it is
    the mean level of the rows' cells, with suppressed rows at the root. Ranges and sets have no levels; the share of
    the other values that they cover is used instead.

    Monotone: a coarser cell is on no lower level. Along the lattice it does not depend on what is suppressed.

    Cost: O(rows · columns).

    Reference: Samarati 2001, Protecting Respondents' Identities in Microdata Release; Ciriani et al. 2007, k-Anonymity
    (section 3).

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import Height
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(Height().score(release)), 3)
    1.0
    """

    name: ClassVar[str] = "height"
    summary: ClassVar[str] = "sum over columns of the level of generalization"
    is_monotone: ClassVar[bool] = True

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """The level."""
        return cell_levels(column, cells)

    def suppressed_prices(self, column: QuasiColumn, prices: Floats) -> Floats:
        """The root's level."""
        return np.full_like(prices, column_height(column))

    def combine(self, losses: Floats, table: Table) -> Floats:
        """The weighted sum."""
        return np.asarray(losses @ table.weights)

    def score(self, release: Release) -> float:
        """The sum of the levels, or of the mean levels if a column has several."""
        levels = levels_of(release)
        losses = self.by_column(release) if levels is None else np.array(levels, float)
        return float(self.combine(losses, release.table))

    def node_score(self, node: Node) -> float:
        """The sum of the levels."""
        return float(self.combine(np.array(node.levels, float), node.table))

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """The height itself: above a node no level is lower."""
        return self.combine(levels.astype(float), table)[:, None]
