"""Sum queries: how wrong are answers to "how much do the rows that are … have together?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean
from shoal.utility.contract import Utility
from shoal.utility.queries import SANITY, queries
from shoal.utility.spread import Spread, points_of


@dataclass(frozen=True)
class SumQueries(Utility):
    """Mean relative error of the sums of a column over random boxes of ``dimensions`` columns.

    The column ``of`` is summed: a numeric column published unchanged, or a quasi-identifier, whose cells then count by
    the mean of their values. By default it is the first such column. Boxes and errors are as for counts. O(queries ·
    (rows + shapes)).
    """

    of: str = ""
    n_queries: int = 200
    dimensions: int = 2
    selectivity: float = 0.1
    seed: int = 1

    name: ClassVar[str] = "sum-queries"
    summary: ClassVar[str] = "mean relative error of sums over random boxes of two columns"

    def measure(self, table: Table, spread: Spread) -> float | None:
        """The mean over all queries."""
        name = self._column(table, spread)
        if name is None:
            return None
        column = next((j for j, quasi in enumerate(table.quasi) if quasi.name == name), None)
        points = None if column is None else np.nan_to_num(points_of(table.quasi[column].domain))
        distinct = table.distinct
        if column is None or points is None:
            numbers = table.passengers[name].cast(float).fill_null(0.0).fill_nan(0.0).to_numpy()
            rights = np.bincount(distinct.ids, numbers, distinct.firsts.size)
            carried = spread.totals(spread.seen.passengers[name])
        else:
            rights = points[table.codes[column, distinct.firsts]] * distinct.weights
            carried = spread.weights.astype(np.float64)
        least, errors = SANITY * float(np.abs(rights).sum()), []
        for query in queries(table, self.n_queries, self.dimensions, self.selectivity, self.seed):
            right, answer = float(query.rows(table) @ rights), float(query.shapes(spread, column, points) @ carried)
            errors.append(abs(answer - right) / max(abs(right), least, 1e-300))
        return float(np.mean(errors))

    def _column(self, table: Table, spread: Spread) -> str | None:
        """The column to sum; None if there is no numeric column."""
        carried = [c for c in spread.seen.passengers.columns if spread.seen.passengers[c].dtype.is_numeric()]
        numeric = [c.name for c in table.quasi if c.domain.kind == "numeric"]
        known = [name for name in carried if name in table.passengers.columns] + numeric
        if self.of and self.of not in known:
            raise InputError(f"There is no column of numbers {self.of!r} to sum.{did_you_mean(self.of, known)}")
        return self.of or next(iter(known), None)
