"""Find cuts: sets of rows whose groups, taken in parts, count for more than whole groups can.

For a set of n rows and a divisor d, add up how often each group holds d rows of the set: for whole groups at most
⌊n / d⌋, because no row is in two of them, but more for groups in parts (Chvátal, 1973; with three rows and d = 2 these
are the subset-row inequalities of Jepsen et al., 2008).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel

_NEAR = -0.35
"""A set that is grown to the right size is improved if its groups count for no less than this beyond the limit."""

_SWAPS = 40
"""How many rows are replaced at most."""

_MOST_SEEN = 6_000
"""How many rows are candidates at most when a row is added."""


class Used(NamedTuple):
    """Groups used in part: their distinct rows and how many of each (CSR), and the groups of each row (CSR)."""

    starts: Array
    rows: Array
    counts: Array
    uses: Array
    at: Array
    groups: Array
    of_row: Array


class _Set(NamedTuple):
    """A set of rows that grows: ``held[g]`` rows of group ``g`` are in it, and ``touched`` lists those groups.

    ``value[n]`` is what n rows of a group count for; ``inside`` and ``seen`` are flags, ``gains`` is 0 outside of use.
    """

    rows: Array
    inside: Array
    held: Array
    touched: Array
    seen: Array
    gains: Array
    candidates: Array
    value: Array


@inner
def _empty(widest: int, n_rows: int, n_groups: int, divisor: int, bend: float, most: int) -> _Set:
    """An empty set. Each ``divisor`` rows of a group count for 1, and a rest for at most ``bend``, more than linearly.

    So rows are preferred that complete a group's next ``divisor`` rows.
    """
    value = np.empty(most + 1)
    for n in range(most + 1):
        rest = (n % divisor) / divisor
        value[n] = n // divisor + bend * rest * rest
    return _Set(
        np.empty(widest + 1, np.int32),
        np.zeros(n_rows, np.bool_),
        np.zeros(n_groups, np.int64),
        np.empty(n_groups, np.int64),
        np.zeros(n_groups, np.bool_),
        np.zeros(n_rows),
        np.empty(_MOST_SEEN, np.int64),
        value,
    )


@inner
def _add(row: int, n: int, n_touched: int, used: Used, grown: _Set) -> int:
    """Make a row the set's ``n``-th; return how many groups are touched then."""
    grown.rows[n], grown.inside[row] = row, True
    for at in range(used.at[row], used.at[row + 1]):
        group = used.groups[at]
        if not grown.seen[group]:
            grown.seen[group], grown.touched[n_touched] = True, group
            n_touched += 1
        grown.held[group] += used.of_row[at]
    return n_touched


@inner
def _clear(n: int, n_touched: int, grown: _Set) -> None:
    for t in range(n):
        grown.inside[grown.rows[t]] = False
    for t in range(n_touched):
        grown.held[grown.touched[t]], grown.seen[grown.touched[t]] = 0, False


@inner
def _best_row(room: int, n_touched: int, used: Used, weights: Array, may: Array, grown: _Set) -> int:
    """The row to add: the one that raises the value of touched groups most for its weight; −1 if there is none."""
    n, best, chosen = 0, -1.0, -1
    for t in range(n_touched):
        group = grown.touched[t]
        held = grown.held[group]
        for at in range(used.starts[group], used.starts[group + 1] if held > 0 else used.starts[group]):
            row = used.rows[at]
            if grown.inside[row] or not may[row] or weights[row] > room:
                continue
            if grown.gains[row] == 0.0:
                if n == _MOST_SEEN:
                    continue
                grown.candidates[n] = row
                n += 1
            more = grown.value[held + used.counts[at]] - grown.value[held]
            grown.gains[row] += used.uses[group] * more + 1e-15
    for t in range(n):
        row = grown.candidates[t]
        if grown.gains[row] / weights[row] > best:
            best, chosen = grown.gains[row] / weights[row], row
        grown.gains[row] = 0.0
    return chosen


@inner
def _worst_row(n: int, used: Used, weights: Array, grown: _Set) -> int:
    """Where the row is whose removal lowers the value of groups least for its weight."""
    least, chosen = np.inf, 0
    for t in range(n):
        row, less = grown.rows[t], 0.0
        for at in range(used.at[row], used.at[row + 1]):
            held = grown.held[used.groups[at]]
            less += used.uses[used.groups[at]] * (grown.value[held] - grown.value[held - used.of_row[at]])
        if less / weights[row] < least:
            least, chosen = less / weights[row], t
    return chosen


