"""Group rows by generalized values, starting from classes at lower levels.

A class is identified by its key: the numbers of its nodes, one bit field per column, packed into 64-bit words.
Generalizing some columns maps their fields through small tables and leaves the others unchanged. Here is also what
searches of the lattice ask about its nodes, and what the classes of a node cost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.small import sort_part

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


class Fields(NamedTuple):
    """The columns that change: where their bits are, and where in ``maps`` the table of their new numbers starts."""

    words: Array
    shifts: Array
    masks: Array
    starts: Array


class Limits(NamedTuple):
    """When to give up: at more than ``most`` classes, or more than ``lost`` rows in classes smaller than ``floor``."""

    most: int
    floor: int
    lost: int


@kernel
def _raise(keys: Array, fields: Fields, maps: Array, start: int, stop: int, raised: Array, hashes: Array) -> None:
    """Write the generalized keys of classes ``start … stop − 1``, and their hashes."""
    n_words = keys.shape[0]
    for word in range(n_words):
        for i in range(start, stop):
            raised[word, i] = keys[word, i]
    for f in range(fields.words.size):
        word, shift, mask, at = fields.words[f], fields.shifts[f], fields.masks[f], fields.starts[f]
        rest = ~(mask << shift)
        for i in range(start, stop):
            above = np.uint64(maps[at + np.int64((raised[word, i] >> shift) & mask)])
            raised[word, i] = (raised[word, i] & rest) | (above << shift)
    for i in range(start, stop):
        hashes[i] = 0
    for word in range(n_words):
        for i in range(start, stop):
            h = (hashes[i] ^ raised[word, i]) * _MIX
            hashes[i] = h ^ (h >> _SHIFT)


@kernel
def _bucket_end(keys: Array, bucket: Fields, maps: Array, start: int) -> int:
    """The first class after ``start`` with another node in the bucket's column; the number of classes if none has."""
    stop = len(keys[0])
    if bucket.words.size == 0:
        return stop
    row, shift, mask, at = keys[bucket.words[0]], bucket.shifts[0], bucket.masks[0], bucket.starts[0]
    node = np.int64(-1)
    for i in range(start, stop):
        here = np.int64((row[i] >> shift) & mask)
        above = np.int64(maps[at + here]) if at >= 0 else here
        if node >= 0 and above != node:
            return i
        node = above
    return stop


@kernel
def roll_up(
    keys: Array, sizes: Array, firsts: Array, fields: Fields, bucket: Fields, maps: Array, slots: Array, limits: Limits
) -> tuple[bool, Array, Array, Array, Array]:
    """Merge classes that become equal when the columns of ``fields`` go up.

    Takes ``keys[word, class]`` and returns ``(done, ids, keys, sizes, firsts)``: the new class of each old one and, for
    the new classes in order of first appearance, the key, the number of rows and the ``firsts`` of their first part. If
    there is a ``bucket`` column, classes must be sorted by it; classes that differ there are merged separately, in a
    small table. ``slots`` needs room for four times as many entries as there are classes. Stops with ``done`` false,
    and results of no further use, if a limit is exceeded after a bucket. O(classes) expected.
    """
    n_words, n = keys.shape
    raised = np.empty((n_words, n), np.uint64)
    hashes = np.empty(n, np.uint64)
    ids, origins, new_sizes = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int64)
    found, stop, lost = 0, 0, 0
    while stop < n and found <= limits.most and lost <= limits.lost:
        start, stop, first = stop, _bucket_end(keys, bucket, maps, stop), found
        _raise(keys, fields, maps, start, stop, raised, hashes)
        size = 16
        while size < 2 * (stop - start):
            size *= 2
        mask = np.uint64(size - 1)
        for free in range(size):
            slots[free] = -1
        for i in range(start, stop):
            slot = hashes[i] & mask
            while True:
                known = slots[slot]
                if known < 0:
                    slots[slot] = known = found
                    origins[found] = i
                    new_sizes[found] = 0
                    found += 1
                    break
                same = raised[0, origins[known]] == raised[0, i]
                for word in range(1, n_words):
                    same &= raised[word, origins[known]] == raised[word, i]
                if same:
                    break
                slot = (slot + np.uint64(1)) & mask
            new_sizes[known] += sizes[i]
            ids[i] = known
        for c in range(first, found):
            lost += new_sizes[c] * (new_sizes[c] < limits.floor)
    done = stop == n and found <= limits.most and lost <= limits.lost
    found = found if done else 0
    new_keys, new_firsts = np.empty((n_words, found), np.uint64), np.empty(found, np.int32)
    for c in range(found):
        new_firsts[c] = firsts[origins[c]]
        for word in range(n_words):
            new_keys[word, c] = raised[word, origins[c]]
    return done, ids, new_keys, new_sizes[:found].copy(), new_firsts


@kernel
def smallest_below(levels: Array, weights: Array, wanted: Array) -> int:
    """Of the rows of ``levels`` that exceed ``wanted`` in no column, the one of least weight; −1 if there is none."""
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


@kernel
def first_above(levels: Array, node: Array) -> int:
    """The first row of ``levels`` that is below ``node`` in no column; −1 if there is none. O(nodes · columns)."""
    for i in range(levels.shape[0]):
        c = 0
        while c < node.size and levels[i, c] >= node[c]:
            c += 1
        if c == node.size:
            return i
    return -1


@kernel
def _put_in_order(values: Array, start: int, stop: int, seen: Array) -> None:
    """Sort the distinct values seen, by scanning all values if these are not many more."""
    if seen.size > 8 * (stop - start):
        sort_part(values, start, stop)
        return
    for value in range(seen.size):
        if seen[value] > 0:
            values[start] = value
            start += 1


@kernel
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


@kernel
def count_by_node(
    keys: Array, sizes: Array, flags: Array, words: Array, shifts: Array, masks: Array, starts: Array
) -> Array:
    """How many rows of the flagged classes each hierarchy node holds: node ``v`` of column ``c`` at ``starts[c] + v``.

    The node of class ``i`` in column ``c`` is the bit field ``(keys[words[c], i] >> shifts[c]) & masks[c]``.
    O(classes + flagged classes · columns + nodes); ``starts`` ends with the number of nodes of all columns.
    """
    counts = np.zeros(starts[-1], np.int64)
    chosen = np.flatnonzero(flags)
    for c in range(words.size):
        row, shift, mask, at = keys[words[c]], shifts[c], masks[c], starts[c]
        for i in chosen:
            counts[at + np.int64((row[i] >> shift) & mask)] += sizes[i]
    return counts


@kernel
def pay_suppressed(sizes: Array, kept: Array, codes: Array, prices: Array, starts: Array) -> Array:
    """For each column, the sum of size · price over the classes that are not kept.

    ``prices[starts[j] + codes[j, c]]`` is what a row of class ``c`` pays in column ``j``.
    O(classes + suppressed classes · columns).
    """
    n_columns, n_classes = codes.shape
    paid = np.zeros(n_columns)
    for c in range(n_classes):
        if not kept[c]:
            for j in range(n_columns):
                paid[j] += sizes[c] * prices[starts[j] + codes[j, c]]
    return paid
