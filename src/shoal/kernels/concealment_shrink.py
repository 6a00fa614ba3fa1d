"""Narrow cells while the guarantees hold: enough fits and matches for rows and records, components kept connected.

A component stays strongly connected because every type keeps a path from its root and a path back. ``FROM_ROOT`` ranks
types so that each has a record that holds a row of lower rank, and ``TO_ROOT`` so that each lies inside a record whose
owner has a lower rank. As long as both hold, the paths exist, whatever else is removed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_records import Records, has_bit
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.planes import KIND, PRICES, SETS, TOP
from shoal.kernels.tariff import HIGH, LOW, NODES, PARENT, WORD, Tariff, is_tree, price_at

COMPONENT, FITS, MATCHES, FROM_ROOT, TO_ROOT, N_FROM, N_TO = range(7)
"""Rows of ``Standing.types``: the component, how many records fit and match, two ranks, and how many edges support
them."""

ROW_FITS, RECORD_FITS, ROW_MATCHES, RECORD_MATCHES = range(4)
"""Entries of ``Standing.needs``."""


class Standing(NamedTuple):
    """What must not be lost. Record ``j`` holds the types ``inside[starts[j] : starts[j] + lengths[j]]``.

    A match of type ``t`` and record ``j`` has a chance of about ``scales[0, t] · weights[j]``, which may be at most
    ``most``; ``scales[1, t]`` is the largest weight of a record around ``t``. With ``most`` above 1, chances are
    ignored.
    """

    types: Array
    needs: Array
    starts: Array
    lengths: Array
    inside: Array
    scales: Array
    weights: Array
    most: float


class Cut(NamedTuple):
    """A narrower cell: column, ends, node, and for sets the value that is removed (else −1)."""

    c: np.int64
    low: np.int64
    high: np.int64
    node: np.int64
    gone: np.int64


@inner
def _keeps(cut: Cut, code: int) -> bool:
    return bool(cut.low <= code <= cut.high and code != cut.gone)


@inner
def _child(tariff: Tariff, c: int, node: int, leaf: int) -> np.int64:
    """The child of ``node`` above a leaf."""
    at, below = tariff.planes[NODES, c], np.int64(leaf)
    while tariff.nodes[PARENT, at + below] != node:
        below = np.int64(tariff.nodes[PARENT, at + below])
    return below


@inner
def _ends(codes: Array, standing: Standing, j: int, c: int, above: int, below: int) -> tuple[np.int64, np.int64]:
    """The smallest and largest code in column ``c``, between two bounds, of the rows that record ``j`` holds."""
    low, high = np.int64(below), np.int64(above)
    for e in range(standing.starts[j], standing.starts[j] + standing.lengths[j]):
        code = np.int64(codes[standing.inside[e], c])
        if above <= code <= below:
            low, high = min(low, code), max(high, code)
    return low, high


@inner
def _cut(
    tariff: Tariff, codes: Array, records: Records, standing: Standing, j: int, owner: int, c: int, turn: int
) -> Cut:
    """The ``turn``-th way to narrow column ``c`` of record ``j`` around its owner's leaf; column −1 if there is none.

    A tree has one way: a step down. A range has two: drop its lowest or its highest value. A set has one for each other
    member, indexed by its place in the range.
    """
    low, high, node = np.int64(records.low[j, c]), np.int64(records.high[j, c]), np.int64(records.node[j, c])
    column, own, no = np.int64(c), np.int64(owner), np.int64(-1)
    kind = tariff.planes[KIND, c]
    if low == high:
        return Cut(no, low, high, node, no)
    if is_tree(tariff, c):
        below, at = _child(tariff, c, node, own), tariff.planes[NODES, c]
        ends = np.int64(tariff.nodes[LOW, at + below]), np.int64(tariff.nodes[HIGH, at + below])
        return Cut(column, ends[0], ends[1], below, no)
    if kind == SETS:
        gone = low + turn
        is_there = gone != own and has_bit(tariff, records.words[j], c, gone)
        return Cut(column if is_there else no, low, high, node - 1, gone)
    top = np.int64(tariff.planes[TOP, c])
    if high == top:
        ends = (top, top) if own == top else _ends(codes, standing, j, c, 0, top - 1)
        return Cut(column if turn == 0 else no, ends[0], ends[1], node, no)
    if turn == 0 and low < own:
        return Cut(column, _ends(codes, standing, j, c, low + 1, own)[0], high, node, no)
    if turn == 1 and high > own:
        return Cut(column, low, _ends(codes, standing, j, c, own, high - 1)[1], node, no)
    return Cut(no, low, high, node, no)


@inner
def _n_turns(tariff: Tariff, records: Records, j: int, c: int) -> int:
    kind = tariff.planes[KIND, c]
    if is_tree(tariff, c):
        return 1
    return 2 if kind != SETS else int(records.high[j, c]) - int(records.low[j, c]) + 1


@inner
def _may_lose(standing: Standing, t: int, home: int, chance: float) -> bool:
    """Whether type ``t`` can lose a fitting record of type ``home``."""
    types, needs = standing.types, standing.needs
    if types[FITS, t] - 1 < needs[ROW_FITS]:
        return False
    if types[COMPONENT, t] != types[COMPONENT, home]:
        return True
    if types[MATCHES, t] - 1 < needs[ROW_MATCHES]:
        return False
    if types[TO_ROOT, home] < types[TO_ROOT, t] and types[N_TO, t] < 2:
        return False
    if standing.most <= 1.0:
        return chance < 1.0 and standing.scales[0, t] * standing.scales[1, t] <= standing.most * (1.0 - chance)
    return True


@inner
def _is_allowed(
    codes: Array, people: Array, standing: Standing, j: int, home: int, cut: Cut
) -> tuple[bool, bool, float]:
    """Whether a cut breaks nothing; whether the record stops supporting the path from the root; its new weight."""
    types, needs, first = standing.types, standing.needs, standing.starts[j]
    n_fits, n_matches, upheld, upholds, lost = 0, 0, False, False, 0.0
    for e in range(first, first + standing.lengths[j]):
        t = standing.inside[e]
        is_match = types[COMPONENT, t] == types[COMPONENT, home]
        chance = standing.scales[0, t] * standing.weights[j] if is_match else 0.0
        lower = is_match and types[FROM_ROOT, t] < types[FROM_ROOT, home]
        upheld |= lower
        if _keeps(cut, codes[t, cut.c]):
            n_fits += people[t]
            upholds |= lower
            if is_match:
                n_matches += people[t]
        elif _may_lose(standing, t, home, chance):
            lost += people[t] * chance
        else:
            return False, False, 0.0
    ends = upheld and not upholds
    if n_fits < needs[RECORD_FITS] or n_matches < needs[RECORD_MATCHES] or (ends and types[N_FROM, home] < 2):
        return False, False, 0.0
    if standing.most > 1.0:
        return True, ends, standing.weights[j]
    if lost >= 1.0:
        return False, False, 0.0
    weight = standing.weights[j] / (1.0 - lost)
    for e in range(first, first + standing.lengths[j]):
        t = standing.inside[e]
        stays = types[COMPONENT, t] == types[COMPONENT, home] and _keeps(cut, codes[t, cut.c])
        if stays and standing.scales[0, t] * weight > standing.most:
            return False, False, 0.0
    return True, ends, weight


@inner
def _carry_out(
    tariff: Tariff, codes: Array, records: Records, standing: Standing, j: int, home: int, cut: Cut, weight: float
) -> None:
    """Narrow a record and update what is known about the types it lost."""
    types, first = standing.types, standing.starts[j]
    e, last = first, first + standing.lengths[j] - 1
    while e <= last:
        t = standing.inside[e]
        is_match = types[COMPONENT, t] == types[COMPONENT, home]
        if _keeps(cut, codes[t, cut.c]):
            if is_match:
                standing.scales[1, t] = max(standing.scales[1, t], weight)
            e += 1
            continue
        types[FITS, t] -= 1
        if is_match:
            types[MATCHES, t] -= 1
            types[N_TO, t] -= types[TO_ROOT, home] < types[TO_ROOT, t]
            standing.scales[0, t] /= 1.0 - standing.scales[0, t] * standing.weights[j]
        standing.inside[e], standing.inside[last] = standing.inside[last], t
        last -= 1
    standing.lengths[j] = last + 1 - first
    standing.weights[j] = weight
    records.low[j, cut.c], records.high[j, cut.c], records.node[j, cut.c] = cut.low, cut.high, cut.node
    if cut.gone >= 0:
        records.words[j, tariff.planes[WORD, cut.c] + (cut.gone >> 6)] &= ~(np.uint64(1) << np.uint64(cut.gone & 63))
        _trim(tariff, records, j, cut.c)


@inner
def _trim(tariff: Tariff, records: Records, j: int, c: int) -> None:
    """Move the ends of a set to its outermost members."""
    while not has_bit(tariff, records.words[j], c, records.low[j, c]):
        records.low[j, c] += 1
    while not has_bit(tariff, records.words[j], c, records.high[j, c]):
        records.high[j, c] -= 1


@inner
def _gain(tariff: Tariff, records: Records, j: int, cut: Cut) -> int:
    """What a cut saves."""
    c = cut.c
    before = price_at(tariff, PRICES, c, records.low[j, c], records.high[j, c], records.node[j, c])
    return int(before - price_at(tariff, PRICES, c, cut.low, cut.high, cut.node))


@inner
def _worth(tariff: Tariff, codes: Array, records: Records, standing: Standing, j: int, own: int, c: int) -> int:
    """The most that a cut of column ``c`` can save; −1 if there is none."""
    most = -1
    for turn in range(_n_turns(tariff, records, j, c)):
        cut = _cut(tariff, codes, records, standing, j, own, c, turn)
        if cut.c >= 0:
            most = max(most, _gain(tariff, records, j, cut))
            if tariff.planes[KIND, c] == SETS:
                break
    return most


@inner
def _cut_column(
    tariff: Tariff, codes: Array, people: Array, records: Records, standing: Standing, j: int, home: int, c: int
) -> int:
    """Make the first allowed cut of column ``c``; return what it saves, −1 if none is allowed."""
    for turn in range(_n_turns(tariff, records, j, c)):
        cut = _cut(tariff, codes, records, standing, j, codes[home, c], c, turn)
        if cut.c < 0:
            continue
        is_fine, ends, weight = _is_allowed(codes, people, standing, j, home, cut)
        if is_fine:
            saved = _gain(tariff, records, j, cut)
            standing.types[N_FROM, home] -= ends
            _carry_out(tariff, codes, records, standing, j, home, cut, weight)
            return int(saved)
    return -1


@kernel
def shrink(
    tariff: Tariff, codes: Array, people: Array, types: Array, order: Array, records: Records, standing: Standing
) -> int:
    """Narrow records in the given order, the most saving cut first, until none is allowed; return the total saving.

    O(rows inside · columns · levels) a record.
    """
    n_columns, gain = codes.shape[1], np.int64(0)
    worths = np.empty(n_columns, np.int64)
    for j in order:
        for c in range(n_columns):
            worths[c] = _worth(tariff, codes, records, standing, j, codes[types[j], c], c)
        while True:
            c = 0
            for other in range(1, n_columns):
                if worths[other] > worths[c]:
                    c = other
            if worths[c] < 0:
                break
            saved = _cut_column(tariff, codes, people, records, standing, j, types[j], c)
            worths[c] = -1
            if saved >= 0:
                gain += saved
                for again in range(n_columns):
                    worths[again] = _worth(tariff, codes, records, standing, j, codes[types[j], again], again)
    return int(gain)


@kernel
def rank(offsets: Array, heads: Array, components: Array, roots: Array) -> Array:
    """The distance of each node from its component's root, in edges inside the component. O(edges)."""
    n = components.size
    ranks, queue = np.full(n, n, np.int64), np.empty(n, np.int64)
    done, found = 0, roots.size
    for c in range(roots.size):
        ranks[roots[c]], queue[c] = 0, roots[c]
    while done < found:
        v = queue[done]
        done += 1
        for e in range(offsets[v], offsets[v + 1]):
            head = heads[e]
            if components[head] == components[v] and ranks[head] == n:
                ranks[head], queue[found] = ranks[v] + 1, head
                found += 1
    return ranks