@inner
def _counted(n_touched: int, divisor: int, used: Used, grown: _Set) -> tuple[float, float]:
    """For how much the touched groups count, and their value."""
    counted, value = 0.0, 0.0
    for t in range(n_touched):
        group = grown.touched[t]
        counted += used.uses[group] * (grown.held[group] // divisor)
        value += used.uses[group] * grown.value[grown.held[group]]
    return counted, value


@inner
def _keep(limit: int, over: float, n: int, grown: _Set, rows: Array, counts: Array, excess: Array) -> None:
    """Note the set as the best for its limit on whole groups."""
    excess[limit], counts[limit] = over, n
    for t in range(n):
        rows[limit, t] = grown.rows[t]


@inner
def _grow(
    seed: int, divisor: int, widest: int, used: Used, weights: Array, may: Array, grown: _Set,
    rows: Array, counts: Array, excess: Array,
) -> None:  # fmt: skip
    """From the rows of a group, add the best row again and again; keep the best set for each limit on whole groups."""
    n, n_touched, weight = 0, 0, 0
    for limit in range(excess.size):
        excess[limit], counts[limit] = -np.inf, 0
    for at in range(used.starts[seed], used.starts[seed + 1]):
        row = used.rows[at]
        if may[row] and weight < divisor and weight + weights[row] < 2 * divisor:
            n_touched = _add(row, n, n_touched, used, grown)
            n += 1
            weight += weights[row]
    while True:
        limit = weight // divisor
        over = _counted(n_touched, divisor, used, grown)[0] - limit
        if limit > 0 and over > excess[limit]:
            _keep(limit, over, n, grown, rows, counts, excess)
        row = _best_row(widest - weight, n_touched, used, weights, may, grown)
        if row < 0:
            break
        n_touched = _add(row, n, n_touched, used, grown)
        n += 1
        weight += weights[row]
    _clear(n, n_touched, grown)


@inner
def _swap(
    limit: int, divisor: int, used: Used, weights: Array, may: Array, grown: _Set,
    rows: Array, counts: Array, excess: Array,
) -> None:  # fmt: skip
    """Fill the set for a limit up, and replace its worst row by the best one as long as its groups' value rises."""
    n, n_touched, weight, before, widest, n_swaps = 0, 0, 0, -np.inf, (limit + 1) * divisor - 1, 0
    for t in range(counts[limit]):
        n_touched = _add(rows[limit, t], n, n_touched, used, grown)
        n += 1
        weight += weights[rows[limit, t]]
    while n_swaps < _SWAPS:
        row = _best_row(widest - weight, n_touched, used, weights, may, grown)
        if row >= 0:
            n_touched = _add(row, n, n_touched, used, grown)
            n += 1
            weight += weights[row]
            continue
        n_swaps += 1
        counted, value = _counted(n_touched, divisor, used, grown)
        if counted - weight // divisor > excess[limit]:
            _keep(limit, counted - weight // divisor, n, grown, rows, counts, excess)
        if value <= before + 1e-9:
            break
        before = value
        at = _worst_row(n, used, weights, grown)
        row = grown.rows[at]
        grown.inside[row], grown.rows[at] = False, grown.rows[n - 1]
        n -= 1
        weight -= weights[row]
        for place in range(used.at[row], used.at[row + 1]):
            grown.held[used.groups[place]] -= used.of_row[place]
    _clear(n, n_touched, grown)


@kernel
def overfull(
    seeds: Array, divisor: int, limit: int, bend: float, used: Used, weights: Array, may: Array, least: float,
    out: Array,
) -> tuple[Array, Array]:  # fmt: skip
    """From each seed, a group, grow sets of rows into which at most 1, 2, … ``limit`` groups' ``divisor`` rows fit.

    Only rows that ``may`` be are added, with all their copies. Writes the sets whose groups count for more than fits,
    by more than ``least``, to ``out`` and returns their numbers of distinct rows, and by how much it is more.
    O(seeds · rows of a set · rows of the groups around it).
    """
    widest, most = (limit + 1) * divisor - 1, 1
    for group in range(used.uses.size):
        size = 0
        for at in range(used.starts[group], used.starts[group + 1]):
            size += used.counts[at]
        most = max(most, size)
    grown = _empty(widest, weights.size, used.uses.size, divisor, bend, most)
    rows, counts, excess = (
        np.empty((limit + 1, widest + 1), np.int32),
        np.zeros(limit + 1, np.int64),
        np.zeros(limit + 1),
    )
    sizes, over, found = np.zeros(seeds.size * limit, np.int64), np.zeros(seeds.size * limit), 0
    for seed in seeds:
        _grow(seed, divisor, widest, used, weights, may, grown, rows, counts, excess)
        for fit in range(1, limit + 1):
            if counts[fit] > 0 and excess[fit] > _NEAR:
                _swap(fit, divisor, used, weights, may, grown, rows, counts, excess)
            if excess[fit] > least:
                sizes[found], over[found] = counts[fit], excess[fit]
                for t in range(counts[fit]):
                    out[found, t] = rows[fit, t]
                found += 1
    return sizes[:found].copy(), over[:found].copy()
