"""Suppression: the share of rows that are not published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contracts import Metric
from shoal.core.node import Node
from shoal.core.release import Release


@dataclass(frozen=True)
class Suppression(Metric):
    """Suppressed rows / rows.

    Monotone: it depends only on the number of published rows, not on their cells.

    Cost: O(1).

    Reference: Samarati 2001, Protecting Respondents' Identities in Microdata Release (the threshold of suppressed
    rows).

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import Suppression
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(Suppression().score(release)), 3)
    0.0
    """

    name: ClassVar[str] = "suppression"
    summary: ClassVar[str] = "share of rows that are not published"
    scores_nodes: ClassVar[bool] = True
    is_monotone: ClassVar[bool] = True

    def score(self, release: Release) -> float:
        """Suppressed rows / rows."""
        return release.n_suppressed / max(1, release.table.n_rows)

    def node_score(self, node: Node) -> float:
        """Suppressed rows / rows; the only bound is 0, because nodes above may suppress nothing."""
        return node.n_suppressed / max(1, node.table.n_rows)
