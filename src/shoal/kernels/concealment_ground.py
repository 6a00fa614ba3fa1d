"""Records whose cells grow one row at a time: who is inside, what it takes to let one more row in, what it costs.

A cell is ``low`` and ``high``, the outermost leaves, and ``node``: in a tree the number of the node (leaf ``x`` is node
``x``), in a column of sets the number of members, whose bits lie in ``words``. Prices are whole numbers, so sums are
exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner

TREE, SPAN, TABLE, SETS = 0, 1, 2, 3
"""Kinds of columns: nodes of a tree, ranges priced by their two ends, ranges priced by a table, sets."""

KIND, PRICES, WIDTH, TOP, WORD, NODES, MEETS = 0, 1, 2, 3, 4, 5, 6
"""Rows of ``Ground.columns``."""

PRICE, BOUND = 0, 1
"""Rows of ``Ground.prices``."""

LOW, HIGH, PARENT = 0, 1, 2
"""Rows of ``Ground.nodes``."""

_ONE = np.uint64(1)


class Ground(NamedTuple):
    """All columns in four arrays: int64, int64, int32 and int32.

    Column ``c`` of ``columns[WIDTH, c]`` leaves has its prices from ``columns[PRICES, c]`` on. ``TREE``: one per node,
    whose leaves and parent are ``nodes[:, columns[NODES, c] + node]``; the smallest node around a node and a leaf is
    ``meets[columns[MEETS, c] + node · width + leaf]``, unless that would be a large table and ``columns[MEETS, c]`` is
    −1. ``SPAN``: entry ``x`` is the price of the range from the first leaf to ``x``, a range costs the difference, one
    that ends with the missing value ``columns[TOP, c]`` everything. ``TABLE``: the range from ``a`` to ``b`` at
    ``a · width + b``. ``SETS``: entry ``m`` is the price of ``m`` members; their bits lie from word
    ``columns[WORD, c]`` on. The second row of ``prices`` has the least price of the cell or any larger one.
    """

    columns: Array
    prices: Array
    nodes: Array
    meets: Array


class Records(NamedTuple):
    """One record a row, one column a column."""

    low: Array
    high: Array
    node: Array
    words: Array


@inner
def price_at(ground: Ground, row: int, c: int, low: int, high: int, node: int) -> int:
    """The price of a cell of column ``c``, or the least price from it on."""
    at, kind = ground.columns[PRICES, c], ground.columns[KIND, c]
    if kind in (TREE, SETS):
        return int(ground.prices[row, at + node])
    if kind == TABLE:
        return int(ground.prices[row, at + low * ground.columns[WIDTH, c] + high])
    if low == high:
        return 0
    if high == ground.columns[TOP, c]:
        return int(ground.prices[row, at + high])
    return int(ground.prices[row, at + high] - ground.prices[row, at + low])


@inner
def has_bit(ground: Ground, words: Array, c: int, code: int) -> bool:
    """Whether a set holds a leaf."""
    word = words[ground.columns[WORD, c] + (code >> 6)]
    return bool((word >> np.uint64(code & 63)) & _ONE != 0)


@inner
def met(ground: Ground, c: int, node: int, code: int) -> int:
    """The smallest node of column ``c`` around a node and a leaf."""
    table, at = ground.columns[MEETS, c], ground.columns[NODES, c]
    if table >= 0:
        return int(ground.meets[table + node * ground.columns[WIDTH, c] + code])
    while code < ground.nodes[LOW, at + node] or code > ground.nodes[HIGH, at + node]:
        node = ground.nodes[PARENT, at + node]
    return node


@inner
def widened(ground: Ground, records: Records, j: int, c: int, code: int) -> tuple[int, int, int]:
    """The ends and the node of the smallest cell of column ``c`` around record ``j``'s and one leaf."""
    low, high, node = records.low[j, c], records.high[j, c], records.node[j, c]
    kind = ground.columns[KIND, c]
    if kind == TREE:
        node = met(ground, c, node, code)
        at = ground.columns[NODES, c] + node
        return ground.nodes[LOW, at], ground.nodes[HIGH, at], node
    if kind == SETS and not has_bit(ground, records.words[j], c, code):
        node += np.int32(1)
    low, high = min(low, np.int32(code)), max(high, np.int32(code))
    if kind != SETS and low < high and high == ground.columns[TOP, c]:
        low = np.int32(0)
    return low, high, node


