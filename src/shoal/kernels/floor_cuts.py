"""Cuts: sets of rows into which fewer groups fit than the linear program uses, in parts.

Prices of rows prove no more than a linear program in which groups may be taken in parts: of 9 rows it takes nine fifths
of a group of 5. At most ``rows // k`` groups fit into a set of rows, and a cut says so (a Chvátal–Gomory cut): each
group inside the set pays a toll, and the bound gives the toll back as often as groups fit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel

_LITTLE = 1e-3
"""By how much too many groups a set has to hold to be a cut."""

_CLOSE = 0.01
"""How much a box counts as nearer the more of its rows are in the set already; decides between equal ones."""

_FAR = -1e18


class Cuts(NamedTuple):
    """``most[c]`` groups fit into cut ``c``, and each pays ``tolls[c]``; row ``i`` is in ``cuts[at[i]:at[i + 1]]``."""

    most: Array
    tolls: Array
    at: Array
    cuts: Array


class Shares(NamedTuple):
    """Boxes that are used in part: their rows (CSR), how much each is used, and the boxes of each row (CSR)."""

    offsets: Array
    members: Array
    uses: Array
    at: Array
    boxes: Array


class _Union(NamedTuple):
    """A set of rows that grows box by box; ``seen[b]`` is the number of the last look at box ``b``."""

    rows: Array
    inside: Array
    seen: Array


@inner
def _look(
    shares: Shares, weights: Array, union: _Union, n: int, held: int, k: int, widest: int, turn: int
) -> tuple[float, int]:
    """How much the boxes inside the first ``n`` rows are used, and the box to add next: the most used for its room."""
    used, best, chosen = 0.0, _FAR, -1
    for t in range(n):
        row = union.rows[t]
        for place in range(shares.at[row], shares.at[row + 1]):
            box = shares.boxes[place]
            if union.seen[box] == turn:
                continue
            union.seen[box] = turn
            old, new = 0, 0
            for at in range(shares.offsets[box], shares.offsets[box + 1]):
                weight = weights[shares.members[at]]
                if union.inside[shares.members[at]]:
                    old += weight
                else:
                    new += weight
            if new == 0:
                used += shares.uses[box]
            elif held + new <= widest:
                more = (held + new) // k - held // k
                gain = shares.uses[box] - more + _CLOSE * old / (old + new)
                if gain > best:
                    best, chosen = gain, box
    return used, chosen


@inner
def _add(shares: Shares, weights: Array, union: _Union, n: int, held: int, box: int) -> tuple[int, int]:
    """Add a box's rows to the union; return the new numbers of distinct rows and of rows."""
    for at in range(shares.offsets[box], shares.offsets[box + 1]):
        row = shares.members[at]
        if not union.inside[row]:
            union.inside[row] = True
            union.rows[n] = row
            n += 1
            held += weights[row]
    return n, held


@kernel
def overfull(
    shares: Shares, weights: Array, k: int, widest: int, steps: int, rows: Array, counts: Array, excess: Array
) -> None:
    """From each box, grow a set of at most ``widest`` rows by up to ``steps`` boxes that overlap it.

    Writes the set whose boxes are used most beyond the number of groups that fit, if there is one: its rows to
    ``rows[box]``, how many to ``counts[box]`` (0: none) and the excess to ``excess[box]``.
    O(boxes · steps · boxes that overlap a set · rows of a box).
    """
    n_boxes, turn = shares.uses.size, 0
    union = _Union(np.empty(widest, np.int32), np.zeros(weights.size, np.bool_), np.full(n_boxes, -1, np.int64))
    for first in range(n_boxes):
        n, held, box, best, kept = 0, 0, first, _LITTLE, 0
        for _ in range(steps + 1):
            n, held = _add(shares, weights, union, n, held, box)
            used, box = _look(shares, weights, union, n, held, k, widest, turn)
            turn += 1
            if used - held // k > best:
                best, kept = used - held // k, n
            if box < 0:
                break
        for t in range(n):
            union.inside[union.rows[t]] = False
        rows[first, :kept] = union.rows[:kept]
        counts[first], excess[first] = kept, best if kept > 0 else 0.0
