"""Cells of any recoding as integers, one per plane, with additive prices: the one layout that all searches share.

A *plane* is a column, several small columns fused into one, or one word of a set-valued column. Prices are integers,
so sums are exact and do not depend on the order or the machine.

Plane ``p`` of kind ``planes[KIND, p]`` and width ``planes[WIDTH, p]`` has its entries from ``planes[AT, p]`` on:
``TABLE``: price and join of nodes ``a`` and ``b`` at ``a · width + b``, for all ``a`` and the first ``width`` nodes;
``CLIMB``: price and parent of each node; parents have larger numbers than their children;
``RANGE``: the price of ``[a, b]`` at ``a · width + b``;
``SPAN``: the price of ``[a, b]`` is entry ``b`` minus entry ``a`` of those from ``planes[LOWER, p]`` on, but all of
entry ``b`` if ``b`` is the missing value ``planes[TOP, p]`` and ``a`` is not;
``SETS``: one price for each number of members, from 0 on.
"""

from __future__ import annotations

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner

TABLE, CLIMB, RANGE, SPAN, SETS = 0, 1, 2, 3, 4
"""Kinds of planes: node numbers joined by a table or by climbing, ranges priced by a table or by their ends, sets."""

KIND, WIDTH, AT, TOP, LOWER = 0, 1, 2, 3, 4
"""Rows of ``planes``."""

PRICES, JOINS, BOUNDS = 0, 1, 2
"""Rows of entries: prices, joins or parents, and the least price of a cell or any larger one."""


@inner
def popcount(word: int) -> int:
    """The number of set bits among the lower 63. A dozen instructions, which also vectorise."""
    word -= (word >> 1) & 0x5555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    word += word >> 8
    word += word >> 16
    return (word + (word >> 32)) & 127


@inner
def climb(parents: Array, at: int, one: int, other: int) -> int:
    """The lowest node above two nodes."""
    while one != other:
        if one < other:
            one = parents[at + one]
        else:
            other = parents[at + other]
    return one