@inner
def holds(ground: Ground, records: Records, j: int, codes: Array) -> bool:
    """Whether the cells of record ``j`` hold a row."""
    for c in range(codes.size):
        if codes[c] < records.low[j, c] or codes[c] > records.high[j, c]:
            return False
        if ground.columns[KIND, c] == SETS and not has_bit(ground, records.words[j], c, codes[c]):
            return False
    return True


@inner
def cost_of(ground: Ground, records: Records, j: int) -> int:
    """The price of record ``j``."""
    total = np.int64(0)
    for c in range(records.low.shape[1]):
        total += price_at(ground, PRICE, c, records.low[j, c], records.high[j, c], records.node[j, c])
    return int(total)


@inner
def cost_with(ground: Ground, records: Records, j: int, codes: Array, most: int) -> int:
    """The price of record ``j`` once it holds a row as well; anything above ``most`` where it is more than that."""
    total = np.int64(0)
    for c in range(codes.size):
        if ground.columns[KIND, c] == TREE:
            total += ground.prices[PRICE, ground.columns[PRICES, c] + met(ground, c, records.node[j, c], codes[c])]
        else:
            low, high, node = widened(ground, records, j, c, codes[c])
            total += price_at(ground, PRICE, c, low, high, node)
        if total > most:
            break
    return int(total)


@inner
def widen(ground: Ground, records: Records, j: int, codes: Array) -> None:
    """Let record ``j`` hold a row as well."""
    for c in range(codes.size):
        low, high, node = widened(ground, records, j, c, codes[c])
        if ground.columns[KIND, c] == SETS:
            records.words[j, ground.columns[WORD, c] + (codes[c] >> 6)] |= _ONE << np.uint64(codes[c] & 63)
        records.low[j, c], records.high[j, c], records.node[j, c] = low, high, node


@inner
def put_row(ground: Ground, records: Records, j: int, codes: Array) -> None:
    """Let record ``j`` hold exactly one row."""
    records.words[j, :] = np.uint64(0)
    for c in range(codes.size):
        records.low[j, c] = records.high[j, c] = records.node[j, c] = codes[c]
        if ground.columns[KIND, c] == SETS:
            records.words[j, ground.columns[WORD, c] + (codes[c] >> 6)] = _ONE << np.uint64(codes[c] & 63)
            records.node[j, c] = 1


@inner
def put_record(target: Records, i: int, source: Records, j: int) -> None:
    """Let record ``i`` of ``target`` have the cells of record ``j`` of ``source``."""
    target.low[i, :] = source.low[j, :]
    target.high[i, :] = source.high[j, :]
    target.node[i, :] = source.node[j, :]
    target.words[i, :] = source.words[j, :]


@inner
def are_equal(one: Records, i: int, other: Records, j: int) -> bool:
    """Whether two records have the same cells."""
    for c in range(one.low.shape[1]):
        if one.low[i, c] != other.low[j, c] or one.high[i, c] != other.high[j, c]:
            return False
    same = True
    for w in range(one.words.shape[1]):
        same &= one.words[i, w] == other.words[j, w]
    return same


@inner
def join(ground: Ground, target: Records, i: int, source: Records, j: int) -> None:
    """Let record ``i`` of ``target`` hold all that record ``j`` of ``source`` holds."""
    for c in range(target.low.shape[1]):
        if ground.columns[KIND, c] != SETS:
            for code in (source.low[j, c], source.high[j, c]):
                low, high, node = widened(ground, target, i, c, code)
                target.low[i, c], target.high[i, c], target.node[i, c] = low, high, node
            continue
        target.low[i, c] = min(target.low[i, c], source.low[j, c])
        target.high[i, c] = max(target.high[i, c], source.high[j, c])
        members = 0
        for w in range(ground.columns[WORD, c], ground.columns[WORD, c + 1]):
            target.words[i, w] |= source.words[j, w]
            bits = target.words[i, w]
            while bits:
                bits &= bits - _ONE
                members += 1
        target.node[i, c] = members
