"""Pairs: how far the contingency tables of two columns are from those of the original."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.table import Table
from shoal.utility.contract import Utility
from shoal.utility.spread import Spread, bins_of


@dataclass(frozen=True)
class Pairs(Utility):
    """Mean over pairs of columns of the total variation between contingency tables, columns in at most 20 bins.

    O(pairs · (rows + shapes · bins)).
    """

    name: ClassVar[str] = "pairs"
    summary: ClassVar[str] = "mean share of rows misplaced in the contingency table of two columns"

    def measure(self, table: Table, spread: Spread) -> float | None:
        """The mean over pairs; None if there is only one column."""
        found = self.by_pair(table, spread)
        return float(np.mean(list(found.values()))) if found else None

    def by_pair(self, table: Table, spread: Spread) -> dict[tuple[str, str], float]:
        """The total variation of each pair of quasi-identifiers."""
        bins = [bins_of(column.domain) for column in table.quasi]
        after = [spread.shares(j, of_leaf, n) for j, (of_leaf, n) in enumerate(bins)]
        before = [of_leaf[codes] for (of_leaf, _), codes in zip(bins, table.codes, strict=True)]
        found = {}
        for a, b in combinations(range(table.n_quasi), 2):
            shape = bins[a][1], bins[b][1]
            flat = np.bincount(before[a] * shape[1] + before[b], minlength=shape[0] * shape[1])
            ours: Floats = (after[a] * spread.weights[:, None]).T @ after[b] / max(1, spread.n_records)
            away = np.abs(flat.reshape(shape) / max(1, table.n_rows) - ours).sum() / 2
            found[table.quasi[a].name, table.quasi[b].name] = float(away)
        return found
