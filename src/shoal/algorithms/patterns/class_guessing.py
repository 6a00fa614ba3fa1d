"""The fixed-parameter algorithm of Theorem 3: guess the classes, then assign the rows.

Only for tiny tables, to verify the integer program: it tries every set of instances.
"""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np

from shoal.algorithms.patterns.instances import Sharing
from shoal.algorithms.patterns.integer_program import Outside, Solved
from shoal.algorithms.patterns.row_assignment import Class, assign_rows
from shoal.core.arrays import Codes
from shoal.errors import InputError

MOST_INSTANCES = 14
"""At most 2^14 sets of classes are tried."""


def guess(sharing: Sharing, floor: int, outside: Outside) -> Solved | None:
    """The best assignment of rows to instances; None if there is none. O(2^instances · flow).

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
