"""People queries: how wrong are answers to "how many different people are …?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.table import Table
from shoal.utility.contract import Utility
from shoal.utility.queries import SANITY, queries
from shoal.utility.spread import Spread


@dataclass(frozen=True)
class PeopleQueries(Utility):
    """Mean relative error of the numbers of different people with a row in random boxes of ``dimensions`` columns.

    If the release shows which records are one person's (pseudonyms), a person counts by the record that is likeliest to
    be in the box: what never varies within a person is then guessed once and not once for each record. Otherwise nobody
    can tell, and the records in the box are divided by the mean number of rows of a person. Boxes and errors as for
    counts, people in the place of rows. O(queries · (rows + records)).
    """

    n_queries: int = 200
    dimensions: int = 2
    selectivity: float = 0.1
    seed: int = 1

    name: ClassVar[str] = "people-queries"
    summary: ClassVar[str] = "mean relative error of the number of different people in random boxes of two columns"
    needs_people: ClassVar[bool] = True

    def measure(self, table: Table, spread: Spread) -> float | None:
        """The mean over all queries; None without a person key."""
        if table.people is None:
            return None
        least, errors = SANITY * table.n_people, []
        for query in queries(table, self.n_queries, self.dimensions, self.selectivity, self.seed):
            inside = query.rows(table).astype(bool)[table.distinct.ids]
            right = int(np.count_nonzero(np.bincount(table.people[inside])))
            errors.append(abs(_answer(table, spread, query.shapes(spread)) - right) / max(right, least))
        return float(np.mean(errors))


def _answer(table: Table, spread: Spread, shares: Floats) -> float:
    """The answer of an analyst who knows the share of each shape's records in the box."""
    if spread.people is None:
        return float(shares @ spread.weights) * table.n_people / max(1, table.n_rows)
    likeliest = np.zeros(int(spread.people.max(initial=-1)) + 1)
    np.maximum.at(likeliest, spread.people, shares[spread.ids])
    return float(likeliest.sum())
