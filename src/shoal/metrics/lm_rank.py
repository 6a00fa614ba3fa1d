"""LM with the columns compared in order of their losses, worst first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Floats
from shoal.core.node import Node
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics.lm import LM

_DIGITS = 10
_HALF_A_DIGIT = 0.6 * 10**-_DIGITS


@dataclass(frozen=True)
class LMRank(LM):
    """The losses of LM, each times its column's weight, in descending order; compared lexicographically.

    Of two releases, the one whose worst column is better wins; on a tie the second worst decides, and so on. ``key`` is
    that list; no single number has this order, so ``score`` is only its first entry, the loss of the worst column.
    Entries are rounded to ten digits so that ties are ties.

    Monotone like LM: if no column's loss falls, no entry of the sorted list falls, so a sorted list of lower bounds
    bounds the key.

    Cost: O(rows · columns).

    Reference: the rank aggregate of ARX; Prasser, Kohlmayer, Lautenschläger and Kuhn 2014, ARX: A Comprehensive Tool
    for Anonymizing Biomedical Data.

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import LMRank
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(LMRank().score(release)), 3)
    0.333
    """

    name: ClassVar[str] = "lm_rank"
    summary: ClassVar[str] = "LM of the column that loses most; searches compare the next ones on ties"

    def combine(self, losses: Floats, table: Table) -> Floats:
        """The largest weighted loss."""
        return np.asarray((losses * table.weights).max(axis=-1))

    def ranked(self, losses: Floats, table: Table) -> Floats:
        """The weighted losses in descending order, rounded."""
        return -np.sort(-np.round(losses * table.weights, _DIGITS), axis=-1)

    def key(self, release: Release) -> tuple[float, ...]:
        """The key by which releases are compared."""
        return tuple(self.ranked(self.by_column(release), release.table).tolist())

    def node_key(self, node: Node) -> tuple[float, ...]:
        """The key by which nodes are compared."""
        return tuple(self.ranked(self.prices_on(node.table).losses(node), node.table).tolist())

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """The least that each column can lose, in descending order, rounded down."""
        return self.ranked(np.maximum(self.prices_on(table).bounds(levels) - _HALF_A_DIGIT, 0.0), table)
