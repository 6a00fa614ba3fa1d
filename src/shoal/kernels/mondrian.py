"""Mondrian's two steps on many groups at once: propose a cut for each, and make the cuts.

Rows are stored column by column, with the rows of one group adjacent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.small import first_at_least, sort_part

_ALL = np.int64(1) << 40


class Geometry(NamedTuple):
    """The columns, flattened.

    The nodes above each leaf (column ``c`` from ``at[c]``, level by level, ``widths[c]`` leaves each), the positions of
    the leaves (from ``points_at[c]``), and whether cells are closed to nodes.
    """

    node_low: Array
    node_high: Array
    at: Array
    widths: Array
    widest: int
    points: Array
    points_at: Array
    closes: Array
    max_depth: int


class Rules(NamedTuple):
    """Rules for cuts: the minimum size of a side, whether to try every cut, whether to split equal values."""

    floor: int
    thorough: bool
    relaxed: bool


class Plan(NamedTuple):
    """A cut per group: rows of ``column`` below ``cut`` go left, as do the first ``ties`` rows equal to it."""

    column: Array
    cut: Array
    ties: Array
    n_left: Array


@inner
def _tally(
    column: Array, start: int, stop: int, low: int, high: int, counts: Array, values: Array, running: Array
) -> int:
    """List a segment's distinct values, ascending, with running totals; return how many. Leaves ``counts`` zero."""
    n, found, total = stop - start, 0, 0
    if high - low > 8 * n:
        for i in range(n):
            values[i] = column[start + i]
        sort_part(values, 0, n)
        for i in range(n):
            if i + 1 == n or values[i + 1] != values[i]:
                values[found] = values[i]
                running[found] = i + 1
                found += 1
        return found
    for i in range(start, stop):
        counts[column[i]] += 1
    for code in range(low, high + 1):
        if counts[code] > 0:
            total += counts[code]
            values[found] = code
            running[found] = total
            counts[code] = 0
            found += 1
    return found


@inner
def _count_up_to(values: Array, running: Array, found: int, code: int) -> int:
    """How many rows have a code of at most ``code``."""
    at = first_at_least(values, 0, found, code + 1)
    return int(running[at - 1]) if at > 0 else 0


