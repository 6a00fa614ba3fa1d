"""Find equal rows of an integer table."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@kernel
def number_rows(codes: Array) -> tuple[Array, Array]:
    """Number the distinct rows of ``codes[column, row]`` in order of first appearance.

    Returns ``(ids, firsts)``: the number of each row, and for each number the first row that has it.
    Open addressing with full comparison, so collisions cost time but never merge rows.
    O(rows · columns) time, O(rows) memory.
    """
    n_columns, n_rows = codes.shape
    size = 16
    while size < 2 * n_rows:
        size *= 2
    mask = np.uint64(size - 1)
    slots = np.zeros(size, np.int32)  # the row's number plus one; 0 means free
    ids = np.empty(n_rows, np.int32)
    firsts = np.empty(n_rows, np.int32)
    hashes = np.zeros(n_rows, np.uint64)
    for c in range(n_columns):
        for i in range(n_rows):
            h = (hashes[i] ^ np.uint64(codes[c, i])) * _MIX
            hashes[i] = h ^ (h >> _SHIFT)
    n_distinct = 0
    for i in range(n_rows):
        slot = hashes[i] & mask
        while True:
            known = slots[slot] - 1
            if known < 0:
                slots[slot] = n_distinct + 1
                firsts[n_distinct] = i
                ids[i] = n_distinct
                n_distinct += 1
                break
            first = firsts[known]
            same = hashes[first] == hashes[i]
            if same:
                for c in range(n_columns):
                    if codes[c, first] != codes[c, i]:
                        same = False
                        break
            if same:
                ids[i] = known
                break
            slot = (slot + np.uint64(1)) & mask
    return ids, firsts[:n_distinct].copy()


@kernel
def number_lists(offsets: Array, members: Array) -> tuple[Array, Array]:
    """Number distinct lists ``members[offsets[i]:offsets[i + 1]]`` in order of first appearance.

    Returns ``(ids, firsts)`` like ``number_rows``. O(members) expected.
    """
    n_lists = offsets.size - 1
    size = 16
    while size < 2 * n_lists:
        size *= 2
    mask = np.uint64(size - 1)
    slots = np.zeros(size, np.int32)  # the list's number plus one; 0 means free
    ids = np.empty(n_lists, np.int32)
    firsts = np.empty(n_lists, np.int32)
    n_distinct = 0
    for i in range(n_lists):
        start, length = offsets[i], offsets[i + 1] - offsets[i]
        h = np.uint64(length)
        for p in range(start, start + length):
            h = (h ^ np.uint64(members[p])) * _MIX
            h ^= h >> _SHIFT
        slot = h & mask
        while slots[slot] > 0:
            known = firsts[slots[slot] - 1]
            other = offsets[known]
            same = offsets[known + 1] - other == length
            for p in range(length):
                if not same:
                    break
                same = members[other + p] == members[start + p]
            if same:
                break
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] == 0:
            firsts[n_distinct] = i
            n_distinct += 1
            slots[slot] = n_distinct
        ids[i] = slots[slot] - 1
    return ids, firsts[:n_distinct].copy()
