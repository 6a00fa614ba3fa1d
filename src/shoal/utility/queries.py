"""Random queries on a table: how many rows lie in a box over a few columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Flags, Floats
from shoal.core.randomness import Randomness
from shoal.core.table import QuasiColumn, Table
from shoal.utility.spread import Spread

SANITY = 0.001
"""Errors are relative to the right answer, or to this share of the total if that is larger."""


@dataclass(frozen=True, eq=False)
class Query:
    """Selects rows whose value in each of ``columns`` is among ``wanted``, as ``[leaf]`` flags for each column."""

    columns: tuple[int, ...]
    wanted: tuple[Flags, ...]

    def rows(self, table: Table) -> Floats:
        """1 for every distinct row that is selected, else 0."""
        codes, inside = table.codes[:, table.distinct.firsts], np.ones(table.distinct.firsts.size, bool)
        for column, wanted in zip(self.columns, self.wanted, strict=True):
            inside &= wanted[codes[column]]
        return inside.astype(np.float64)

    def shapes(self, spread: Spread, summed: int | None = None, points: Floats | None = None) -> Floats:
        """The share of each shape's records that is selected, if cells are spread evenly.

        With a column to sum and the position of each of its leaves: the average contribution of such a record.
        """
        asked = dict(zip(self.columns, self.wanted, strict=True))
        share = np.ones(spread.weights.size)
        if summed is not None and points is not None:
            share *= spread.mean(summed, points * asked.pop(summed, np.ones(points.size, bool)))
        for column, wanted in asked.items():
            share *= spread.mean(column, wanted.astype(np.float64))
        return share


def queries(table: Table, n_queries: int, dimensions: int, selectivity: float, seed: int) -> Iterator[Query]:
    """Yield random queries on ``dimensions`` columns each, which select about ``selectivity`` of the domain.

    For an ordered column a run of its values, otherwise any of them; the same seed gives the same queries.
    """
    randomness = Randomness(seed).child("queries")
    dimensions = min(dimensions, table.n_quasi)
    share = selectivity ** (1 / dimensions)
    for number in range(n_queries):
        draw = randomness.child(str(number))
        columns = tuple(draw.permutation(table.n_quasi)[:dimensions].tolist())
        yield Query(columns, tuple(_wanted(table.quasi[c], share, draw.child(str(c))) for c in columns))


def _wanted(column: QuasiColumn, share: float, randomness: Randomness) -> Flags:
    values = np.flatnonzero(column.domain.occurs)
    n_wanted = max(1, round(share * values.size))
    if column.domain.is_ordered:
        start = int(randomness.integers(values.size - n_wanted + 1, 1)[0])
        chosen = values[np.argsort(column.domain.places[values], kind="stable")][start : start + n_wanted]
    else:
        chosen = values[randomness.permutation(values.size)[:n_wanted]]
    wanted = np.zeros(column.domain.n_leaves, bool)
    wanted[chosen] = True
    return wanted