@inner
def _boundaries(
    c: int, low: int, high: int, found: int, values: Array, running: Array, shape: Geometry, cuts: Array, lefts: Array
) -> None:
    """Candidate cuts of column ``c``: on each depth below its node, before and after the child with the median."""
    n = running[found - 1]
    median = values[first_at_least(running, 0, found, (n + 1) // 2)]
    at, width, level = shape.at[c], shape.widths[c], 0
    while shape.node_high[at + level * width + low] < high:
        level += 1
    for depth in range(cuts.shape[1]):
        cuts[c, depth, 0] = cuts[c, depth, 1] = -1
        if depth >= level:
            continue
        node = at + (level - 1 - depth) * width + median
        after, before = np.int64(shape.node_high[node]), np.int64(shape.node_low[node] - 1)
        n_after = _count_up_to(values, running, found, after)
        n_before = _count_up_to(values, running, found, before)
        better = 0 if min(n_after, n - n_after) >= min(n_before, n - n_before) else 1
        cuts[c, depth, better], lefts[c, depth, better] = after, n_after
        cuts[c, depth, 1 - better], lefts[c, depth, 1 - better] = before, n_before


@inner
def _spread(c: int, low: int, high: int, shape: Geometry) -> float:
    """The width of the group in column ``c``, closed to its node if cells close to nodes; −1 if it has one value."""
    if low == high:
        return -1.0
    if shape.closes[c]:
        node = shape.at[c] + low
        while shape.node_high[node] < high:
            node += shape.widths[c]
        low, high = shape.node_low[node], shape.node_high[node]
    return float(shape.points[shape.points_at[c] + high] - shape.points[shape.points_at[c] + low])


@inner
def _rank_columns(
    data: Array, start: int, stop: int, shape: Geometry, ranked: Array, lows: Array, highs: Array
) -> None:
    """Order columns by the group's width, widest first; ties by fewer leaves, then by position."""
    spreads = np.zeros(data.shape[0])
    for c in range(data.shape[0]):
        smallest = largest = data[c, start]
        for i in range(start + 1, stop):
            value = data[c, i]
            smallest = min(smallest, value)
            largest = max(largest, value)
        lows[c], highs[c] = smallest, largest
        spreads[c] = _spread(c, lows[c], highs[c], shape)
        place = c
        while place > 0:
            other = ranked[place - 1]
            wider = spreads[c] > spreads[other] + 1e-12
            tied = abs(spreads[c] - spreads[other]) <= 1e-12 and shape.widths[c] < shape.widths[other]
            if not (wider or tied):
                break
            ranked[place] = other
            place -= 1
        ranked[place] = c


@kernel
def _outward(step: int, middle: int, n: int) -> int:
    """The ``step``-th of ``0 … n − 1`` in order of distance from ``middle``, the lower of two first."""
    reach = min(middle, n - 1 - middle)
    if step <= 2 * reach:
        return middle - (step + 1) // 2 if step % 2 else middle + step // 2
    return step if middle < n - 1 - middle else n - 1 - step


@kernel
def propose(
    data: Array, offsets: Array, first: int, last: int, rules: Rules, shape: Geometry, tries: Array, plan: Plan
) -> None:
    """Propose for groups ``first … last − 1`` the next cut that leaves ``rules.floor`` rows on both sides.

    ``tries[g]`` says how many attempts were rejected before, and is advanced; ``plan.column[g]`` is −1 if none is left.
    Attempts: columns from widest to narrowest, at the children of the group's node, the better balanced side of the
    median first; then the same one level further down, and so on; then, with ``rules.thorough``, every cut of every
    column from the median outward; finally, with ``rules.relaxed``, halves of equal size with equal values on both
    sides. O(rows · columns) for the first attempts.
    """
    n_columns = data.shape[0]
    counts = np.zeros(shape.widest, np.int64)
    values = np.zeros(shape.widest, np.int64)
    running = np.zeros(shape.widest, np.int64)
    ranked = np.zeros(n_columns, np.int64)
    lows = np.zeros(n_columns, np.int64)
    highs = np.zeros(n_columns, np.int64)
    cuts = np.zeros((n_columns, shape.max_depth, 2), np.int64)
    lefts = np.zeros((n_columns, shape.max_depth, 2), np.int64)
    n_strict = shape.max_depth * n_columns * 2
    n_cuts = n_strict + (n_columns * shape.widest if rules.thorough else 0)
    least = max(1, rules.floor)
    for g in range(first, last):
        start, stop = offsets[g], offsets[g + 1]
        n = stop - start
        plan.column[g] = -1
        if n < 2 * least:
            continue
        _rank_columns(data, start, stop, shape, ranked, lows, highs)
        known = np.zeros(n_columns, np.bool_)
        tallied, found = -1, 0
        attempt = tries[g]
        while attempt < n_cuts + rules.relaxed * n_columns and plan.column[g] < 0:
            number, attempt = attempt, attempt + 1
            halves, beside = number >= n_cuts, number < n_strict
            rank = (
                number - n_cuts
                if halves
                else number // 2 % n_columns
                if beside
                else (number - n_strict) // shape.widest
            )
            c = ranked[rank]
            if lows[c] == highs[c]:
                attempt = attempt if beside or halves else n_strict + (rank + 1) * shape.widest
                continue
            if tallied != c and not (beside and known[c]):
                found = _tally(data[c], start, stop, lows[c], highs[c], counts, values, running)
                tallied, known[c] = c, True
                _boundaries(c, lows[c], highs[c], found, values, running, shape, cuts, lefts)
            cut, left, ties = -1, 0, _ALL
            if halves:
                half = first_at_least(running, 0, found, n // 2)
                cut, left, ties = values[half], n // 2, n // 2 - (running[half - 1] if half > 0 else 0)
            elif beside:
                depth, side = number // (2 * n_columns), number % 2
                cut, left = cuts[c, depth, side], lefts[c, depth, side]
            elif (number - n_strict) % shape.widest < found - 1:
                middle = min(first_at_least(running, 0, found, (n + 1) // 2), found - 2)
                at = _outward((number - n_strict) % shape.widest, middle, found - 1)
                cut, left = values[at], running[at]
            else:
                attempt = n_strict + (rank + 1) * shape.widest
            if cut >= 0 and left >= least and n - left >= least:
                plan.column[g], plan.cut[g], plan.n_left[g], plan.ties[g] = c, cut, left, ties
        tries[g] = attempt


@kernel
def carry_out(
    data: Array,
    rows: Array,
    offsets: Array,
    first: int,
    last: int,
    plan: Plan,
    starts: Array,
    new_data: Array,
    new_rows: Array,
) -> None:
    """Move the rows of the groups that have a cut to ``starts[g]`` of the new arrays, left part first, order preserved.

    Groups without a cut are omitted. O(rows · columns).
    """
    longest = 0
    for g in range(first, last):
        longest = max(longest, offsets[g + 1] - offsets[g])
    places = np.zeros(longest, np.int64)
    for g in range(first, last):
        if plan.column[g] < 0:
            continue
        start, n, left, right = offsets[g], offsets[g + 1] - offsets[g], starts[g], starts[g] + plan.n_left[g]
        chosen, cut, spare = data[plan.column[g]], plan.cut[g], plan.ties[g]
        for i in range(n):  # no branches, because the side is nearly random
            value = chosen[start + i]
            tied = np.int64(value == cut) * np.int64(spare > 0)
            goes_left = np.int64(value < cut) | tied
            spare -= tied
            places[i] = goes_left * left + (1 - goes_left) * right
            left += goes_left
            right += 1 - goes_left
        for c in range(data.shape[0]):
            for i in range(n):
                new_data[c, places[i]] = data[c, start + i]
        for i in range(n):
            new_rows[places[i]] = rows[start + i]