@kernel
def take_stock(inside_at: Array, inside: Array, types: Array, standing: Array) -> None:
    """Count the records that fit and match each type, and the edges that support its ranks. O(entries)."""
    for j in range(types.size):
        home, upholds = types[j], False
        for e in range(inside_at[j], inside_at[j + 1]):
            t = inside[e]
            standing[FITS, t] += 1
            if standing[COMPONENT, t] == standing[COMPONENT, home]:
                standing[MATCHES, t] += 1
                standing[N_TO, t] += standing[TO_ROOT, home] < standing[TO_ROOT, t]
                upholds |= standing[FROM_ROOT, t] < standing[FROM_ROOT, home]
        standing[N_FROM, home] += upholds


@kernel
def scale(
    inside_at: Array,
    inside: Array,
    homes: Array,
    records: Array,
    people: Array,
    components: Array,
    scales: Array,
    weights: Array,
    rounds: int,
    close: float,
) -> float:
    """Sinkhorn scaling: factors for types and shapes whose products, as chances of matches, add up to 1 for each.

    Shape ``s`` has ``records[s]`` records in the component of type ``homes[s]``. Starts from the current scales;
    returns how far sums still were from 1. O(entries) a round.
    """  # fmt: skip
    sums, off = np.empty(people.size), 0.0
    for _ in range(rounds):
        sums[:] = 0.0
        for s in range(homes.size):
            total, home = 0.0, components[homes[s]]
            for e in range(inside_at[s], inside_at[s + 1]):
                t = inside[e]
                if components[t] == home:
                    total += people[t] * scales[0, t]
            weights[s] = 1.0 / total
            for e in range(inside_at[s], inside_at[s + 1]):
                if components[inside[e]] == home:
                    sums[inside[e]] += records[s] * weights[s]
        off = 0.0
        for t in range(people.size):
            off = max(off, abs(scales[0, t] * sums[t] - 1.0))
            scales[0, t] = 1.0 / sums[t]
        if off < close:
            break
    scales[1, :] = 0.0
    for s in range(homes.size):
        for e in range(inside_at[s], inside_at[s + 1]):
            t = inside[e]
            if components[t] == components[homes[s]]:
                scales[1, t] = max(scales[1, t], weights[s])
    return off
