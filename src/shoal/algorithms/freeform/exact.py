"""The regular graph of least loss, by mixed integer programming; for small tables."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shoal.core.arrays import Codes, Flags, Floats, Whole
from shoal.errors import InputError
from shoal.kernels.planes import AT, CLIMB, KIND, PRICES, SPAN, TOP
from shoal.kernels.tariff import Tariff, price_cells

_GAP = 1e-7
"""The relative gap below which the solver accepts a graph as optimal; its own default is a thousand times larger."""


@dataclass(frozen=True)
class Optimum:
    """The solver's result: the records that each row matches, their loss, and a lower ``bound`` on any loss."""

    edges: Codes
    cost: float
    bound: float

    @property
    def gap(self) -> float:
        """By what share the loss may exceed the least possible one: 0 if it is proven optimal."""
        return max(0.0, self.cost - self.bound) / self.cost if self.cost > 0 else 0.0


class _Program:
    """Columns and rows of a linear program, as they are added."""

    def __init__(self) -> None:
        self.prices: list[float] = []
        self.upper: list[float] = []
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.entries: list[float] = []
        self.least: list[float] = []

    def variable(self, price: float, upper: float = np.inf) -> int:
        self.prices.append(price)
        self.upper.append(upper)
        return len(self.prices) - 1

    def at_least(self, least: float, *terms: tuple[int, float]) -> None:
        """Require that the sum of the terms is at least ``least``."""
        for column, entry in terms:
            self.rows.append(len(self.least))
            self.columns.append(column)
            self.entries.append(entry)
        self.least.append(least)


def solve(codes: Codes, k: int, tariff: Tariff, seconds: float, known: Codes) -> Optimum:
    """The ``k`` records of each row, its own first, such that the cells of all records cost least.

    ``known`` is a graph to fall back on if the solver finds no better one within its time. Variables are the edges
    (integers) and, for each record and column, its bounds or the values and levels it has to reach: section 4 of Doka
    et al. with hierarchies and missing values added. Exponential at worst: tables of a few dozen rows.

    Raises:
        InputError: the metric does not price sets by their number of values, each at the same price.
    """
    n, fallback = codes.shape[1], cost_of(codes, known, tariff)
    if n == k:  # there is no other graph
        return Optimum(known, fallback, fallback)
    program = _Program()
    edge = np.full((n, n), -1, np.int64)
    for row, record in np.argwhere(~np.eye(n, dtype=bool)):
        edge[row, record] = program.variable(0.0, 1.0)
    for c in range(codes.shape[0]):
        _add_column(program, edge, codes[c], c, tariff)
    found, bound = _run(program, edge, n, k, seconds)
    if found is None or cost_of(codes, found, tariff) >= fallback:
        return Optimum(known, fallback, min(bound, fallback))
    return Optimum(found, cost_of(codes, found, tariff), min(bound, cost_of(codes, found, tariff)))


def cost_of(codes: Codes, edges: Codes, tariff: Tariff) -> float:
    """The sum of the records' losses."""
    total, columns = 0, np.arange(codes.shape[0])
    for record in range(codes.shape[1]):
        held = codes[:, (edges == record).any(axis=1)]
        counts = np.array([np.unique(column).size for column in held])
        total += int(price_cells(tariff, columns, held.min(axis=1), held.max(axis=1), counts).sum())
    return total / tariff.unit


def cost_of_complete(codes: Codes, tariff: Tariff) -> float:
    """The sum of the records' losses if every row matches every record."""
    n = codes.shape[1]
    return cost_of(codes, np.tile(np.arange(n, dtype=np.int32), (n, 1)), tariff)


def _add_column(program: _Program, edge: Whole, codes: Codes, c: int, tariff: Tariff) -> None:
    """Add what the records cost in one column, given the rows that match them."""
    if tariff.planes[KIND, c] == SPAN:
        prices = _prices(tariff, c)
        points = np.where(codes == tariff.planes[TOP, c], np.nan, prices[codes])
        _add_range(program, edge, points, float(prices[codes.max()]))
    elif tariff.planes[KIND, c] <= CLIMB:
        _add_levels(program, edge, _prices_of_pairs(codes, c, tariff))
    else:
        _add_sets(program, edge, codes, _price_of_a_value(tariff, c))


