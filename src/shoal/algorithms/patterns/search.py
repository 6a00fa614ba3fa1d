"""Better than the greedy: its rows stay where they first fit, here they move."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.patterns.sharing import Sharing
from shoal.core.arrays import Codes
from shoal.core.randomness import Randomness
from shoal.kernels.patterns_moves import Board, anneal

_TRIES = 3
"""How many unused instances are tried for a row whose class is given up."""

_MOST_STEPS = 2_000_000

_LOOKS = 3_000_000


def improved(
    sharing: Sharing, floor: int, homes: Codes, randomness: Randomness, effort: int, unit: float, may_star: bool = True
) -> Codes:
    """Rows moved between instances by simulated annealing; never dearer than ``homes``.

    A step uses an instance that was unused (it takes the rows that gain, fills up to ``floor`` with those that lose
    least, and rehouses the rows of classes that this breaks) or gives one up. ``effort`` steps for every instance,
    but no more than look ``effort`` · 3,000,000 times at a row; ``unit`` is what a star costs, the scale of the heat.
    """
    steps = min(effort * len(sharing.instances), _MOST_STEPS)
    if not steps:
        return homes
    board = _board(sharing, homes, may_star)
    draws = randomness.integers(len(sharing.instances), steps).astype(np.int64)
    luck = (randomness.words(steps) >> np.uint64(11)) / 2.0**53
    best = anneal(board, floor, draws, luck, 0.5 * unit, 0.1 * unit, _TRIES, effort * _LOOKS)
    return np.asarray(best, np.int32)


def _board(sharing: Sharing, homes: Codes, may_star: bool) -> Board:
    """The state that the kernel works on. Outside costs so much, where it is not allowed, that all else is better."""
    n_rows, by_kind = homes.size, sharing.by_kind
    costs = np.append(sharing.costs, sharing.full if may_star else 1e3 * (1.0 + sharing.full) * n_rows)
    ranks = np.unique(-costs, return_inverse=True)[1].astype(np.int64)
    return Board(
        costs=costs,
        ranks=ranks,
        offsets=sharing.instances.offsets,
        kinds=sharing.instances.members,
        starts=by_kind.offsets,
        places=by_kind.members,
        firsts=sharing.rows.offsets,
        kind_of=sharing.kinds.astype(np.int64),
        homes=homes.astype(np.int64),
        sizes=np.zeros(costs.size, np.int64),
        heads=np.full(costs.size, -1, np.int64),
        nexts=np.full(n_rows, -1, np.int64),
        priors=np.full(n_rows, -1, np.int64),
        moved=np.empty(6 * n_rows + 16, np.int64),
        origins=np.empty(6 * n_rows + 16, np.int64),
        n_moves=np.zeros(1, np.int64),
        n_looks=np.zeros(1, np.int64),
        is_broken=np.zeros(costs.size, np.bool_),
    )
