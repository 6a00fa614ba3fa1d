"""Turn group numbers into lists of members and back, and look into groups."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def members_of(ids, n_groups):  # type: ignore[no-untyped-def]
    """List the members of each group, ascending: ``members[offsets[g]:offsets[g + 1]]``. O(rows)."""
    offsets = np.zeros(n_groups + 1, np.int64)
    for i in range(ids.size):
        offsets[ids[i] + 1] += 1
    for g in range(n_groups):
        offsets[g + 1] += offsets[g]
    cursor = offsets[:-1].copy()
    members = np.empty(ids.size, np.int32)
    for i in range(ids.size):
        g = ids[i]
        members[cursor[g]] = i
        cursor[g] += 1
    return offsets, members


@njit(cache=True, nogil=True)
def extremes(offsets, members, codes):  # type: ignore[no-untyped-def]
    """Smallest and largest code of each (non-empty) group. O(members)."""
    n_groups = offsets.size - 1
    low = np.empty(n_groups, np.int32)
    high = np.empty(n_groups, np.int32)
    for g in range(n_groups):
        first = codes[members[offsets[g]]]
        smallest, largest = first, first
        for p in range(offsets[g] + 1, offsets[g + 1]):
            code = codes[members[p]]
            smallest = min(smallest, code)
            largest = max(largest, code)
        low[g] = smallest
        high[g] = largest
    return low, high


@njit(cache=True, nogil=True)
def count_distinct(offsets, members, codes, n_values):  # type: ignore[no-untyped-def]
    """Number of distinct codes in each group. O(members + values) time, O(values) memory."""
    n_groups = offsets.size - 1
    seen = np.full(n_values, -1, np.int64)
    counts = np.zeros(n_groups, np.int64)
    for g in range(n_groups):
        for p in range(offsets[g], offsets[g + 1]):
            code = codes[members[p]]
            if seen[code] != g:
                seen[code] = g
                counts[g] += 1
    return counts


@njit(cache=True, nogil=True)
def masks_of(offsets, members, codes, n_words):  # type: ignore[no-untyped-def]
    """The set of codes of each group as bits: ``masks[word, group]``, 32 codes a word. O(members)."""
    n_groups = offsets.size - 1
    masks = np.zeros((n_words, n_groups), np.int32)
    for g in range(n_groups):
        for p in range(offsets[g], offsets[g + 1]):
            code = codes[members[p]]
            masks[code >> 5, g] |= np.int32(np.uint32(1) << np.uint32(code & 31))
    return masks
