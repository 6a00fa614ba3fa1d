"""Queries on a tree of rows: which rows lie inside a record, and which outside it are cheapest to add.

Rows are numbered by their position in the tree (``shoal.kernels.fitting.grow``), so every node is a run of numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_records import Records, has_bit, holds, widened
from shoal.kernels.decorators import inlined, inner, kernel
from shoal.kernels.fitting import Tree
from shoal.kernels.planes import AT, BOUNDS, KIND, LOWER, PRICES, RANGE, SETS, SPAN, TABLE, TOP, WIDTH
from shoal.kernels.tariff import HIGH, LOW, NODES, PARENT, Tariff, is_tree, price_at

PATH = 256
"""An upper limit on the nodes waiting on a path through a tree of two billion rows."""

_NONE = np.int32(np.iinfo(np.int32).max)


@inner
def _touches(tree: Tree, v: int, tariff: Tariff, records: Records, j: int) -> int:
    """Relation of node ``v`` to record ``j``: 0 if it lies outside, 2 if wholly inside, 1 if perhaps partly inside."""
    inside = 2
    for c in range(tree.low.shape[1]):
        low, high = tree.low[v, c], tree.high[v, c]
        if low > records.high[j, c] or high < records.low[j, c]:
            return 0
        if low < records.low[j, c] or high > records.high[j, c] or tariff.planes[KIND, c] == SETS:
            inside = 1
    return inside


@inner
def rows_inside(tree: Tree, tariff: Tariff, records: Records, j: int, out: Array) -> int:
    """Write the rows inside record ``j`` to ``out``, ascending; return how many. O(nodes it touches + rows)."""
    stack = np.empty(PATH, np.int32)
    depth, n = 1, 0
    stack[0] = 0
    while depth:
        depth -= 1
        v = stack[depth]
        relation = _touches(tree, v, tariff, records, j)
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
                if holds(tariff, records, j, tree.codes[p]):
                    out[n] = p
                    n += 1
    return n


class Field(NamedTuple):
    """A table as the steps of concealment take it: its distinct rows, or types, in a tree, and the prices of cells.

    ``people[t]`` counts the rows of a type, ``names[t]`` is the first of them, and all are
    ``rows[rows_at[t] : rows_at[t + 1]]``; ``types[i]`` is the type of row ``i``, which owns record ``i``.
    """

    tree: Tree
    tariff: Tariff
    people: Array
    names: Array
    types: Array
    rows_at: Array
    rows: Array


class Reach(NamedTuple):
    """What one record would cost per column if it held one more leaf.

    For leaf ``x`` of a column of nodes, sets or tabulated ranges, at ``cells[START, c] + x``: ``prices`` has the price
    of the widened cell, ``bounds`` the least price from there on, and ``members`` the first member of a set from ``x``
    on. For ranges priced by their two ends (``cells[START, c]`` is −1), the ends are stored, and where the prices of
    upper and lower ends begin in ``spans``.

    Only plain arrays: a call that passes tuples of arrays takes longer than the sums below.
    """

    cells: Array
    prices: Array
    bounds: Array
    members: Array
    spans: Array


START, FIRST, LAST, BASE, MISSING, DOWN = 0, 1, 2, 3, 4, 5
"""Rows of ``Reach.cells``."""


@inner
def room_to_reach(tariff: Tariff) -> Reach:
    """Allocate the prices around one record."""
    n, size = tariff.planes.shape[1] - 1, 0
    cells = np.full((6, n), -1, np.int64)
    for c in range(n):
        cells[BASE, c], cells[MISSING, c] = tariff.planes[AT, c], tariff.planes[TOP, c]
        cells[DOWN, c] = tariff.planes[LOWER, c]
        if tariff.planes[KIND, c] != SPAN:
            cells[START, c], size = size, size + tariff.planes[WIDTH, c]
    prices, bounds = np.empty(size, np.int64), np.empty(size, np.int64)
    return Reach(cells, prices, bounds, np.full(size, _NONE, np.int32), tariff.entries[PRICES])


@inner
def look_around(tariff: Tariff, records: Records, j: int, reach: Reach) -> None:
    """Compute what the cells of record ``j`` would cost with each leaf added. O(leaves)."""
    for c in range(reach.cells.shape[1]):
        reach.cells[FIRST, c], reach.cells[LAST, c] = records.low[j, c], records.high[j, c]
        kind, first = tariff.planes[KIND, c], reach.cells[START, c]
        if is_tree(tariff, c):
            _around_node(tariff, c, records.node[j, c], reach.prices, reach.bounds, first)
        elif kind == SETS:
            _around_set(tariff, records, j, c, reach.prices, reach.bounds, reach.members, first)
        elif kind == RANGE:
            _around_range(tariff, records, j, c, reach.prices, reach.bounds, first)


@inner
def _around_node(tariff: Tariff, c: int, node: int, prices: Array, bounds: Array, first: int) -> None:
    """Prices around a node of a tree, bottom-up: the leaves that a parent adds cost what the parent costs."""
    at, width, nodes = tariff.planes[AT, c], tariff.planes[WIDTH, c], tariff.planes[NODES, c]
    is_table = tariff.planes[KIND, c] == TABLE
    start = stop = np.int64(tariff.nodes[LOW, nodes + node])
    while True:
        low, high = tariff.nodes[LOW, nodes + node], tariff.nodes[HIGH, nodes + node]
        place = at + (node * width + low if is_table else node)
        price, bound = tariff.entries[PRICES, place], tariff.entries[BOUNDS, place]
        for code in range(low, start):
            prices[first + code], bounds[first + code] = price, bound
        for code in range(stop, high + 1):
            prices[first + code], bounds[first + code] = price, bound
        start, stop = np.int64(low), np.int64(high + 1)
        if tariff.nodes[PARENT, nodes + node] == node:
            break
        node = tariff.nodes[PARENT, nodes + node]


@inner
def _around_set(
    tariff: Tariff, records: Records, j: int, c: int, prices: Array, bounds: Array, members: Array, first: int
) -> None:
    """Prices of a set and of the set with one more member."""
    member = _NONE
    for code in range(tariff.planes[WIDTH, c] - 1, -1, -1):
        is_inside = has_bit(tariff, records.words[j], c, code)
        member = np.int32(code) if is_inside else member
        at = tariff.planes[AT, c] + records.node[j, c] + (not is_inside)
        prices[first + code], bounds[first + code] = tariff.entries[PRICES, at], tariff.entries[BOUNDS, at]
        members[first + code] = member


@inner
def _around_range(tariff: Tariff, records: Records, j: int, c: int, prices: Array, bounds: Array, first: int) -> None:
    """Prices around a range whose prices are tabulated."""
    for code in range(tariff.planes[WIDTH, c]):
        low, high, node = widened(tariff, records, j, c, np.int32(code))
        prices[first + code] = price_at(tariff, PRICES, c, low, high, node)
        bounds[first + code] = price_at(tariff, BOUNDS, c, low, high, node)


@inlined
def _span_price(spans: Array, cells: Array, c: int, code: int) -> int:
    """What a range costs once it holds a leaf; the full price if it ends with the missing value."""
    low, high = min(cells[FIRST, c], code), max(cells[LAST, c], code)
    top, bottom, missing = cells[BASE, c], cells[DOWN, c], cells[MISSING, c]
    whole = high == missing and low < high
    return int(spans[top + high] - (0 if whole else spans[bottom + low]))


@inlined
def price_with(cells: Array, prices: Array, spans: Array, codes: Array, p: int) -> int:
    """``cost_with`` row ``p``, for a record prepared by ``look_around``."""
    total = np.int64(0)
    for c in range(cells.shape[1]):
        at, code = cells[START, c], np.int64(codes[p, c])
        if at >= 0:
            total += prices[at + code]
        else:
            total += _span_price(spans, cells, c, code)
    return int(total)


@inlined
def _least_price(cells: Array, bounds: Array, members: Array, spans: Array, lows: Array, highs: Array, v: int) -> int:
    """A lower bound on the price of adding any row of node ``v`` to a record prepared by ``look_around``."""
    total = np.int64(0)
    for c in range(cells.shape[1]):
        at, first, last = cells[START, c], np.int64(lows[v, c]), np.int64(highs[v, c])
        nearest = min(max(cells[FIRST, c], first), last)
        if at >= 0:
            member = members[at + first]
            total += bounds[at + (member if member <= last else nearest)]
        else:
            total += _span_price(spans, cells, c, nearest)
    return int(total)


@inlined
def push_children(tree: Tree, v: int, reach: Reach, most: int, stack: Array, least: Array, depth: int) -> int:
    """Push the children of a node that may cost ``most`` or less, the cheaper one on top; return the stack's height."""
    start = depth
    for turn in range(2):
        child = tree.rights[v] if turn else np.int32(v + 1)
        price = _least_price(reach.cells, reach.bounds, reach.members, reach.spans, tree.low, tree.high, child)
        if price <= most:
            stack[depth], least[depth] = child, price
            depth += 1
    if depth == start + 2 and least[start] <= least[start + 1]:
        stack[start], stack[start + 1] = stack[start + 1], stack[start]
        least[start], least[start + 1] = least[start + 1], least[start]
    return depth


