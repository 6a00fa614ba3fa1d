"""Find the boxes of a lattice whose rows are priced close to or above the box's cost.

A *box* is one node per column; the k highest prices of the rows inside may average at most what the box costs. Columns
are processed one after the other: the rows of a partial box are split by the next column's nodes, and parts with fewer
than k rows, or that cost enough already, are discarded with everything inside them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel

_SPREAD = np.int64(-7046029254386353131)


class Lattice(NamedTuple):
    """The levels of all columns, one below the other, and what their nodes cost.

    Column ``j`` has the levels ``first[j] … first[j + 1] − 1``. On level ``l``, distinct row ``i`` is in node
    ``nodes[l, i]`` of ``n_nodes[l]``, which costs ``costs[at[l] + nodes[l, i]]``.
    """

    first: Array
    nodes: Array
    n_nodes: Array
    at: Array
    costs: Array


class Boxes(NamedTuple):
    """Space for boxes: their highest-priced rows (CSR) and what they cost."""

    offsets: Array
    members: Array
    costs: Array


class _Depths(NamedTuple):
    """For each number of columns processed: the remaining rows, highest price first, their parts, and parts' costs."""

    counts: Array
    rows: Array
    parts: Array
    costs: Array


class _Parts(NamedTuple):
    """The parts of one refinement: a hash table of their keys, and the numbers for each part."""

    table: Array
    keys: Array
    places: Array
    weights: Array
    tops: Array
    costs: Array
    renumbered: Array
    of_row: Array


@inner
def _make_parts(n: int) -> _Parts:
    size = 2
    while size < 2 * n:
        size *= 2
    return _Parts(
        np.full(size, -1, np.int32),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.float64),
        np.empty(n, np.float64),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
    )


@inner
def _part(
    lattice: Lattice, weights: Array, prices: Array, k: int, level: int, depths: _Depths, d: int, to: _Parts
) -> int:
    """Split the remaining rows by the nodes of a level and sum each part's k highest prices; return how many parts."""
    m, mask, nodes = 0, to.table.size - 1, lattice.nodes[level]
    for t in range(depths.counts[d]):
        row, old = depths.rows[d, t], depths.parts[d, t]
        key = np.int64(old) * lattice.n_nodes[level] + nodes[row]
        place = (key * _SPREAD >> 20) & mask
        while to.table[place] >= 0 and to.keys[to.table[place]] != key:
            place = (place + 1) & mask
        part = to.table[place]
        if part < 0:
            part = m
            m += 1
            to.table[place], to.keys[part], to.places[part] = part, key, place
            to.weights[part], to.tops[part] = 0, 0.0
            to.costs[part] = depths.costs[d, old] + lattice.costs[lattice.at[level] + nodes[row]]
        to.of_row[t] = part
        if to.weights[part] < k:
            to.tops[part] += prices[row] * min(weights[row], k - to.weights[part])
        to.weights[part] += weights[row]
    for part in range(m):
        to.table[to.places[part]] = -1
    return m


@inner
def _keep(k: int, slack: float, m: int, depths: _Depths, d: int, parts: _Parts) -> int:
    """Pass parts with k rows and within ``slack`` of being priced too high to the next depth; return how many."""
    n_kept, q = 0, 0
    for part in range(m):
        near = parts.tops[part] > k * (parts.costs[part] - slack)
        parts.renumbered[part] = n_kept if near and parts.weights[part] >= k else -1
        if parts.renumbered[part] >= 0:
            depths.costs[d + 1, n_kept] = parts.costs[part]
            n_kept += 1
    for t in range(depths.counts[d]):
        part = parts.renumbered[parts.of_row[t]]
        if part >= 0:
            depths.rows[d + 1, q], depths.parts[d + 1, q] = depths.rows[d, t], part
            q += 1
    depths.counts[d + 1] = q
    return n_kept


@inner
def _emit(depths: _Depths, d: int, n_kept: int, most: int, found: tuple[int, int], out: Boxes) -> tuple[int, int]:
    """List the boxes at the last depth with their highest-priced rows; return the numbers of boxes and members."""
    n_boxes, n_members = found
    counts, n_more = np.zeros(n_kept, np.int64), 0
    for t in range(depths.counts[d]):
        part = depths.parts[d, t]
        n_more += counts[part] < most
        counts[part] += counts[part] < most
    if n_boxes + n_kept >= out.offsets.size or n_members + n_more > out.members.size:
        return -1, n_members
    for part in range(n_kept):
        out.offsets[n_boxes + part] = n_members
        out.costs[n_boxes + part] = depths.costs[d, part]
        n_members += counts[part]
        out.offsets[n_boxes + part + 1] = n_members
    for t in range(depths.counts[d]):
        part = depths.parts[d, t]
        if counts[part] > 0:
            out.members[out.offsets[n_boxes + part + 1] - counts[part]] = depths.rows[d, t]
            counts[part] -= 1
    return n_boxes + n_kept, n_members


@kernel
def near_boxes(
    lattice: Lattice, weights: Array, prices: Array, order: Array, k: int, slack: float, top: int, most: int, out: Boxes
) -> tuple[int, int]:
    """Write the boxes on level ``top`` of the first column whose k highest prices average more than ``cost − slack``.

    ``order`` lists the distinct rows that count, highest price first; at most ``most`` rows are listed per box. Returns
    the numbers of boxes and of members written; −1 boxes if there was not enough room. O(rows · nodes of the lattice)
    at worst.
    """
    n, n_columns = order.size, lattice.first.size - 1
    depths = _Depths(
        np.zeros(n_columns + 1, np.int64),
        np.empty((n_columns + 1, n), np.int32),
        np.zeros((n_columns + 1, n), np.int32),
        np.zeros((n_columns + 1, n), np.float64),
    )
    depths.counts[0] = n
    for t in range(n):
        depths.rows[0, t] = order[t]
    parts, levels, found = _make_parts(n), lattice.first[:-1] - 1, (0, 0)
    levels[0], d = top - 1, 0
    while d >= 0:
        levels[d] += 1
        if levels[d] == lattice.first[d + 1] or (d == 0 and levels[0] > top):
            levels[d] = lattice.first[d] - 1
            d -= 1
            continue
        m = _part(lattice, weights, prices, k, levels[d], depths, d, parts)
        n_kept = _keep(k, slack, m, depths, d, parts)
        if n_kept == 0:
            continue
        if d + 1 < n_columns:
            d += 1
            continue
        found = _emit(depths, d + 1, n_kept, most, found, out)
        if found[0] < 0:
            break
    return found
