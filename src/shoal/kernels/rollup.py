"""Group rows by generalized values, from classes that are already grouped at lower levels.

A class is named by its key: the numbers of its nodes, one bit field per column, packed into 64-bit words. Going up
in some columns changes their fields through small tables and leaves the others alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from shoal.kernels.arrays import Array
from shoal.kernels.small import sort_part

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


class Fields(NamedTuple):
    """The columns that change: where their bits lie, and where in ``maps`` the table of their new numbers starts."""

    words: Array
    shifts: Array
    masks: Array
    starts: Array


@njit(cache=True, nogil=True)
def _raise(keys: Array, fields: Fields, maps: Array) -> tuple[Array, Array]:
    """The keys after going up, and their hashes."""
    n_words, n = keys.shape
    raised = keys.copy()
    for f in range(fields.words.size):
        row, shift, mask, start = raised[fields.words[f]], fields.shifts[f], fields.masks[f], fields.starts[f]
        rest = ~(mask << shift)
        for i in range(n):
            above = np.uint64(maps[start + np.int64((row[i] >> shift) & mask)])
            row[i] = (row[i] & rest) | (above << shift)
    hashes = np.zeros(n, np.uint64)
    for word in range(n_words):
        for i in range(n):
            h = (hashes[i] ^ raised[word, i]) * _MIX
            hashes[i] = h ^ (h >> _SHIFT)
    return raised, hashes


@njit(cache=True, nogil=True)
def roll_up(
    keys: Array, sizes: Array, firsts: Array, fields: Fields, maps: Array, slots: Array
) -> tuple[Array, Array, Array, Array]:
    """Merge classes that become equal when the columns of ``fields`` go up.

    ``keys[word, class]`` in, and out ``(ids, keys, sizes, firsts)``: the new class of each old one, and of the new
    classes, in order of first appearance, the key, the number of rows and ``firsts`` of their first part. ``slots``
    is scratch space of at least four times as many entries as there are classes. O(classes) expected.
    """
    n_words, n = keys.shape
    size = 16
    while size < 2 * n:
        size *= 2
    mask = np.uint64(size - 1)
    slots[:size] = -1
    raised, hashes = _raise(keys, fields, maps)
    ids = np.empty(n, np.int32)
    new_sizes = np.empty(n, np.int64)
    origins = np.empty(n, np.int32)
    found = 0
    for i in range(n):
        slot = hashes[i] & mask
        while True:
            known = slots[slot]
            if known < 0:
                slots[slot] = known = found
                origins[found] = i
                new_sizes[found] = 0
                found += 1
                break
            origin = origins[known]
            same = raised[0, origin] == raised[0, i]
            for word in range(1, n_words):
                same &= raised[word, origin] == raised[word, i]
            if same:
                break
            slot = (slot + np.uint64(1)) & mask
        new_sizes[known] += sizes[i]
        ids[i] = known
    kept = origins[:found]
    new_keys = np.empty((n_words, found), np.uint64)
    for word in range(n_words):
        new_keys[word] = raised[word][kept]
    return ids, new_keys, new_sizes[:found].copy(), firsts[kept]


@njit(cache=True, nogil=True)
def smallest_below(levels: Array, weights: Array, wanted: Array) -> int:
    """Of the rows of ``levels`` that are nowhere above ``wanted``, the one of least weight; −1 if there is none."""
    best = -1
    for i in range(weights.size):
        if best >= 0 and weights[i] >= weights[best]:
            continue
        below = True
        for c in range(wanted.size):
            if levels[i, c] > wanted[c]:
                below = False
                break
        if below:
            best = i
    return best


@njit(cache=True, nogil=True)
def _put_in_order(values: Array, start: int, stop: int, seen: Array) -> None:
    """Sort the distinct values that were seen, by going through all where these are not many more."""
    if seen.size > 8 * (stop - start):
        sort_part(values, start, stop)
        return
    for value in range(seen.size):
        if seen[value] > 0:
            values[start] = value
            start += 1


@njit(cache=True, nogil=True)
def merge_tallies(
    starts: Array, parts: Array, offsets: Array, values: Array, counts: Array, n_values: int
) -> tuple[Array, Array, Array]:
    """Add up the tallies of the parts of each class: ``(offsets, values, counts)``, values ascending.

    Class ``c`` consists of the old classes ``parts[starts[c]:starts[c + 1]]``, and old class ``p`` has ``values[i]``
    ``counts[i]`` times for ``i`` in ``offsets[p] … offsets[p + 1] − 1``. O(entries + distinct · log distinct).
    """
    n_classes = starts.size - 1
    seen = np.zeros(n_values, np.int64)
    new_offsets = np.zeros(n_classes + 1, np.int64)
    new_values = np.empty(values.size, np.int32)
    new_counts = np.empty(values.size, np.int64)
    found = 0
    for c in range(n_classes):
        for p in range(starts[c], starts[c + 1]):
            for i in range(offsets[parts[p]], offsets[parts[p] + 1]):
                if seen[values[i]] == 0:
                    new_values[found] = values[i]
                    found += 1
                seen[values[i]] += counts[i]
        _put_in_order(new_values, new_offsets[c], found, seen)
        for i in range(new_offsets[c], found):
            new_counts[i] = seen[new_values[i]]
            seen[new_values[i]] = 0
        new_offsets[c + 1] = found
    return new_offsets, new_values[:found].copy(), new_counts[:found].copy()