@inner
def cheapest_row(
    tree: Tree, names: Array, tariff: Tariff, records: Records, j: int, reach: Reach, most: int
) -> tuple[int, int]:
    """The row outside record ``j`` that is cheapest to add, and the price then; −1 if all cost over ``most``.

    Ties go to the smallest name. Branch and bound: in practice few nodes are searched.
    """
    look_around(tariff, records, j, reach)
    stack, least = np.empty(PATH, np.int32), np.empty(PATH, np.int64)
    depth, best, who = 1, most, -1
    stack[0], least[0] = 0, 0
    while depth:
        depth -= 1
        v = stack[depth]
        if least[depth] > best:
            continue
        if tree.rights[v] >= 0:
            depth = push_children(tree, v, reach, best, stack, least, depth)
            continue
        for p in range(tree.starts[v], tree.stops[v]):
            price = price_with(reach.cells, reach.prices, reach.spans, tree.codes, p)
            is_better = price < best or (price == best and (who < 0 or names[p] < names[who]))
            if is_better and not holds(tariff, records, j, tree.codes[p]):
                best, who = price, p
    return who, best


@kernel
def list_inside(tree: Tree, tariff: Tariff, records: Records) -> tuple[Array, Array]:
    """The rows inside each record: ``rows[offsets[j]:offsets[j + 1]]``, ascending. O(nodes touched + rows)."""
    n, n_rows = records.low.shape[0], tree.codes.shape[0]
    offsets = np.zeros(n + 1, np.int64)
    rows, some = np.empty(max(64, 16 * n), np.int32), np.empty(n_rows, np.int32)
    for j in range(n):
        found = rows_inside(tree, tariff, records, j, some)
        if offsets[j] + found > rows.size:
            more = np.empty(2 * (offsets[j] + found), np.int32)
            more[: offsets[j]] = rows[: offsets[j]]
            rows = more
        rows[offsets[j] : offsets[j] + found] = some[:found]
        offsets[j + 1] = offsets[j] + found
    return offsets, rows[: offsets[n]].copy()
