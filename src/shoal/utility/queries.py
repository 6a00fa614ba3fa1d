"""Random questions about a table: how many rows lie in a box of a few columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Flags, Floats
from shoal.core.randomness import Randomness
from shoal.core.table import QuasiColumn, Table
from shoal.utility.spread import Spread

SANITY = 0.001
"""Errors are relative to the right answer, or to this share of the whole where that is larger."""


@dataclass(frozen=True, eq=False)
class Query:
    """Rows whose value in each of ``columns`` is among ``wanted``, ``[leaf]`` flags for each of them."""

    columns: tuple[int, ...]
    wanted: tuple[Flags, ...]

    def rows(self, table: Table) -> Floats:
        """1 for every distinct row that is meant, else 0."""
        codes, inside = table.codes[:, table.distinct.firsts], np.ones(table.distinct.firsts.size, bool)
        for column, wanted in zip(self.columns, self.wanted, strict=True):
            inside &= wanted[codes[column]]
        return inside.astype(np.float64)

    def shapes(self, spread: Spread, summed: int | None = None, points: Floats | None = None) -> Floats:
        """Of each shape the share of its records that is meant, if cells are spread evenly.

        With a column to be summed and the place of each of its leaves: what such a record adds on average.
        """
        asked = dict(zip(self.columns, self.wanted, strict=True))
        share = np.ones(spread.weights.size)
        if summed is not None and points is not None:
            share *= spread.mean(summed, points * asked.pop(summed, np.ones(points.size, bool)))
        for column, wanted in asked.items():
            share *= spread.mean(column, wanted.astype(np.float64))
        return share


def queries(table: Table, n_queries: int, dimensions: int, selectivity: float, seed: int) -> Iterator[Query]:
    """So many questions about so many columns each, together meant to hold about ``selectivity`` of the domain.

    Of an ordered column a run of its values, of another one any of them; the same questions for the same seed.
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
