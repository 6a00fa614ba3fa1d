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


Cut = tuple[set[int], int]
"""Some rows, and the toll of a group inside."""


def too_dear(
    nodes: Sequence[Sequence[Sequence[int]]],
    costs: Sequence[Sequence[Sequence[int]]],
    prices: Sequence[int],
    k: int,
    cuts: Sequence[Cut] = (),
) -> float:
    """The largest ratio, above 1, of a group's prices less its tolls to its cost; 0 where no group is too dear.

    A group is the dearest rows of a box, k to 2k - 1 of them; it pays the tolls of all cuts that contain the whole box.
    ``nodes[column][level][row]`` is the node of a row and ``costs[column][level][node]`` what it costs.
    """
    worst = 0.0
    for levels in product(*(range(len(column)) for column in nodes)):
        boxes: dict[tuple[int, ...], list[int]] = {}
        for row in range(len(prices)):
            boxes.setdefault(tuple(nodes[j][level][row] for j, level in enumerate(levels)), []).append(row)
        for box, rows in boxes.items():
            cost = sum(costs[j][level][box[j]] for j, level in enumerate(levels))
            toll = sum(toll for inside, toll in cuts if inside >= {*rows})
            dear = sorted((prices[row] for row in rows), reverse=True)
            for size in range(k, min(2 * k, len(rows) + 1)):
                due = sum(dear[:size]) - toll
                if due > size * cost:
                    worst = max(worst, due / (size * cost) if cost else float("inf"))
    return worst


def used_inside(boxes: Sequence[set[int]], uses: Sequence[float], rows: set[int]) -> float:
    """How much boxes inside some rows are used in total."""
    return sum(use for box, use in zip(boxes, uses, strict=True) if box <= rows)
