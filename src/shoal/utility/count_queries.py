"""Count queries: how wrong are answers to "how many rows are …?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.table import Table
from shoal.utility.contract import Utility
from shoal.utility.queries import SANITY, queries
from shoal.utility.spread import Spread


@dataclass(frozen=True)
class CountQueries(Utility):
    """Mean relative error of the numbers of rows in random boxes of ``dimensions`` columns.

    Each box holds about ``selectivity`` of the domain's cells. The error is relative to the right number, or to a
    thousandth of the rows if that is larger, so that tiny boxes do not dominate. O(queries · (rows + shapes)).

    Reference: LeFevre, DeWitt and Ramakrishnan 2006, Mondrian Multidimensional k-Anonymity (the workload of Mondrian);
    Xiao and Tao 2006, Anatomy: Simple and Effective Privacy Preservation.
    """

    n_queries: int = 200
    dimensions: int = 2
    selectivity: float = 0.1
    seed: int = 1

    name: ClassVar[str] = "count-queries"
    summary: ClassVar[str] = "mean relative error of counts in random boxes of two columns"

    def measure(self, table: Table, spread: Spread) -> float | None:
        """The mean over all queries."""
        least, errors = SANITY * table.n_rows, []
        for query in queries(table, self.n_queries, self.dimensions, self.selectivity, self.seed):
            right = float(query.rows(table) @ table.distinct.weights)
            answer = float(query.shapes(spread) @ spread.weights)
            errors.append(abs(answer - right) / max(right, least))
        return float(np.mean(errors))
