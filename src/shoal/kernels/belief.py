"""How likely each match is, estimated: belief propagation, and samples of complete assignments.

Edges are listed by type of person: ``shapes[offsets[r]:offsets[r + 1]]`` are the shapes that type ``r`` fits.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from shoal.kernels.arrays import Array

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


@njit(cache=True, nogil=True)
def propagate(
    offsets: Array, shapes: Array, people: Array, records: Array, rounds: int, close: float
) -> tuple[Array, float]:
    """The chance that a given person of the edge's type is a given record of its shape, and the last round's change.

    Messages of the factor graph "each person has one record, each record one person", the same for all people of a
    type and records of a shape, half damped. O(edges) a round. Reference: Huang and Jebara 2009.
    """
    n_types, n_shapes = people.size, records.size
    to_shape, to_type = np.ones(shapes.size), np.ones(shapes.size)
    chances = np.zeros(shapes.size)
    change = np.inf
    for _ in range(rounds):
        totals = np.zeros(n_shapes)
        for r in range(n_types):
            total = 0.0
            for e in range(offsets[r], offsets[r + 1]):
                total += records[shapes[e]] * to_type[e]
            for e in range(offsets[r], offsets[r + 1]):
                to_shape[e] = np.sqrt(to_shape[e] / max(total - to_type[e], 1e-300))
                totals[shapes[e]] += people[r] * to_shape[e]
        change = 0.0
        for r in range(n_types):
            for e in range(offsets[r], offsets[r + 1]):
                to_type[e] = 1.0 / max(totals[shapes[e]] - to_shape[e], 1e-300)
                odds = to_type[e] * to_shape[e]
                chance = odds / (1.0 + odds)
                change = max(change, abs(chance - chances[e]))
                chances[e] = chance
        if change < close:
            break
    return chances, change


@njit(cache=True, nogil=True)
def _draw(state: Array, bound: int) -> np.int64:
    """A number below ``bound``; the generator is splitmix64, its bias is below one in four thousand million."""
    state[0] += _GOLDEN
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    z ^= z >> np.uint64(31)
    return np.int64(((z >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@njit(cache=True, nogil=True)
def _loop(
    offsets: Array,
    shapes: Array,
    upto: Array,
    first: Array,
    owner: Array,
    edge: Array,
    home: Array,
    types: Array,
    state: Array,
) -> int:
    """One step of the chain; returns the number of moves.

    A random person gives up their record and takes a random one, whose owner does the same, until somebody takes the
    record that was given up first.

    Whoever is without a record is so in proportion to the records they fit, which makes the step reversible: complete
    assignments stay equally likely.
    """  # fmt: skip
    person = _draw(state, home.size)
    hole, record, moves = home[person], -1, 0
    while record != hole:
        r = types[person]
        low, high = offsets[r], offsets[r + 1]
        base = upto[low - 1] if low else 0
        wanted = base + _draw(state, upto[high - 1] - base)
        while low < high:
            middle = (low + high) // 2
            if upto[middle] <= wanted:
                low = middle + 1
            else:
                high = middle
        s = shapes[low]
        record = first[s] + wanted - (upto[low - 1] if low else 0)
        moves += 1
        other = owner[record]
        owner[record], edge[record], home[person] = person, low, record
        person = other
    return moves


@njit(cache=True, nogil=True)
def sample(
    offsets: Array, shapes: Array, people: Array, records: Array, owner: Array, n_samples: int, between: int, word: int
) -> Array:
    """``counts[batch, edge]``: how often an edge was used in complete assignments drawn at random, in ten batches.

    ``owner[record]`` is a complete assignment to begin with, records and people numbered by shape and by type. Ten
    times ``between`` moves come before the first sample; how many steps of the chain they were says how many
    steps lie between samples, so that the number of steps does not depend on where the chain is.
    Reference: Sandvik and Moessner 2006, whose worms these are.
    """
    n_types = people.size
    types = np.repeat(np.arange(n_types), people)
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(records)))
    upto = np.cumsum(records[shapes])
    n = owner.size
    home, edge = np.empty(n, np.int64), np.empty(n, np.int64)
    for s in range(records.size):
        for record in range(first[s], first[s + 1]):
            person = owner[record]
            home[person] = record
            for e in range(offsets[types[person]], offsets[types[person] + 1]):
                if shapes[e] == s:
                    edge[record] = e
    state = np.array([np.uint64(word)])
    counts = np.zeros((10, shapes.size), np.int32)
    moves, loops = 0, 0
    while moves < 10 * between:
        moves += _loop(offsets, shapes, upto, first, owner, edge, home, types, state)
        loops += 1
    for turn in range(n_samples):
        for _ in range(1 + loops // 10):
            _loop(offsets, shapes, upto, first, owner, edge, home, types, state)
        for record in range(n):
            counts[turn * 10 // n_samples, edge[record]] += 1
    return counts
