"""Large-neighbourhood search: dissolve a few neighbouring clusters, recluster their rows, keep improvements."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_noise import below, fraction
from shoal.kernels.clustering_polish import polish
from shoal.kernels.clustering_pool import CELLS, COLOUR, GROUP, Mix, Pool, make_pool, rebuild
from shoal.kernels.clustering_space import Space, closures, scan
from shoal.kernels.decorators import inner, kernel

_TRIES = 64
_MOVES = 100


class Search(NamedTuple):
    """Parameters of the search.

    A pool has at most ``most_rows`` rows and ``most_neighbours`` neighbours of the first cluster; ``noise`` is that of
    a rebuild. ``pull`` is the price at which a cluster is chosen as the first half as often as the most expensive ones;
    clusters that cost nothing are never chosen. New clusters have at least k to k + ``spread`` rows (drawn for each
    step) and the mix. A change that raises the cost by ``x`` is kept with probability exp(−x / ``heat``).
    """

    most_rows: int
    most_neighbours: int
    noise: float
    pull: float
    spread: int
    mix: Mix
    heat: float


@inner
def _first(homes: Array, own: Array, locked: Array, pull: float, state: Array) -> int:
    """A random row of an open cluster, expensive clusters being likelier; −1 if none was found."""
    for _ in range(_TRIES):
        row = below(state, homes.size)
        dear = own[homes[row]]
        if not locked[homes[row]] and fraction(state) * (dear + pull) < dear:
            return int(row)
    return -1


@inner
def _neighbours(
    n: int, home: int, own: Array, sizes: Array, locked: Array, prices: Array, near: Array, costs: Array
) -> int:
    """List a row's own cluster and the ``n`` open ones to which it would add the least cost; return how many."""
    near[0] = home
    found = 1
    for c in range(sizes.size):
        if locked[c] or c == home:
            continue
        added = prices[c] + sizes[c] * (prices[c] - own[c])
        if found <= n:
            found += 1
        elif added >= costs[found - 1]:
            continue
        at = found - 1
        while at > 1 and costs[at - 1] > added:
            costs[at], near[at] = costs[at - 1], near[at - 1]
            at -= 1
        costs[at], near[at] = added, c
    return found


@inner
def _gather(
    pool: Pool, cells: Array, colours: Array, offsets: Array, near: Array, found: int, rows: Array
) -> tuple[int, int]:
    """Put the rows of the nearest clusters into the pool while they fit; return the number of rows and of clusters."""
    n, used = 0, 0
    while used < found and n + offsets[near[used] + 1] - offsets[near[used]] <= rows.size:
        for row in range(offsets[near[used]], offsets[near[used] + 1]):
            rows[n] = row
            for p in range(cells.shape[0]):
                pool.planes[CELLS, p, n] = cells[p, row]
            n += 1
        used += 1
    for i in range(n):
        pool.ints[COLOUR, i] = i
        for j in range(i):
            if colours[rows[j]] == colours[rows[i]]:
                pool.ints[COLOUR, i] = j
                break
    return n, used


class Work(NamedTuple):
    """Work space of a search: the new cluster of each row and the change that it is part of, and what is looked up."""

    homes: Array
    changes: Array
    before: Array
    closed: Array
    own: Array
    sizes: Array
    locked: Array
    pool: Pool
    rows: Array
    prices: Array
    near: Array
    costs: Array


def search(
    space: Space, cells: Array, colours: Array, offsets: Array, k: int, steps: int, how: Search, state: Array
) -> tuple[Array, Array]:
    """Try ``steps`` neighbourhoods of these clusters; return the new cluster of each row, and the change it is part of.

    Cluster ``c`` has the rows ``offsets[c] … offsets[c + 1] − 1``, and row ``i`` has the cells ``cells[:, i]`` and a
    colour. Each cluster is changed at most once, so changes are independent of each other and can be undone one by one:
    ``changes[row]`` is −1 if nothing changed, and rows of the same change have the same number. A step costs
    O(planes · clusters) to find neighbours and O(planes · rows²) in the pool.

    Arrays are allocated here, outside of the kernel, because each kind of allocation takes numba time to compile.
    """
    n_clusters, n_rows = offsets.size - 1, cells.shape[1]
    homes = np.repeat(np.arange(n_clusters, dtype=np.int64), np.diff(offsets))
    closed, own = closures(space, cells, offsets, np.arange(n_rows, dtype=np.int64))
    work = Work(
        homes=homes,
        changes=np.full(n_rows, -1, np.int64),
        before=homes.copy(),
        closed=closed,
        own=own,
        sizes=np.diff(offsets),
        locked=np.zeros(n_clusters, np.bool_),
        pool=make_pool(cells.shape[0], how.most_rows),
        rows=np.empty(how.most_rows, np.int64),
        prices=np.empty(n_clusters, np.int32),
        near=np.zeros(how.most_neighbours + 1, np.int64),
        costs=np.zeros(how.most_neighbours + 1, np.int64),
    )
    search_with(space, cells, colours, offsets, k, steps, how, state, work)
    return work.homes, work.changes


@kernel
def search_with(
    space: Space,
    cells: Array,
    colours: Array,
    offsets: Array,
    k: int,
    steps: int,
    how: Search,
    state: Array,
    work: Work,
) -> None:
    """Search with this work space, and leave the result in it."""
    homes, changes, before, closed, own, sizes, locked, pool, rows, prices, near, costs = work
    n_clusters = offsets.size - 1
    n_changes, fresh = 0, n_clusters
    for _ in range(steps):
        seed = _first(before, own, locked, how.pull, state)
        if seed < 0:
            break
        scan(space, cells.shape[0], closed, 0, n_clusters, cells, seed, prices)
        wanted = 1 + below(state, how.most_neighbours)
        found = _neighbours(wanted, before[seed], own, sizes, locked, prices, near, costs)
        n, used = _gather(pool, cells, colours, offsets, near, found, rows)
        if used < 2:
            continue
        old = np.int64(0)
        for c in range(used):
            old += sizes[near[c]] * own[near[c]]
        least = k + below(state, how.spread + 1)
        n_groups, new = rebuild(space, pool, n, min(least, n), how.mix, how.noise, state)
        if new == old:  # almost always the same clusters as before
            continue
        worse = polish(space, pool, n, n_groups, least, how.mix, _MOVES) - old
        if worse >= 0 and (how.heat <= 0 or worse >= -how.heat * np.log(1.0 - fraction(state))):
            continue
        for c in range(used):
            locked[near[c]] = True
        for i in range(n):
            homes[rows[i]], changes[rows[i]] = fresh + pool.ints[GROUP, i], n_changes
        fresh += n_groups
        n_changes += 1
