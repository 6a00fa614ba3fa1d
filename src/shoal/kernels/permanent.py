"""The exact probability of each match when every complete assignment is equally likely, for small components."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def match_chances(people: Array, records: Array, fits: Array) -> Array:
    """``chances[s, r]``: the probability that a given record of shape ``s`` belongs to a given person of type ``r``.

    There are ``people[r]`` people of each type and as many records in total, ``records[s]`` of each shape;
    ``fits[s, r]`` says which fit. Assignments are counted record by record over all states of people used so far,
    forwards and backwards, so that each probability is one permanent divided by another. O(∏ (people + 1) · types)
    time, O(∏ (people + 1)) memory; up to 170 people.
    """
    n_types, n_shapes = people.size, records.size
    strides = np.ones(n_types + 1, np.int64)
    for r in range(n_types):
        strides[r + 1] = strides[r] * (people[r] + 1)
    n_states = strides[n_types]
    turns = np.empty(records.sum() + 1, np.int64)
    first = np.zeros(n_shapes + 1, np.int64)
    for s in range(n_shapes):
        first[s + 1] = first[s] + records[s]
        turns[first[s] : first[s + 1]] = s
    used, ways, left = np.zeros(n_states, np.int64), np.zeros(n_states), np.zeros(n_states)
    ways[0], left[n_states - 1] = 1.0, 1.0
    for state in range(n_states - 1):
        for r in range(n_types):
            spent = state // strides[r] % (people[r] + 1)
            if spent < people[r]:
                used[state + strides[r]] = used[state] + 1
                if fits[turns[used[state]], r]:
                    ways[state + strides[r]] += ways[state] * (people[r] - spent)
    for state in range(n_states - 2, -1, -1):
        for r in range(n_types):
            spent = state // strides[r] % (people[r] + 1)
            if spent < people[r] and fits[turns[used[state]], r]:
                left[state] += left[state + strides[r]] * (people[r] - spent)
    chances = np.zeros((n_shapes, n_types))
    for state in range(n_states - 1):
        s = turns[used[state]]
        if used[state] == first[s]:
            for r in range(n_types):
                spent = state // strides[r] % (people[r] + 1)
                if spent < people[r] and fits[s, r]:
                    share = (people[r] - spent) / people[r]
                    chances[s, r] += ways[state] * share * left[state + strides[r]]
    chances /= max(ways[n_states - 1], np.finfo(np.float64).tiny)
    return chances


@kernel
def small_parts(
    types_at: Array,
    shapes_at: Array,
    shape_list: Array,
    places: Array,
    people: Array,
    records: Array,
    offsets: Array,
    shapes: Array,
    most: int,
    chances: Array,
) -> Array:
    """Fill in the probabilities of the edges of every small part; return which parts are small.

    Part ``c`` has the types ``types_at[c] …`` and the shapes ``shape_list[shapes_at[c]] …``; ``places[s]`` is the place
    of a shape in its part. Type ``r`` has the edges to ``shapes[offsets[r]:offsets[r + 1]]``. A part is small if it has
    at most ``most`` states of people used so far, and at most 150 people.
    """  # fmt: skip
    n_parts = types_at.size - 1
    is_small = np.zeros(n_parts, np.bool_)
    for c in range(n_parts):
        first, last = types_at[c], types_at[c + 1]
        states, total = 1.0, 0
        for r in range(first, last):
            states *= people[r] + 1
            total += people[r]
        if states > most or total > 150:
            continue
        is_small[c] = True
        inside = shape_list[shapes_at[c] : shapes_at[c + 1]]
        fits = np.zeros((inside.size, last - first), np.bool_)
        for r in range(first, last):
            for e in range(offsets[r], offsets[r + 1]):
                fits[places[shapes[e]], r - first] = True
        found = match_chances(people[first:last], records[inside], fits)
        for r in range(first, last):
            for e in range(offsets[r], offsets[r + 1]):
                chances[e] = found[places[shapes[e]], r - first]
    return is_small
