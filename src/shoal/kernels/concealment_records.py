"""Records whose cells grow one row at a time: which rows they hold, how to add a row, and what they cost.

Cells are as in ``shoal.kernels.tariff``; the members of sets are bits of ``words``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.planes import KIND, PRICES, SETS, TOP
from shoal.kernels.tariff import HIGH, LOW, NODES, WORD, Tariff, is_tree, joined_price, met, price_at

_ONE = np.uint64(1)


class Records(NamedTuple):
    """The cells of records: one row per record, one column per column of the table."""

    low: Array
    high: Array
    node: Array
    words: Array


@inner
def one_record(records: Records) -> Records:
    """Allocate one record with the same columns."""
    return Records(records.low[:1].copy(), records.high[:1].copy(), records.node[:1].copy(), records.words[:1].copy())


@inner
def has_bit(tariff: Tariff, words: Array, c: int, code: int) -> bool:
    """Whether a set contains a leaf."""
    word = words[tariff.planes[WORD, c] + (code >> 6)]
    return bool((word >> np.uint64(code & 63)) & _ONE != 0)


@inner
def widened(tariff: Tariff, records: Records, j: int, c: int, code: int) -> tuple[int, int, int]:
    """The ends and the node of the smallest cell of column ``c`` around record ``j``'s cell and one leaf."""
    low, high, node = records.low[j, c], records.high[j, c], records.node[j, c]
    kind = tariff.planes[KIND, c]
    if is_tree(tariff, c):
        node = met(tariff, c, node, code)
        at = tariff.planes[NODES, c] + node
        return tariff.nodes[LOW, at], tariff.nodes[HIGH, at], node
    if kind == SETS and not has_bit(tariff, records.words[j], c, code):
        node += np.int32(1)
    low, high = min(low, np.int32(code)), max(high, np.int32(code))
    if kind != SETS and low < high and high == tariff.planes[TOP, c]:
        low = np.int32(0)
    return low, high, node


@inner
def holds(tariff: Tariff, records: Records, j: int, codes: Array) -> bool:
    """Whether the cells of record ``j`` contain a row."""
    for c in range(codes.size):
        if codes[c] < records.low[j, c] or codes[c] > records.high[j, c]:
            return False
        if tariff.planes[KIND, c] == SETS and not has_bit(tariff, records.words[j], c, codes[c]):
            return False
    return True


@inner
def cost_of(tariff: Tariff, records: Records, j: int) -> int:
    """The price of record ``j``."""
    total = np.int64(0)
    for c in range(records.low.shape[1]):
        total += price_at(tariff, PRICES, c, records.low[j, c], records.high[j, c], records.node[j, c])
    return int(total)


@inner
def cost_with(tariff: Tariff, records: Records, j: int, codes: Array, most: int) -> int:
    """The price of record ``j`` widened to hold a row; if that exceeds ``most``, any number that does."""
    total = np.int64(0)
    for c in range(codes.size):
        if is_tree(tariff, c):
            total += joined_price(tariff, c, records.node[j, c], codes[c])
        else:
            low, high, node = widened(tariff, records, j, c, codes[c])
            total += price_at(tariff, PRICES, c, low, high, node)
        if total > most:
            break
    return int(total)


@inner
def widen(tariff: Tariff, records: Records, j: int, codes: Array) -> None:
    """Widen record ``j`` to hold a row as well."""
    for c in range(codes.size):
        low, high, node = widened(tariff, records, j, c, codes[c])
        if tariff.planes[KIND, c] == SETS:
            records.words[j, tariff.planes[WORD, c] + (codes[c] >> 6)] |= _ONE << np.uint64(codes[c] & 63)
        records.low[j, c], records.high[j, c], records.node[j, c] = low, high, node


@inner
def put_row(tariff: Tariff, records: Records, j: int, codes: Array) -> None:
    """Set the cells of record ``j`` to exactly one row."""
    records.words[j, :] = np.uint64(0)
    for c in range(codes.size):
        records.low[j, c] = records.high[j, c] = records.node[j, c] = codes[c]
        if tariff.planes[KIND, c] == SETS:
            records.words[j, tariff.planes[WORD, c] + (codes[c] >> 6)] = _ONE << np.uint64(codes[c] & 63)
            records.node[j, c] = 1


@inner
def put_record(target: Records, i: int, source: Records, j: int) -> None:
    """Copy the cells of record ``j`` of ``source`` to record ``i`` of ``target``."""
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
def join(tariff: Tariff, target: Records, i: int, source: Records, j: int) -> None:
    """Widen record ``i`` of ``target`` to hold everything that record ``j`` of ``source`` holds."""
    for c in range(target.low.shape[1]):
        if tariff.planes[KIND, c] != SETS:
            for code in (source.low[j, c], source.high[j, c]):
                low, high, node = widened(tariff, target, i, c, code)
                target.low[i, c], target.high[i, c], target.node[i, c] = low, high, node
            continue
        target.low[i, c] = min(target.low[i, c], source.low[j, c])
        target.high[i, c] = max(target.high[i, c], source.high[j, c])
        members = 0
        for w in range(tariff.planes[WORD, c], tariff.planes[WORD, c + 1]):
            target.words[i, w] |= source.words[j, w]
            bits = target.words[i, w]
            while bits:
                bits &= bits - _ONE
                members += 1
        target.node[i, c] = members


@kernel
def costs(tariff: Tariff, records: Records) -> Array:
    """The price of each record. O(records · columns)."""
    found = np.empty(records.low.shape[0], np.int64)
    for j in range(found.size):
        found[j] = cost_of(tariff, records, j)
    return found


@kernel
def enclose(tariff: Tariff, codes: Array, types: Array, offsets: Array, members: Array, records: Records) -> None:
    """Give the rows of each group the smallest cells that contain all of them. O(rows · columns)."""
    for g in range(offsets.size - 1):
        if offsets[g] == offsets[g + 1]:
            continue
        first = members[offsets[g]]
        put_row(tariff, records, first, codes[types[first]])
        for e in range(offsets[g] + 1, offsets[g + 1]):
            widen(tariff, records, first, codes[types[members[e]]])
        for e in range(offsets[g] + 1, offsets[g + 1]):
            put_record(records, members[e], records, first)
