"""The floor the slow way: all boxes, all groups, and the linear program itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product

import numpy as np
from scipy.optimize import linprog

Price = Callable[[Sequence[int]], float]
"""What the cells around some rows cost."""


def best_bound(n_rows: int, price: Price, k: int) -> float:
    """The largest sum of prices such that no k rows are priced above k times the cost of the cells around them."""
    groups = list(combinations(range(n_rows), k))
    inside = np.zeros((len(groups), n_rows))
    for at, rows in enumerate(groups):
        inside[at, rows] = 1
    found = linprog(-np.ones(n_rows), inside, [k * price(rows) for rows in groups], bounds=(0, 1), method="highs")
    return float(-found.fun)


def too_dear(
    nodes: Sequence[Sequence[Sequence[int]]], costs: Sequence[Sequence[Sequence[int]]], prices: Sequence[int], k: int
) -> float:
    """The largest ratio, above 1, of the k highest prices in a box to k times its cost; 0 where no box is too dear.

    ``nodes[column][level][row]`` is the node of a row and ``costs[column][level][node]`` what it costs.
    """
    worst = 0.0
    for levels in product(*(range(len(column)) for column in nodes)):
        boxes: dict[tuple[int, ...], list[int]] = {}
        for row in range(len(prices)):
            boxes.setdefault(tuple(nodes[j][level][row] for j, level in enumerate(levels)), []).append(row)
        for box, rows in boxes.items():
            cost = sum(costs[j][level][box[j]] for j, level in enumerate(levels))
            top = sum(sorted((prices[row] for row in rows), reverse=True)[:k])
            if len(rows) >= k and top > k * cost:
                worst = max(worst, top / (k * cost) if cost else float("inf"))
    return worst
