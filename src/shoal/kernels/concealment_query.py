"""Questions to a tree of rows: which lie inside a record, and which is cheapest to let in.

Rows are numbered by their position in the tree (``shoal.kernels.fitting.grow``), so every node is a run of numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_ground import (
    BOUND,
    HIGH,
    KIND,
    LOW,
    MEETS,
    NODES,
    PARENT,
    PRICE,
    PRICES,
    SETS,
    TABLE,
    TOP,
    TREE,
    WIDTH,
    Ground,
    Records,
    has_bit,
    holds,
)
from shoal.kernels.fitting import Tree
from shoal.kernels.inner import inlined, inner

PATH = 256
"""More nodes than ever wait on a path through a tree of two thousand million rows."""

MOST_LEAVES = 1024
"""Leaves of a column around which a record looks once for all."""


@inner
def _touches(tree: Tree, v: int, ground: Ground, records: Records, j: int) -> int:
    """0: node ``v`` lies outside record ``j``, 2: wholly inside, 1: perhaps partly."""
    inside = 2
    for c in range(tree.low.shape[1]):
        low, high = tree.low[v, c], tree.high[v, c]
        if low > records.high[j, c] or high < records.low[j, c]:
            return 0
        if low < records.low[j, c] or high > records.high[j, c] or ground.columns[KIND, c] == SETS:
            inside = 1
    return inside


@inner
def rows_inside(tree: Tree, ground: Ground, records: Records, j: int, out: Array) -> int:
    """Put the rows inside record ``j`` into ``out``, ascending; return how many. O(nodes it touches + rows)."""
    stack = np.empty(PATH, np.int32)
    depth, n = 1, 0
    stack[0] = 0
    while depth:
        depth -= 1
        v = stack[depth]
        relation = _touches(tree, v, ground, records, j)
        if relation == 0:
            continue
        if relation == 2:
            for p in range(tree.starts[v], tree.stops[v]):
                out[n] = p
                n += 1
        elif tree.rights[v] >= 0:
            stack[depth], stack[depth + 1] = tree.rights[v], v + 1
            depth += 2
        else:
            for p in range(tree.starts[v], tree.stops[v]):
                if holds(ground, records, j, tree.codes[p]):
                    out[n] = p
                    n += 1
    return n


class Reach(NamedTuple):
    """What one record would cost per column once it held each leaf: for leaf ``x`` at ``at[c] + x``.

    ``prices`` are those of the wider cells and ``bounds`` the least from there on. ``members[at[c] + x]`` is the first
    leaf from ``x`` on inside the cell. Columns with many leaves (``at[c]`` is −1) are worked out anew each time.
    """

    at: Array
    prices: Array
    bounds: Array
    members: Array


@inner
def room_to_reach(ground: Ground) -> Reach:
    """Room for the prices around one record."""
    n, size = ground.columns.shape[1] - 1, 0
    at = np.full(n, -1, np.int64)
    for c in range(n):
        if ground.columns[WIDTH, c] <= MOST_LEAVES or ground.columns[KIND, c] in (SETS, TABLE):
            at[c], size = size, size + ground.columns[WIDTH, c]
    return Reach(at, np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int32))


@inlined
def _price_around(ground: Ground, row: int, c: int, low: int, high: int, node: int, code: int) -> int:
    """What a cell of a tree or of ranges costs once it holds a leaf, or the least price from there on."""
    at = ground.columns[PRICES, c]
    if ground.columns[KIND, c] == TREE:
        nodes = ground.columns[NODES, c]
        while code < ground.nodes[LOW, nodes + node] or code > ground.nodes[HIGH, nodes + node]:
            node = ground.nodes[PARENT, nodes + node]
        price = ground.prices[row, at + node]
    else:
        low, high = min(low, code), max(high, code)
        if low < high and high == ground.columns[TOP, c]:
            low = np.int32(0)
        if ground.columns[KIND, c] == TABLE:
            price = ground.prices[row, at + low * ground.columns[WIDTH, c] + high]
        elif low == high:
            price = np.int64(0)
        elif high == ground.columns[TOP, c]:
            price = ground.prices[row, at + high]
        else:
            price = ground.prices[row, at + high] - ground.prices[row, at + low]
    return price


@inner
def look_around(ground: Ground, records: Records, j: int, reach: Reach) -> None:
    """Work out what the cells of record ``j`` would cost with each leaf. O(leaves)."""
    for c in range(reach.at.size):
        if reach.at[c] < 0:
            continue
        if ground.columns[MEETS, c] >= 0:
            _look_up(ground, c, records.node[j, c], reach.prices, reach.bounds, reach.at[c])
        elif ground.columns[KIND, c] == SETS:
            _count(ground, records, j, c, reach.prices, reach.bounds, reach.at[c])
        else:
            _work_out(ground, records, j, c, reach.prices, reach.bounds, reach.at[c])
        _list_members(ground, records, j, c, reach.members, reach.at[c])


@inner
def _look_up(ground: Ground, c: int, node: int, prices: Array, bounds: Array, first: int) -> None:
    """Prices around a node of a tree whose meetings are tabulated."""
    at, table, width = ground.columns[PRICES, c], ground.columns[MEETS, c], ground.columns[WIDTH, c]
    for code in range(width):
        around = at + ground.meets[table + node * width + code]
        prices[first + code], bounds[first + code] = ground.prices[PRICE, around], ground.prices[BOUND, around]


@inner
def _count(ground: Ground, records: Records, j: int, c: int, prices: Array, bounds: Array, first: int) -> None:
    """Prices of a set and of sets with one more member."""
    for code in range(ground.columns[WIDTH, c]):
        is_new = not has_bit(ground, records.words[j], c, code)
        at = ground.columns[PRICES, c] + records.node[j, c] + is_new
        prices[first + code], bounds[first + code] = ground.prices[PRICE, at], ground.prices[BOUND, at]


@inner
def _work_out(ground: Ground, records: Records, j: int, c: int, prices: Array, bounds: Array, first: int) -> None:
    """Prices around a range, or around a node of a large tree."""
    low, high, node = records.low[j, c], records.high[j, c], records.node[j, c]
    for code in range(ground.columns[WIDTH, c]):
        prices[first + code] = _price_around(ground, PRICE, c, low, high, node, np.int32(code))
        bounds[first + code] = _price_around(ground, BOUND, c, low, high, node, np.int32(code))


@inner
def _list_members(ground: Ground, records: Records, j: int, c: int, members: Array, first: int) -> None:
    """The first leaf inside a cell, from each leaf on; as many as there are where none is left."""
    low, high, is_set = records.low[j, c], records.high[j, c], ground.columns[KIND, c] == SETS
    member = np.int32(ground.columns[WIDTH, c])
    for code in range(ground.columns[WIDTH, c] - 1, -1, -1):
        if low <= code <= high and (not is_set or has_bit(ground, records.words[j], c, code)):
            member = np.int32(code)
        members[first + code] = member


@inlined
def price_with(tree: Tree, p: int, ground: Ground, records: Records, j: int, reach: Reach) -> int:
    """``cost_with`` row ``p``, for a record that was looked around.

    No call is left in it, nor in those below: handing over that many arrays takes longer than the sums do.
    """
    total = np.int64(0)
    for c in range(reach.at.size):
        code = tree.codes[p, c]
        if reach.at[c] >= 0:
            total += reach.prices[reach.at[c] + code]
        else:
            low, high, node = records.low[j, c], records.high[j, c], records.node[j, c]
            total += _price_around(ground, PRICE, c, low, high, node, code)
    return total


@inlined
def least_to_reach(tree: Tree, v: int, ground: Ground, records: Records, j: int, reach: Reach) -> int:
    """No row of node ``v`` can be let into record ``j``, which was looked around, for less."""
    total = np.int64(0)
    for c in range(reach.at.size):
        first, last = tree.low[v, c], tree.high[v, c]
        nearest = min(max(records.low[j, c], first), last)
        if reach.at[c] >= 0:
            member = reach.members[reach.at[c] + first]
            total += reach.bounds[reach.at[c] + (member if member <= last else nearest)]
        else:
            low, high, node = records.low[j, c], records.high[j, c], records.node[j, c]
            total += _price_around(ground, BOUND, c, low, high, node, nearest)
    return total


@inlined
def push_children(
    tree: Tree,
    v: int,
    ground: Ground,
    records: Records,
    j: int,
    reach: Reach,
    most: int,
    stack: Array,
    least: Array,
    depth: int,
) -> int:
    """Put the children of a node from which ``most`` may do onto a stack, the nearer one on top; returns its height."""
    start = depth
    for turn in range(2):
        child = tree.rights[v] if turn else np.int32(v + 1)
        price = least_to_reach(tree, child, ground, records, j, reach)
        if price <= most:
            stack[depth], least[depth] = child, price
            depth += 1
    if depth == start + 2 and least[start] <= least[start + 1]:
        stack[start], stack[start + 1] = stack[start + 1], stack[start]
        least[start], least[start + 1] = least[start + 1], least[start]
    return depth


@inner
def cheapest_row(
    tree: Tree, names: Array, ground: Ground, records: Records, j: int, reach: Reach, most: int
) -> tuple[int, int]:
    """The row outside record ``j`` that is cheapest to let in, and the price then; −1 where all cost over ``most``.

    Of equally cheap rows the one with the smallest name. Branch and bound: few nodes are looked into in practice.
    """
    look_around(ground, records, j, reach)
    stack, least = np.empty(PATH, np.int32), np.empty(PATH, np.int64)
    depth, best, who = 1, most, -1
    stack[0], least[0] = 0, 0
    while depth:
        depth -= 1
        v = stack[depth]
        if least[depth] > best:
            continue
        if tree.rights[v] >= 0:
            depth = push_children(tree, v, ground, records, j, reach, best, stack, least, depth)
            continue
        for p in range(tree.starts[v], tree.stops[v]):
            price = price_with(tree, p, ground, records, j, reach)
            is_better = price < best or (price == best and (who < 0 or names[p] < names[who]))
            if is_better and not holds(ground, records, j, tree.codes[p]):
                best, who = price, p
    return who, best


@njit(cache=True, nogil=True)
def list_inside(tree: Tree, ground: Ground, records: Records) -> tuple[Array, Array]:
    """The rows inside each record: ``rows[offsets[j]:offsets[j + 1]]``, ascending. O(nodes touched + rows)."""
    n, n_rows = records.low.shape[0], tree.codes.shape[0]
    offsets = np.zeros(n + 1, np.int64)
    rows, some = np.empty(max(64, 16 * n), np.int32), np.empty(n_rows, np.int32)
    for j in range(n):
        found = rows_inside(tree, ground, records, j, some)
        if offsets[j] + found > rows.size:
            more = np.empty(2 * (offsets[j] + found), np.int32)
            more[: offsets[j]] = rows[: offsets[j]]
            rows = more
        rows[offsets[j] : offsets[j] + found] = some[:found]
        offsets[j + 1] = offsets[j] + found
    return offsets, rows[: offsets[n]].copy()
