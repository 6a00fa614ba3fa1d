"""Find the rows that each pattern makes equal, pattern by pattern: the greedy step of pattern-guided anonymity.

A row's key under a pattern is the XOR of one 64-bit word per column, ``planes[level of a column, row]``; suppressed
columns have no plane, −1. Going to the next pattern changes only a few columns.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def determines(codes: Array) -> Array:
    """``[a, b]``: whether equal codes of column ``a`` always mean equal codes of column ``b``.

    O(columns² · rows) at worst; most pairs are decided after a few rows.
    """
    n_columns, n_rows = codes.shape
    found = np.zeros((n_columns, n_columns), np.bool_)
    for a in range(n_columns):
        widest = 0
        for i in range(n_rows):
            widest = max(widest, codes[a, i])
        partner = np.empty(widest + 1, np.int32)
        for b in range(n_columns):
            partner[:] = -1
            found[a, b] = a != b
            for i in range(n_rows if a != b else 0):
                if partner[codes[a, i]] < 0:
                    partner[codes[a, i]] = codes[b, i]
                elif partner[codes[a, i]] != codes[b, i]:
                    found[a, b] = False
                    break
    return found


@kernel
def pack(planes: Array, weights: Array, chosen: Array) -> tuple[Array, Array, Array]:
    """Collect the rows that have no pattern: their numbers, planes and weights. O(planes · rows)."""
    rows = np.empty(chosen.size, np.int32)
    n = 0
    for i in range(chosen.size):
        if chosen[i] < 0:
            rows[n] = i
            n += 1
    rows = rows[:n].copy()
    packed = np.empty((planes.shape[0], n), np.uint64)
    for plane in range(planes.shape[0]):
        for j in range(n):
            packed[plane, j] = planes[plane, rows[j]]
    heavy = np.empty(n, np.int64)
    for j in range(n):
        heavy[j] = weights[rows[j]]
    return rows, packed, heavy


@kernel
def turn(keys: Array, packed: Array, now: Array, wanted: Array) -> None:
    """Convert the keys of pattern ``now`` into those of pattern ``wanted``, in place. O(rows · changed columns)."""
    for column in range(now.size):
        if now[column] != wanted[column]:
            for plane in (now[column], wanted[column]):
                if plane >= 0:
                    words = packed[plane]
                    for j in range(keys.size):
                        keys[j] ^= words[j]
            now[column] = wanted[column]


@kernel
def crowded(keys: Array, weights: Array, floor: int, counts: Array, found: Array) -> int:
    """Find rows whose key shares its leading bits with at least ``floor`` rows: a superset of those in large groups.

    Fills ``found`` and returns how many; rows of weight 0 are ignored. Two passes over a small table, O(rows).
    """
    bits = 4
    while (1 << bits) < 2 * keys.size:
        bits += 1
    shift = np.uint64(64 - bits)
    counts[: 1 << bits] = 0
    for j in range(keys.size):
        counts[keys[j] >> shift] += weights[j]
    n = 0
    for j in range(keys.size):
        found[n] = j
        n += (counts[keys[j] >> shift] >= floor) & (weights[j] > 0)
    return n


@kernel
def number_keys(keys: Array, found: Array, n: int, slots: Array, ids: Array, firsts: Array) -> int:
    """Number the distinct keys of rows ``found[:n]`` in order of appearance; return how many there are. O(n)."""
    size = 16
    while size < 2 * n:
        size *= 2
    mask = np.uint64(size - 1)
    slots[:size] = -1
    n_distinct = 0
    for a in range(n):
        key = keys[found[a]]
        slot = key & mask
        while slots[slot] >= 0 and keys[firsts[slots[slot]]] != key:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            slots[slot] = n_distinct
            firsts[n_distinct] = found[a]
            n_distinct += 1
        ids[a] = slots[slot]
    return n_distinct


@kernel
def large_groups(keys: Array, weights: Array, floor: int) -> tuple[Array, Array, int]:
    """Groups of equal keys with a weight of at least ``floor``: rows, their group, number of groups. O(rows)."""
    size = 64
    while size < 4 * keys.size:
        size *= 2
    found = np.empty(keys.size + 1, np.int32)
    slots = np.empty(size, np.int32)
    n = crowded(keys, weights, floor, slots, found)
    ids = np.empty(n, np.int32)
    firsts = np.empty(n, np.int32)
    n_distinct = number_keys(keys, found, n, slots, ids, firsts)
    totals = np.zeros(n_distinct, np.int64)
    for a in range(n):
        totals[ids[a]] += weights[found[a]]
    numbers = np.full(n_distinct, -1, np.int32)
    n_groups = 0
    for g in range(n_distinct):
        if totals[g] >= floor:
            numbers[g] = n_groups
            n_groups += 1
    kept = 0
    for a in range(n):
        if numbers[ids[a]] >= 0:
            ids[kept] = numbers[ids[a]]
            found[kept] = found[a]
            kept += 1
    return found[:kept].copy(), ids[:kept].copy(), n_groups


@kernel
def sweep(planes: Array, patterns: Array, idle: Array, weights: Array, floor: int, chosen: Array) -> None:
    """Give every row the first pattern under which at least ``floor`` rows without a pattern share its key.

    ``idle`` patterns are known to find nothing. Fills ``chosen``, −1 if there is none. O(rows · patterns).
    """
    rows, packed, heavy = pack(planes, weights, chosen)
    keys = np.zeros(rows.size, np.uint64)
    now = np.full(patterns.shape[1], -1, np.int32)
    n_gone = 0
    for p in range(patterns.shape[0]):
        if n_gone == rows.size:
            return
        if idle[p]:
            continue
        if 4 * n_gone > rows.size:
            rows, packed, heavy = pack(planes, weights, chosen)
            keys = np.zeros(rows.size, np.uint64)
            now[:] = -1
            n_gone = 0
        turn(keys, packed, now, patterns[p])
        found, _, _ = large_groups(keys, heavy, floor)
        for j in found:
            chosen[rows[j]] = p
            heavy[j] = 0
        n_gone += found.size


@kernel
def coverage(planes: Array, patterns: Array, idle: Array, weights: Array, floor: int, chosen: Array) -> Array:
    """How many rows without a pattern each pattern could take if it came first. O(rows · patterns)."""
    rows, packed, heavy = pack(planes, weights, chosen)
    keys = np.zeros(rows.size, np.uint64)
    now = np.full(patterns.shape[1], -1, np.int32)
    fits = np.zeros(patterns.shape[0], np.int64)
    for p in range(patterns.shape[0] if rows.size else 0):
        if not idle[p]:
            turn(keys, packed, now, patterns[p])
            for j in large_groups(keys, heavy, floor)[0]:
                fits[p] += heavy[j]
    return fits
