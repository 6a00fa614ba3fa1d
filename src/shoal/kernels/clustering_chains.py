"""Ejection chains: a row enters another cluster, one of that cluster's rows enters the next, and so on.

A chain ends where it began, or in any cluster if it began in one with more than k rows. It is built row by row and
changes no cluster twice, so its effect on the cost is known before any row moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_noise import below
from shoal.kernels.clustering_space import Space, join, join_price, scan
from shoal.kernels.decorators import inlined, inner, kernel

_FAR = np.int32(2**31 - 1)
_DEAR = np.int64(1) << 60
_MEMBERS = 32
"""At most this many rows of a cluster are considered for leaving it; in larger clusters a single row matters little."""


class Clusters(NamedTuple):
    """Rows in clusters: the cells of each row, and the cells, price and rows (CSR) of each cluster.

    ``rest[row]`` are the cells of the row's cluster without the row; their price is ``rest_prices[row]``.
    """

    cells: Array
    homes: Array
    offsets: Array
    closed: Array
    own: Array
    rest: Array
    rest_prices: Array


class _Room(NamedTuple):
    """The chain under construction: its rows and cumulative changes, and the candidates for the next row with theirs.

    ``seen[c]`` is the number of the last search that visited cluster ``c``; ``n_looks`` counts the searches.
    """

    rows: Array
    sums: Array
    options: Array
    option_sums: Array
    n_options: Array
    seen: Array
    n_looks: Array


@inlined
def _price(space: Space, ones: Array, i: int, others: Array, j: int, most: int) -> int:
    """The price of the join of ``ones[i]`` and ``others[j]``; if it exceeds ``most``, any number that does."""
    total = space.base
    for p in range(ones.shape[1]):
        total += join_price(space, p, ones[i, p], others[j, p])
        if total > most:
            break
    return total


@inner
def _close(space: Space, p: int, cells: Array, rest: Array, start: int, stop: int) -> int:
    """Return the cell of rows ``start … stop − 1`` in plane ``p``; write to ``rest`` the same without each row."""
    cell = cells[start, p]
    for i in range(start + 1, stop):
        rest[i, p] = cell
        cell = join(space, p, cell, cells[i, p])
    whole, cell = cell, cells[stop - 1, p]
    for i in range(stop - 2, start, -1):
        rest[i, p] = join(space, p, rest[i, p], cell)
        cell = join(space, p, cell, cells[i, p])
    rest[start, p] = cell
    return int(whole)


@kernel
def closed_clusters(space: Space, cells: Array, offsets: Array) -> Clusters:
    """Precompute what chains need for clusters of two rows or more. O(rows · planes)."""
    (n_rows, n_planes), n_clusters = cells.shape, offsets.size - 1
    homes, rest, rest_prices = np.empty(n_rows, np.int64), np.empty_like(cells), np.empty(n_rows, np.int64)
    closed, own = np.empty((n_clusters, n_planes), np.int64), np.empty(n_clusters, np.int64)
    for c in range(n_clusters):
        homes[offsets[c] : offsets[c + 1]] = c
        for p in range(n_planes):
            closed[c, p] = _close(space, p, cells, rest, offsets[c], offsets[c + 1])
        own[c] = _price(space, closed, c, closed, c, _DEAR)
    for i in range(n_rows):
        rest_prices[i] = _price(space, rest, i, rest, i, _DEAR)
    return Clusters(cells, homes, offsets, closed, own, rest, rest_prices)


@kernel
def nearest(space: Space, cells: Array, n_near: int) -> Array:
    """For each row ``cells[:, row]``, the other rows whose joins with it are cheapest. O(rows² · planes)."""
    n = cells.shape[1]
    near, prices, costs = np.empty((n, n_near), np.int64), np.empty(n, np.int32), np.empty(n_near, np.int32)
    for i in range(n):
        scan(space, cells.shape[0], cells, 0, n, cells, i, prices)
        prices[i] = _FAR
        costs[:] = _FAR
        near[i, :] = i
        for j in range(n):
            if prices[j] < costs[n_near - 1]:
                at = n_near - 1
                while at > 0 and costs[at - 1] > prices[j]:
                    costs[at], near[i, at] = costs[at - 1], near[i, at - 1]
                    at -= 1
                costs[at], near[i, at] = prices[j], j
    return near


@inner
def _option(room: _Room, d: int, row: int, change: int) -> None:
    """Keep the row as a candidate for step ``d`` if it is among the best."""
    rows, sums, most = room.options[d], room.option_sums[d], room.options.shape[1]
    at = room.n_options[d]
    if at < most:
        room.n_options[d] += 1
    elif change < sums[most - 1]:
        at = most - 1
    else:
        return
    while at > 0 and sums[at - 1] > change:
        sums[at], rows[at] = sums[at - 1], rows[at - 1]
        at -= 1
    sums[at], rows[at] = change, row


@inner
def _look(
    space: Space, clusters: Clusters, near: Array, locked: Array, room: _Room, d: int, can_end: bool, goes_on: bool
) -> tuple[int, int]:
    """Find the cheapest way to end a chain with its last row, and collect the rows that it could replace instead.

    Returns the change and the final cluster. Only changes below zero are followed: every improving cycle has a starting
    row from which all partial sums are negative.
    """
    row, offsets, best, end = room.rows[d], clusters.offsets, np.int64(0), -1
    room.n_options[d] = 0
    room.n_looks[0] += 1
    for s in range(d + 1):
        room.seen[clusters.homes[room.rows[s]]] = room.n_looks[0]
    for t in range(near.size):
        c = clusters.homes[near[t]]
        if locked[c] or room.seen[c] == room.n_looks[0]:
            continue
        room.seen[c] = room.n_looks[0]
        size = offsets[c + 1] - offsets[c]
        before = room.sums[d] - size * clusters.own[c]
        if can_end:
            whole = _price(space, clusters.closed, c, clusters.cells, row, (best - before) // (size + 1))
            change = before + (size + 1) * whole
            if change < best:
                best, end = change, c
        if goes_on:
            most = (-1 - before) // size
            for out in range(offsets[c], offsets[c] + min(size, _MEMBERS)):
                if clusters.rest_prices[out] <= most:
                    change = before + size * _price(space, clusters.rest, out, clusters.cells, row, most)
                    if change < 0:
                        _option(room, d, out, change)
    return int(best), end


@inner
def _best(
    space: Space, clusters: Clusters, near: Array, kinds: Array, locked: Array, k: int, room: _Room, chain: Array
) -> tuple[int, int, int]:
    """The best chain that begins with ``chain[0]``: its change (0: none), its length and its last cluster."""
    depth, first = room.options.shape[0], chain[0]
    home = clusters.homes[first]
    size = clusters.offsets[home + 1] - clusters.offsets[home]
    cost, spares = size * clusters.own[home], size > k
    room.rows[0], room.sums[0] = first, (size - 1) * clusters.rest_prices[first] - cost if spares else 0
    best, length, last, d, is_new = np.int64(0), 0, -1, 0, True
    while d >= 0:
        row = room.rows[d]
        if is_new:
            change, end = _look(space, clusters, near[kinds[row]], locked, room, d, spares, d + 1 < depth)
            if d > 0 and not spares:
                before = room.sums[d] - cost
                whole = _price(space, clusters.rest, first, clusters.cells, row, (best - before) // size)
                change = before + size * whole
                end = home
            if change < best:
                best, length, last = change, d + 1, end
                chain[: d + 1] = room.rows[: d + 1]
        is_new = room.n_options[d] > 0
        if not is_new:
            d -= 1
            continue
        room.n_options[d] -= 1
        at = room.n_options[d]
        d += 1
        room.rows[d], room.sums[d] = room.options[d - 1, at], room.option_sums[d - 1, at]
    return int(best), length, last


@kernel
def chains(
    space: Space,
    clusters: Clusters,
    near: Array,
    kinds: Array,
    k: int,
    n_tries: int,
    most_rows: int,
    n_options: int,
    state: Array,
) -> tuple[Array, Array]:
    """From each of ``n_tries`` random rows, apply the best chain if it improves the clustering.

    Returns the new cluster of each row, and the change it is part of. A row may move to the clusters of the rows
    ``near[kinds[row]]``. Chains move up to ``most_rows`` rows, and at each step the ``n_options`` best are followed.
    Changes are independent of each other, as in ``search``. A try costs O(planes · near rows · rows of a cluster) for
    each of up to n_options ** (most_rows − 1) steps, of which few are taken because few improve.
    """
    homes, changes = clusters.homes.copy(), np.full(clusters.homes.size, -1, np.int64)
    locked, chain, n_changes = np.zeros(clusters.own.size, np.bool_), np.empty(most_rows, np.int64), 0
    room = _Room(
        np.empty(most_rows + 1, np.int64),
        np.zeros(most_rows + 1, np.int64),
        np.empty((most_rows, n_options), np.int64),
        np.empty((most_rows, n_options), np.int64),
        np.zeros(most_rows, np.int64),
        np.zeros(locked.size, np.int64),
        np.zeros(1, np.int64),
    )
    for _ in range(n_tries):
        chain[0] = below(state, homes.size)
        if locked[clusters.homes[chain[0]]]:
            continue
        gain, length, last = _best(space, clusters, near, kinds, locked, k, room, chain)
        if gain >= 0:
            continue
        for t in range(length + 1):
            c = last if t == length else clusters.homes[chain[t]]
            locked[c] = True
            changes[clusters.offsets[c] : clusters.offsets[c + 1]] = n_changes
            if t > 0:
                homes[chain[t - 1]] = c
        n_changes += 1
    return homes, changes
