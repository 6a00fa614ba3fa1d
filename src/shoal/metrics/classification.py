"""Classification: how often a target column cannot be guessed from the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Flags
from shoal.core.contracts import Metric
from shoal.core.groups import Groups
from shoal.core.node import Node, once
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.core.tallies import Tallies
from shoal.errors import InputError, did_you_mean


@dataclass(frozen=True)
class Classification(Metric):
    """Share of rows that are suppressed or do not have the commonest value of ``target`` in their class.

    1 minus the accuracy of the best guess from the published quasi-identifiers, on the table itself. The target is a
    sensitive column, another published column, or a quasi-identifier (its original values); by default the first
    sensitive column. If there is none, only suppression counts.

    Monotone: the commonest value of a union is at most as frequent as those of its parts together, and a suppressed row
    counts as wrong. At a node and above it, it is therefore at least that with all classes kept.

    Cost: O(rows).

    Reference: Iyengar 2002, Transforming Data to Satisfy Privacy Constraints (classification metric).

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import Classification
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(Classification().score(release)), 3)
    0.0
    """

    target: str = ""

    name: ClassVar[str] = "classification"
    summary: ClassVar[str] = "share of rows whose target value is not the commonest of their class"
    scores_nodes: ClassVar[bool] = True
    is_monotone: ClassVar[bool] = True
    needs_rows: ClassVar[bool] = True

    def score(self, release: Release) -> float:
        """Wrong guesses / rows."""
        return self._wrong(release.table, release.classes, np.ones(len(release.classes), bool))

    def node_score(self, node: Node) -> float:
        """Same as ``score``. O(rows)."""
        return self._wrong(node.table, Groups.from_ids(node.row_classes, node.sizes.size), node.kept)

    def node_floor(self, node: Node) -> tuple[float, ...]:
        """The score with all classes kept."""
        groups = Groups.from_ids(node.row_classes, node.sizes.size)
        return (self._wrong(node.table, groups, np.ones(len(groups), bool)),)

    def _wrong(self, table: Table, groups: Groups, kept: Flags) -> float:
        codes = once(table, ("target", self.target), lambda: self._codes(table))
        tallies = Tallies.of(groups, codes, int(codes.max(initial=0)) + 1)
        return 1.0 - float(tallies.largest(tallies.counts)[kept].sum()) / max(1, table.n_rows)

    def _codes(self, table: Table) -> Codes:
        known = {column.name: codes for column, codes in zip(table.quasi, table.codes, strict=True)}
        known |= {column.name: column.codes for column in table.sensitive}
        if not self.target:
            return table.sensitive[0].codes if table.sensitive else np.zeros(table.n_rows, np.int32)
        if self.target in known:
            return np.asarray(known[self.target], np.int32)
        if self.target in table.passengers.columns:
            return table.passengers[self.target].rank("dense").fill_null(0).to_numpy().astype(np.int32)
        hint = did_you_mean(self.target, [*known, *table.passengers.columns])
        raise InputError(f"The target {self.target!r} is not a published column.{hint}")
