"""The linear program over groups the slow way: all boxes, all groups, and the program itself by a general solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

Price = Callable[[Sequence[int]], float]
"""What the cells around some rows cost."""

Box = tuple[list[int], float]
"""The rows of a box, and what it costs."""

Group = tuple[int, ...]
"""Rows; a row that is there several times is named as often."""


class Cut(NamedTuple):
    """A set of rows; a group pays the toll once for every ``divisor`` of its rows in the set."""

    rows: set[int]
    divisor: int
    toll: float


def best_bound(n_rows: int, price: Price, k: int) -> float:
    """The largest sum of prices such that no k rows are priced above k times the cost of the cells around them."""
    groups = list(combinations(range(n_rows), k))
    inside = np.zeros((len(groups), n_rows))
    for at, rows in enumerate(groups):
        inside[at, rows] = 1
    found = linprog(-np.ones(n_rows), inside, [k * price(rows) for rows in groups], bounds=(0, 1), method="highs")
    return float(-found.fun)


def best_dual(
    groups: Sequence[Group], costs: Sequence[float], weights: Sequence[int], cuts: Sequence[Cut], most: Sequence[int]
) -> float:
    """The largest sum of prices within −1 and 1, less tolls as often as they can be paid, if no group is too dear."""
    paid = np.array([[group.count(row) for row in range(len(weights))] for group in groups])
    tolls = np.array([[-times(group, cut) for cut in cuts] for group in groups]).reshape(len(groups), len(cuts))
    bounds = [(-1.0, 1.0)] * len(weights) + [(0.0, None)] * len(cuts)
    aim = np.concatenate([-np.array(weights), most])
    return float(-linprog(aim, np.hstack([paid, tolls]), costs, bounds=bounds, method="highs").fun)


def boxes(nodes: Sequence[Sequence[Sequence[int]]], costs: Sequence[Sequence[Sequence[float]]]) -> Iterator[Box]:
    """Every box that holds a row.

    ``nodes[column][level][row]`` is the node of a row and ``costs[column][level][node]`` what it costs.
    """
    for levels in product(*(range(len(column)) for column in nodes)):
        inside: dict[tuple[int, ...], list[int]] = {}
        for row in range(len(nodes[0][0])):
            inside.setdefault(tuple(nodes[j][level][row] for j, level in enumerate(levels)), []).append(row)
        for box, rows in inside.items():
            cost = 0.0
            for j, level in enumerate(levels):
                cost += costs[j][level][box[j]]
            yield rows, cost


def dearest(rows: Iterable[int], weights: Sequence[int], prices: Sequence[float], k: int) -> float:
    """The sum of the k highest prices of these rows; −∞ if they are fewer."""
    copies = sorted((prices[row] for row in rows for _ in range(weights[row])), reverse=True)
    return sum(copies[:k]) if len(copies) >= k else -np.inf


def groups_in(rows: Iterable[int], weights: Sequence[int], k: int) -> set[Group]:
    """All groups of k to 2k − 1 of these rows."""
    copies = sorted(row for row in rows for _ in range(min(weights[row], 2 * k - 1)))
    return {group for size in range(k, 2 * k) for group in combinations(copies, size)}


def times(group: Group, cut: Cut) -> int:
    """How often a group pays a toll."""
    return sum(row in cut.rows for row in group) // cut.divisor


def excess(group: Group, cost: float, prices: Sequence[float], cuts: Sequence[Cut] = ()) -> float:
    """By how much a group is priced above its cost and its tolls."""
    return sum(prices[row] - cost for row in group) - sum(times(group, cut) * cut.toll for cut in cuts)


def worst_excess(box: Box, weights: Sequence[int], prices: Sequence[float], k: int, cuts: Sequence[Cut] = ()) -> float:
    """The largest excess of a group in a box; −∞ if there is no group."""
    rows, cost = box
    return max((excess(group, cost, prices, cuts) for group in groups_in(rows, weights, k)), default=-np.inf)


def too_dear(
    found: Iterable[Box], weights: Sequence[int], prices: Sequence[float], k: int, cuts: Sequence[Cut] = ()
) -> float:
    """The largest ratio, above 1, of k times a box's cost and a group's excess to k times its cost; 0 if no group is.

    Prices and tolls that are divided by it are not too high: a group has k rows or more.
    """
    worst = 0.0
    for box in found:
        over = worst_excess(box, weights, prices, k, cuts)
        if over > 0:
            worst = max(worst, 1 + over / (k * box[1]) if box[1] else np.inf)
    return worst


def least_scaling(
    found: Iterable[Box], weights: Sequence[int], prices: Sequence[float], k: int, cuts: Sequence[Cut] = ()
) -> float:
    """What prices and tolls have to be divided by at least so that no group is too dear; 0 if none is."""
    worst = 0.0
    for rows, cost in found:
        for group in groups_in(rows, weights, k):
            over = excess(group, cost, prices, cuts)
            if over > 0:
                worst = max(worst, 1 + over / (len(group) * cost) if cost else np.inf)
    return worst


def swept(
    groups: Sequence[Group],
    costs: Sequence[float],
    uses: list[float],
    prices: list[float],
    bounds: tuple[Sequence[float], Sequence[float]],
    cuts: Sequence[Cut],
    penalty: float,
) -> list[float]:
    """Set the use of each group in turn to what is best for it; return tolls, and change uses and prices in place.

    A row or cut that a group holds c times raises the penalty by c² for each unit of use.
    """
    least, most = bounds
    tolls = [cut.toll for cut in cuts]
    for number, group in enumerate(groups):
        held = {row: group.count(row) for row in group}
        paid = [times(group, cut) for cut in cuts]
        due = sum(n * max(0.0, toll) for n, toll in zip(paid, tolls, strict=True))
        worth = sum(n * min(most[row], max(least[row], prices[row])) for row, n in held.items())
        bend = sum(n * n for n in [*held.values(), *paid])
        step = max(-uses[number], (worth - due - costs[number]) / (penalty * bend))
        uses[number] += step
        for row, n in held.items():
            prices[row] -= penalty * n * step
        tolls = [toll + penalty * n * step for n, toll in zip(paid, tolls, strict=True)]
    return tolls


def overfull_by(groups: Sequence[Group], uses: Sequence[float], cut: Cut, weights: Sequence[int]) -> float:
    """How much oftener groups hold ``divisor`` rows of a set than they could if no row were in two of them."""
    held = sum(use * times(group, cut) for group, use in zip(groups, uses, strict=True))
    return held - sum(weights[row] for row in cut.rows) // cut.divisor


def most_overfull(
    groups: Sequence[Group], uses: Sequence[float], divisor: int, limit: int, weights: Sequence[int]
) -> float:
    """By how much the worst of all sets of rows into which 1 to ``limit`` times ``divisor`` rows fit is overfull."""
    best = -np.inf
    for size in range(1, len(weights) + 1):
        for rows in combinations(range(len(weights)), size):
            if 1 <= sum(weights[row] for row in rows) // divisor <= limit:
                best = max(best, overfull_by(groups, uses, Cut({*rows}, divisor, 0.0), weights))
    return best


def fitting(
    groups: Sequence[Group],
    uses: Sequence[float],
    order: Sequence[int],
    weights: Sequence[int],
    sure: float,
    enough: int,
) -> list[bool]:
    """Which groups are taken, in this order: those that still fit, until there are enough rows and uses fall."""
    left, taken, n = [*weights], [False] * len(groups), 0
    for number in order:
        if n >= enough and uses[number] < sure:
            return taken
        if all(left[row] >= groups[number].count(row) for row in groups[number]):
            taken[number] = True
            n += len(groups[number])
            for row in groups[number]:
                left[row] -= 1
    return taken


def added_cost(group: Group, row: int, price: Price) -> float:
    """By how much a row raises the cost of a group that it joins."""
    return (len(group) + 1) * price([*group, row]) - len(group) * price(group)
