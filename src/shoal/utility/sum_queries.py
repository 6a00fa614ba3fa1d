"""Sum queries: how wrong are answers to "how much do the people who are … have together?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean
from shoal.utility.contract import Utility
from shoal.utility.queries import SANITY, queries
from shoal.utility.spread import Spread, points_of


@dataclass(frozen=True)
class SumQueries(Utility):
    """Mean relative error of the sums of a column over random boxes of ``dimensions`` columns.

    Summed is the column ``of``: a number that is published as it is, or a quasi-identifier, whose cells then count by
    the mean of their values. Without a name the first such column. Boxes and errors as for counts.
    O(queries · (rows + shapes)).
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
        summed = self._summed(table, spread)
        if summed is None:
            return None
        rights, answers = summed
        least, errors = SANITY * float(np.abs(rights).sum()), []
        for query in queries(table, self.n_queries, self.dimensions, self.selectivity, self.seed):
            right, answer = float(query.rows(table) @ rights), float(query.shapes(spread) @ answers)
            errors.append(abs(answer - right) / max(abs(right), least, 1e-300))
        return float(np.mean(errors))

    def _summed(self, table: Table, spread: Spread) -> tuple[Floats, Floats] | None:
        """What each distinct row and each shape adds."""
        carried = [c for c in spread.seen.passengers.columns if spread.seen.passengers[c].dtype.is_numeric()]
        numeric = [c.name for c in table.quasi if c.domain.kind == "numeric"]
        known = [name for name in carried if name in table.passengers.columns] + numeric
        if self.of and self.of not in known:
            raise InputError(f"There is no column of numbers {self.of!r} to sum.{did_you_mean(self.of, known)}")
        if not known:
            return None
        name = self.of or known[0]
        if name in carried:
            return _per_distinct(table, name), spread.totals(spread.seen.passengers[name])
        column = [c.name for c in table.quasi].index(name)
        points = np.nan_to_num(points_of(table.quasi[column].domain))
        rights = points[table.codes[column, table.distinct.firsts]] * table.distinct.weights
        return rights, spread.moments(column)[0] * spread.weights


def _per_distinct(table: Table, name: str) -> Floats:
    numbers = table.passengers[name].cast(float).fill_null(0.0).fill_nan(0.0).to_numpy()
    return np.bincount(table.distinct.ids, weights=numbers, minlength=table.distinct.firsts.size).astype(np.float64)
