"""The cheapest cells around each row that hold at least k rows: exact, by one walk over all combinations of levels.

On a combination of levels, one per column, the rows fall into classes with the same nodes. Generalizing a column merges
classes, so classes are rolled up from those below, and every combination is reached once because columns go up in
order. A class with k rows offers its price to all of its rows. A branch is pruned when no class in it could still offer
any of its rows a lower price.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel


class Ladders(NamedTuple):
    """Leaf ``x`` of column ``c`` lies under node ``above[at[c] + level · widths[c] + x]``, for ``levels[c]`` levels.

    ``prices``, ``bounds`` (the least price from there up) and ``marks`` (a random number per node) have the same
    layout.
    """

    at: Array
    widths: Array
    levels: Array
    above: Array
    prices: Array
    bounds: Array
    marks: Array


class Classes(NamedTuple):
    """Rows with the same nodes: the first row, the numbers of rows and of free rows, hash, price, bound, most paid."""

    first: Array
    size: Array
    free: Array
    mark: Array
    price: Array
    bound: Array
    most: Array


@inner
def _merge(ladders: Ladders, codes: Array, level: Array, c: int, below: Classes, best: Array) -> tuple[Classes, Array]:
    """Merge classes as column ``c`` goes up one level; return the classes and the new class of each old one."""
    n = below.first.size
    size = 16
    while size < 2 * n:
        size *= 2
    slots = np.full(size, -1, np.int32)
    ids = np.empty(n, np.int32)
    first, count, free = np.empty(n, np.int32), np.zeros(n, np.int64), np.zeros(n, np.int64)
    mark = np.empty(n, np.uint64)
    price, bound, most = np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n, np.int64)
    here = ladders.at[c] + level[c] * ladders.widths[c]
    up = here + ladders.widths[c]
    found = 0
    for g in range(n):
        code = codes[below.first[g], c]
        h = below.mark[g] - ladders.marks[here + code] + ladders.marks[up + code]
        slot = (h ^ (h >> np.uint64(31))) & np.uint64(size - 1)
        while slots[slot] >= 0:
            known = slots[slot]
            if mark[known] == h and _same(ladders, codes, level, c, first[known], below.first[g]):
                break
            slot = (slot + np.uint64(1)) & np.uint64(size - 1)
        known = slots[slot]
        if known < 0:
            known = found
            slots[slot] = known
            first[known], mark[known] = below.first[g], h
            price[known] = below.price[g] - ladders.prices[here + code] + ladders.prices[up + code]
            bound[known] = below.bound[g] - ladders.bounds[here + code] + ladders.bounds[up + code]
            found += 1
        count[known] += below.size[g]
        free[known] += below.free[g]
        most[known] = max(most[known], best[g])
        ids[g] = known
    m = found
    return Classes(first[:m], count[:m], free[:m], mark[:m], price[:m], bound[:m], most[:m]), ids


@inner
def _same(ladders: Ladders, codes: Array, level: Array, up: int, one: int, other: int) -> bool:
    """Whether two rows lie under the same nodes when column ``up`` is one level higher."""
    for c in range(level.size):
        at = ladders.at[c] + (level[c] + (c == up)) * ladders.widths[c]
        if ladders.above[at + codes[one, c]] != ladders.above[at + codes[other, c]]:
            return False
    return True


@inner
def _offer(ladders: Ladders, k: int, users: int, level: Array, here: Classes, best: Array, where: Array) -> None:
    """Let each class with k rows, enough of them free, offer its price; levels are encoded as one number."""
    number = np.int64(0)
    for c in range(level.size):
        number = number * ladders.levels[c] + level[c]
    for g in range(best.size):
        best[g], where[g] = here.most[g], -1
        if here.size[g] >= k and here.free[g] >= users and here.price[g] < best[g]:
            best[g], where[g] = here.price[g], number


@inner
def _may_improve(classes: Classes) -> bool:
    """Whether some class could still offer a row less than the row pays."""
    may = False
    for g in range(classes.first.size):
        may |= classes.bound[g] < classes.most[g]
    return may


@inner
def _pass_down(best: Array, where: Array, ids: Array, above: Array, above_where: Array) -> None:
    """Pass what merged classes have found down to the classes that were merged into them."""
    for g in range(best.size):
        if above_where[ids[g]] >= 0 and above[ids[g]] < best[g]:
            best[g], where[g] = above[ids[g]], above_where[ids[g]]


@inner
def _walk(ladders: Ladders, codes: Array, k: int, users: int, here: Classes, work: int) -> tuple[Array, Array, int]:
    """For each class: the least price on any combination of levels, that combination, and the work left.

    Depth first with explicit stacks: the combination at ``depth`` went up in column ``turns[depth − 1] − 1``.
    """
    n_columns = codes.shape[1]
    level, turns = np.zeros(n_columns, np.int64), np.zeros(1 + np.sum(ladders.levels), np.int64)
    raised = np.zeros(turns.size, np.int64)
    best, where = np.empty(here.first.size, np.int64), np.empty(here.first.size, np.int64)
    _offer(ladders, k, users, level, here, best, where)
    stack, ids, bests, wheres = [here], [np.zeros(0, np.int32)], [best], [where]
    depth = 0
    while True:
        c = turns[depth]
        if c == n_columns or work <= 0:
            if depth == 0:
                break
            stack.pop()
            _pass_down(bests[depth - 1], wheres[depth - 1], ids.pop(), bests.pop(), wheres.pop())
            level[raised[depth]] -= 1
            depth -= 1
            continue
        turns[depth] += 1
        if level[c] + 1 == ladders.levels[c]:
            continue
        work -= stack[depth].first.size
        above, into = _merge(ladders, codes, level, c, stack[depth], bests[depth])
        if not _may_improve(above):
            continue
        level[c] += 1
        best, where = np.empty(above.first.size, np.int64), np.empty(above.first.size, np.int64)
        _offer(ladders, k, users, level, above, best, where)
        stack.append(above)
        ids.append(into)
        bests.append(best)
        wheres.append(where)
        depth += 1
        turns[depth], raised[depth] = c, c
    return bests[0], wheres[0], work


@kernel
def cheapest_classes(
    ladders: Ladders, codes: Array, people: Array, free: Array, most: Array, k: int, users: int, work: int
) -> tuple[Array, Array, bool]:
    """For each row: the least price below ``most`` of cells with k rows, their levels, and whether that is proven.

    At least ``users`` of the k rows must be free; ``free`` counts the free ones among equal rows.

    ``codes[row, column]`` are distinct rows and ``people`` how often each occurs. Levels are encoded as one number, −1
    if nothing below ``most`` was found. Gives up after merging ``work`` classes.
    O(classes on all combinations of levels that are visited) time.
    """
    n, n_columns = codes.shape
    mark, price, bound = np.zeros(n, np.uint64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        for c in range(n_columns):
            at = ladders.at[c] + codes[i, c]
            mark[i] += ladders.marks[at]
            price[i] += ladders.prices[at]
            bound[i] += ladders.bounds[at]
    here = Classes(np.arange(n).astype(np.int32), people.copy(), free.copy(), mark, price, bound, most.copy())
    best, where, left = _walk(ladders, codes, k, users, here, work)
    return best, where, left > 0
