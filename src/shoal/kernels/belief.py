"""Estimate how likely each match is: by belief propagation, and by sampling complete assignments.

Edges are listed by type of person: ``shapes[offsets[r]:offsets[r + 1]]`` are the shapes that type ``r`` fits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_FAR = 4096
_MOST = 1e150
"""Messages above this count as certain; without a limit they would overflow."""


@kernel
def propagate_parts(
    starts: Array, offsets: Array, shapes: Array, people: Array, records: Array, rounds: int, close: float
) -> tuple[Array, float]:
    """The chance that a given person of the edge's type owns a given record of its shape, and the last round's change.

    Passes messages in the factor graph "each person has one record, each record one person". Messages are the same for
    all people of a type and all records of a shape, and half damped. Part ``p`` has types ``starts[p] …``; parts share
    no shape, and each has its own rounds: small parts converge long before large ones. O(edges) a round. Reference:
    Huang and Jebara 2009.
    """
    to_shape, to_type = np.ones(shapes.size), np.ones(shapes.size)
    chances, totals, most = np.zeros(shapes.size), np.zeros(records.size), 0.0
    for p in range(starts.size - 1):
        change = np.inf
        for _ in range(rounds):
            for e in range(offsets[starts[p]], offsets[starts[p + 1]]):
                totals[shapes[e]] = 0.0
            for r in range(starts[p], starts[p + 1]):
                total = 0.0
                for e in range(offsets[r], offsets[r + 1]):
                    total += records[shapes[e]] * to_type[e]
                for e in range(offsets[r], offsets[r + 1]):
                    to_shape[e] = min(np.sqrt(to_shape[e] / max(total - to_type[e], 1e-300)), _MOST)
                    totals[shapes[e]] += people[r] * to_shape[e]
            change = 0.0
            for e in range(offsets[starts[p]], offsets[starts[p + 1]]):
                to_type[e] = 1.0 / max(totals[shapes[e]] - to_shape[e], 1e-300)
                odds = to_type[e] * to_shape[e]
                chance = odds / (1.0 + odds) if odds < 1e300 else 1.0
                change = max(change, abs(chance - chances[e]))
                chances[e] = chance
            if change < close:
                break
        most = max(most, change)
    return chances, most


@kernel
def _draw(state: Array, bound: int) -> np.int64:
    """Draw a number below ``bound`` with splitmix64; the bias is less than one in four billion."""
    state[0] += _GOLDEN
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    z ^= z >> np.uint64(31)
    return np.int64(((z >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


class Draft(NamedTuple):
    """A complete assignment: the owner and edge of each record, the record of each person, and the constant tables.

    ``upto`` holds running totals of the records behind edges, ``first`` the first record of each shape, ``types`` the
    type of each person; ``log`` records the steps of a walk.
    """

    owner: Array
    edge: Array
    home: Array
    offsets: Array
    shapes: Array
    upto: Array
    first: Array
    types: Array
    log: Array


@kernel
def _pick(draft: Draft, person: int, state: Array) -> tuple[int, int]:
    """Draw a random record that fits a person; return the record and its edge."""
    r = draft.types[person]
    low, high = draft.offsets[r], draft.offsets[r + 1]
    base = draft.upto[low - 1] if low else 0
    wanted = base + _draw(state, draft.upto[high - 1] - base)
    while low < high:
        middle = (low + high) // 2
        if draft.upto[middle] <= wanted:
            low = middle + 1
        else:
            high = middle
    return draft.first[draft.shapes[low]] + wanted - (draft.upto[low - 1] if low else 0), low


@kernel
def _swap(draft: Draft, state: Array) -> None:
    """Draw a person and a record that fits them, and swap with its owner if the person's own record fits that owner."""
    person = _draw(state, draft.home.size)
    old = draft.home[person]
    record, e = _pick(draft, person, state)
    other = draft.owner[record]
    s, r = draft.shapes[draft.edge[old]], draft.types[other]
    low, high = draft.offsets[r], draft.offsets[r + 1]
    while low < high:
        middle = (low + high) // 2
        if draft.shapes[middle] < s:
            low = middle + 1
        else:
            high = middle
    if low < draft.offsets[r + 1] and draft.shapes[low] == s:
        draft.owner[record], draft.edge[record], draft.home[person] = person, e, record
        draft.owner[old], draft.edge[old], draft.home[other] = other, low, old


@kernel
def _walk(draft: Draft, state: Array, patience: int) -> int:
    """Let a random person give up their record for a random other one, whose owner does the same, and so on.

    Ends when somebody takes the record that was given up first; a walk of more than ``patience`` steps is undone. A
    walk and its reverse are equally likely, so complete assignments remain equally likely. Returns the number of steps.
    """
    person = _draw(state, draft.home.size)
    hole, record, steps = draft.home[person], -1, 0
    while record != hole and steps < patience:
        record, e = _pick(draft, person, state)
        other = draft.owner[record]
        draft.log[steps, 0], draft.log[steps, 1], draft.log[steps, 2] = record, other, draft.edge[record]
        draft.owner[record], draft.edge[record], draft.home[person] = person, e, record
        person = other
        steps += 1
    if record != hole:
        for step in range(steps - 1, -1, -1):
            record, other = draft.log[step, 0], draft.log[step, 1]
            draft.owner[record], draft.edge[record], draft.home[other] = other, draft.log[step, 2], record
        draft.home[draft.owner[hole]] = hole
    return steps


@kernel
def _begin(offsets: Array, shapes: Array, people: Array, records: Array, owner: Array, patience: int) -> Draft:
    """The ``Draft`` of an assignment that is given by the owner of each record."""
    types = np.repeat(np.arange(people.size), people)
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(records)))
    home, edge = np.empty(owner.size, np.int64), np.empty(owner.size, np.int64)
    for s in range(records.size):
        for record in range(first[s], first[s + 1]):
            home[owner[record]] = record
            r = types[owner[record]]
            for e in range(offsets[r], offsets[r + 1]):
                if shapes[e] == s:
                    edge[record] = e
    log = np.empty((patience, 3), np.int64)
    return Draft(owner, edge, home, offsets, shapes, np.cumsum(records[shapes]), first, types, log)


@kernel
def sample(
    offsets: Array, shapes: Array, people: Array, records: Array, owner: Array, n_samples: int, between: int, word: int
) -> Array:
    """``counts[batch, edge]``: how often each edge was used in randomly drawn complete assignments, in ten batches.

    ``owner[record]`` is a complete assignment to start from, with records numbered by shape and people by type; it is
    overwritten with the last one drawn. The shapes of each type must be ascending. Between two samples there are
    ``between`` swaps, with a short walk for every 64 of them and a long one for every 1,024; ten times as many precede
    the first sample. A component in which everybody must move at once (a ring of thousands with two matches each) is
    out of reach even for the long walks. Reference: Sandvik and Moessner 2006 for the walks.
    """
    far = min(4 * owner.size, _FAR)
    draft = _begin(offsets, shapes, people, records, owner, far)
    state = np.array([np.uint64(word)])
    counts = np.zeros((10, shapes.size), np.int32)
    for turn in range(n_samples):
        for step in range(between * (10 if turn == 0 else 1)):
            _swap(draft, state)
            if step % 64 == 0:
                _walk(draft, state, far if step % 1024 == 0 else min(64, far))
        for record in range(owner.size):
            counts[turn * 10 // n_samples, draft.edge[record]] += 1
    return counts
