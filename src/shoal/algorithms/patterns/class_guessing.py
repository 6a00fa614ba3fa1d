"""The fixed-parameter algorithm of Theorem 3: guess the classes, then assign the rows.

Only for tiny tables, to verify the integer program: it tries every set of instances.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from shoal.algorithms.patterns.instances import Sharing
from shoal.algorithms.patterns.integer_program import Outside, Solved
from shoal.core.arrays import Codes
from shoal.errors import InputError

MOST_INSTANCES = 14
"""At most 2^14 sets of classes are tried."""


def guess(sharing: Sharing, floor: int, outside: Outside) -> Solved | None:
    """The best assignment of rows to instances; None if there is none. O(2^instances · assignment).

    Raises:
        InputError: too many instances.
    """
    n = len(sharing.instances)
    if n > MOST_INSTANCES:
        raise InputError(
            f"The method 'guess' tries every set of classes and takes at most {MOST_INSTANCES} possible classes, "
            f"this table has {n:,}; use the method 'program'."
        )
    best: Solved | None = None
    for used in chain.from_iterable(combinations(range(n), size) for size in range(n + 1)):
        for least, most in _outsides(sharing, floor, outside):
            homes = _assigned(sharing, floor, used, least, most)
            if homes is not None and (best is None or sharing.cost(homes) < best.bound - 1e-9):
                best = Solved(homes, sharing.cost(homes))
    return best


def _outsides(sharing: Sharing, floor: int, outside: Outside) -> list[tuple[int, int]]:
    """The permitted ranges for the number of rows outside."""
    n_rows = int(sharing.weights.sum())
    if outside.is_free:
        return [(0, n_rows)]
    return [(0, outside.spare)] + ([(floor, n_rows)] if outside.may_star else [])


def _assigned(sharing: Sharing, floor: int, used: tuple[int, ...], least: int, most: int) -> Codes | None:
    """The cheapest homes with exactly these classes and between ``least`` and ``most`` rows outside."""
    weights = sharing.weights.tolist()
    n_rows, kinds = sum(weights), range(len(weights))
    if floor * len(used) + least > n_rows:
        return None
    classes = [Class(sharing.instances.of(p).tolist(), float(sharing.costs[p]), floor, n_rows) for p in used]
    flows = assign_rows(weights, [*classes, Class(kinds, sharing.full, least, most)])
    if flows is None:
        return None
    names = [*used, sharing.outside]
    homes = [name for row in flows for name, count in zip(names, row, strict=True) for _ in range(count)]
    return np.array(homes, np.int32)


class Class(NamedTuple):
    """A class: the kinds of rows that may go there, what a row pays, and the least and greatest number of rows."""

    kinds: Sequence[int]
    cost: float
    least: int
    most: int


def assign_rows(weights: Sequence[int], classes: Sequence[Class]) -> list[list[int]] | None:
    """Row Assignment, phase 2 of Theorem 3, at least cost.

    ``flows[kind][class]``: how many rows of each kind go to each class; None if it is impossible.

    Every row has to go somewhere. The first ``least`` places of a class earn more than anything can cost. O(rows² ·
    places), for small problems.
    """
    from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

    prize, prices = 1.0 + sum(one.cost for one in classes) * (1 + sum(weights)), []
    for one in classes:
        of_class = np.full((len(weights), one.most), np.inf)
        of_class[one.kinds] = one.cost - prize * (np.arange(one.most) < one.least)
        prices.append(of_class)
    kinds = np.repeat(np.arange(len(weights)), weights)
    homes = np.repeat(np.arange(len(classes)), [one.most for one in classes])
    try:
        rows, places = linear_sum_assignment(np.hstack(prices)[kinds])
    except ValueError:  # there is no assignment
        return None
    flows = np.zeros((len(weights), len(classes)), np.int64)
    np.add.at(flows, (kinds[rows], homes[places]), 1)
    is_enough = rows.size == kinds.size and (flows.sum(axis=0) >= [one.least for one in classes]).all()
    return flows.tolist() if is_enough else None
