"""Short sorting and searching functions, where numba's own take seconds to compile; and the roots of trees."""

from __future__ import annotations

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel


@kernel
def sort_part(values: Array, start: int, stop: int) -> None:
    """Sort ``values[start:stop]`` in place, ascending: Shell's sort, about O(n^1.3)."""
    gap = 1
    while gap < (stop - start) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(start + gap, stop):
            value, place = values[i], i
            while place - gap >= start and values[place - gap] > value:
                values[place] = values[place - gap]
                place -= gap
            values[place] = value
        gap //= 3


@kernel
def first_at_least(values: Array, low: int, high: int, wanted: int) -> int:
    """The index of the first of ascending ``values[low:high]`` that is at least ``wanted``; ``high`` if none is."""
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def root(parents: Array, i: int) -> int:
    """The root of a node's tree, which is its own parent; halves the path on the way."""
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i