def _prices(tariff: Tariff, c: int) -> Floats:
    """The losses that the cells of a column add."""
    start, stop = tariff.planes[AT, c : c + 2]
    losses: Floats = tariff.entries[PRICES, start:stop] / tariff.unit
    return losses


def _price_of_a_value(tariff: Tariff, c: int) -> float:
    """What one more value in a set costs."""
    prices = np.diff(_prices(tariff, c)[1:-1])
    if prices.size and np.ptp(prices) > 1e-9:
        raise InputError(
            "The exact method of 'freeform' needs a metric under which each value of a set costs the same."
        )
    return float(prices[0]) if prices.size else 0.0


def _add_levels(program: _Program, edge: Whole, pairs: Floats) -> None:
    """Charge for the highest node that a match requires, step by step."""
    for record in range(pairs.shape[0]):
        steps = np.unique(pairs[:, record])
        for low, high in pairwise(steps):
            _reach(program, edge, record, pairs[:, record] >= high, float(high - low))


def _add_sets(program: _Program, edge: Whole, codes: Codes, price: float) -> None:
    """Charge for every value that a match adds (constraints 8 and 9)."""
    for record, own in enumerate(codes):
        for value in np.unique(codes[codes != own]):
            _reach(program, edge, record, codes == value, price)


def _prices_of_pairs(codes: Codes, c: int, tariff: Tariff) -> Floats:
    """What the smallest cell around the values of two rows costs."""
    low, high = np.minimum.outer(codes, codes), np.maximum.outer(codes, codes)
    columns, counts = np.full(low.size, c), 1 + (low != high).ravel()
    prices: Floats = price_cells(tariff, columns, low.ravel(), high.ravel(), counts).reshape(low.shape) / tariff.unit
    return prices


def _reach(program: _Program, edge: Whole, record: int, rows: Flags, price: float) -> None:
    """Charge the price once if any of these rows matches the record."""
    reached = program.variable(price, 1.0)
    for row in np.flatnonzero(rows):
        if edge[row, record] >= 0:
            program.at_least(0.0, (reached, 1.0), (int(edge[row, record]), -1.0))


def _add_range(program: _Program, edge: Whole, points: Floats, everything: float) -> None:
    """Charge for how far a record extends up and down from its own point (constraints 4 to 7).

    Points that are NaN are missing values: together with any other point they cost the full price.
    """
    for record, own in enumerate(points):
        cost, up, down = (program.variable(price) for price in (1.0, 0.0, 0.0))
        program.at_least(0.0, (cost, 1.0), (up, -1.0), (down, -1.0))
        for row, point in enumerate(points):
            matched = int(edge[row, record])
            if matched >= 0 and np.isnan(point) != np.isnan(own):
                program.at_least(0.0, (cost, 1.0), (matched, -everything))
            elif matched >= 0 and point != own and not np.isnan(point):
                program.at_least(0.0, (up if point > own else down, 1.0), (matched, -abs(float(point - own))))


def _run(program: _Program, edge: Whole, n: int, k: int, seconds: float) -> tuple[Codes | None, float]:
    """The best graph found and the lower bound on the cost of any."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # type: ignore[import-untyped]
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    n_variables = len(program.prices)
    shape = (len(program.least), n_variables)
    limits = [LinearConstraint(csr_array((program.entries, (program.rows, program.columns)), shape=shape), lb=0.0)]
    for lines in (edge, edge.T):
        places = np.repeat(np.arange(n), n - 1)
        terms = (np.ones(n * (n - 1)), (places, lines[lines >= 0]))
        limits.append(LinearConstraint(csr_array(terms, shape=(n, n_variables)), lb=k - 1, ub=k - 1))
    found = milp(
        np.array(program.prices),
        integrality=np.arange(n_variables) < n * (n - 1),
        bounds=Bounds(0.0, np.array(program.upper)),
        constraints=limits,
        options={"time_limit": seconds, "mip_rel_gap": _GAP},
    )
    bound = -np.inf if found.mip_dual_bound is None else float(found.mip_dual_bound)
    if found.x is None:
        return None, max(0.0, bound)
    chosen = np.eye(n, dtype=bool)
    chosen[edge >= 0] = found.x[edge[edge >= 0]] > 0.5
    others = [np.flatnonzero(chosen[row] & (np.arange(n) != row)) for row in range(n)]
    return np.column_stack([np.arange(n), np.array(others).reshape(n, k - 1)]).astype(np.int32), max(0.0, bound)
