"""Questions to a tree of rows: which lie inside a record, and which is cheapest to let in.

Rows are numbered by their position in the tree (``shoal.kernels.fitting.grow``), so every node is a run of numbers.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_ground import (
    BOUND,
    HIGH,
    KIND,
    LOW,
    NODES,
    PARENT,
    SETS,
    TOP,
    TREE,
    Ground,
    Records,
    cost_with,
    has_bit,
    holds,
    price_at,
)
from shoal.kernels.fitting import Tree
from shoal.kernels.inner import inner

PATH = 256
"""More nodes than ever wait on a path through a tree of two thousand million rows."""


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


@inner
def _set_meets(ground: Ground, words: Array, c: int, first: int, last: int) -> bool:
    """Whether a set has a member between two leaves; taken for granted where they are far apart."""
    if last - first > 64:
        return True
    meets = False
    for code in range(first, last + 1):
        meets |= has_bit(ground, words, c, code)
    return meets


@inner
def least_to_reach(tree: Tree, v: int, ground: Ground, records: Records, j: int, most: int) -> int:
    """No row of node ``v`` can be let into record ``j`` for less."""
    total = np.int64(0)
    for c in range(tree.low.shape[1]):
        first, last = tree.low[v, c], tree.high[v, c]
        low, high, node = records.low[j, c], records.high[j, c], records.node[j, c]
        if ground.columns[KIND, c] == SETS:
            if not _set_meets(ground, records.words[j], c, first, last):
                node += np.int32(1)
        elif last < low or first > high:
            code = last if last < low else first
            if ground.columns[KIND, c] == TREE:
                at = ground.columns[NODES, c]
                while code < low or code > high:
                    node = ground.nodes[PARENT, at + node]
                    low, high = ground.nodes[LOW, at + node], ground.nodes[HIGH, at + node]
            else:
                low, high = min(low, code), max(high, code)
                if high == ground.columns[TOP, c]:
                    low = np.int32(0)
        total += price_at(ground, BOUND, c, low, high, node)
        if total > most:
            break
    return int(total)


@inner
def push_children(
    tree: Tree, v: int, ground: Ground, records: Records, j: int, most: int, stack: Array, least: Array, depth: int
) -> int:
    """Put the children of a node onto a stack, the nearer one on top; returns the new height."""
    near, far = np.int32(v + 1), tree.rights[v]
    to_near = least_to_reach(tree, near, ground, records, j, most)
    to_far = least_to_reach(tree, far, ground, records, j, most)
    if to_far < to_near:
        near, far, to_near, to_far = far, near, to_far, to_near
    stack[depth], least[depth] = far, to_far
    stack[depth + 1], least[depth + 1] = near, to_near
    return depth + 2


@inner
def cheapest_row(tree: Tree, names: Array, ground: Ground, records: Records, j: int, most: int) -> tuple[int, int]:
    """The row outside record ``j`` that is cheapest to let in, and the price then; −1 where all cost over ``most``.

    Of equally cheap rows the one with the smallest name. Branch and bound: few nodes are looked into in practice.
    """
    stack, least = np.empty(PATH, np.int32), np.empty(PATH, np.int64)
    depth, best, who = 1, most, -1
    stack[0], least[0] = 0, 0
    while depth:
        depth -= 1
        v = stack[depth]
        if least[depth] > best:
            continue
        if tree.rights[v] >= 0:
            depth = push_children(tree, v, ground, records, j, best, stack, least, depth)
            continue
        for p in range(tree.starts[v], tree.stops[v]):
            price = cost_with(ground, records, j, tree.codes[p], best)
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
