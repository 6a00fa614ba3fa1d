"""Sequential clustering: rows move to the cluster where they cost least, and large clusters are split."""

from __future__ import annotations

from functools import partial

import numpy as np

from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.improvement_rounds import Accepts, Leaf, improved
from shoal.core.arrays import Offsets, Whole
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_relocate import relocate

MOST_PASSES = 30
_FAR_ENOUGH = 0.001
_NEVER = 2**50


def sequential(
    coding: Coding,
    groups: Groups,
    k: int,
    accepts: Accepts,
    budget: Budget,
    randomness: Randomness,
    most_suppressed: int = 0,
    most_passes: int = MOST_PASSES,
) -> Groups:
    """Pass over all clusters until a pass gains less than a thousandth, ``most_passes`` are made or time is up.

    In a pass each cluster gives away the row that saves most, or is dissolved if it has none to spare; clusters that
    have grown to 2k rows are split. Up to ``most_suppressed`` rows of the table may be suppressed on the way, if that
    costs less than publishing them. When time is up, the remaining leaves stay as they are.
    O(rows · clusters of a leaf · planes) a pass.
    """
    loss = coding.loss(groups)
    for _ in range(most_passes):
        if budget.is_over:
            break
        left = most_suppressed - (coding.n_rows - groups.members.size)
        work = partial(_pass, coding, k, coding.lost if left > 0 else _NEVER, budget)
        groups = divided(coding, improved(coding, groups, work, accepts, randomness, left), k, accepts)
        before, loss = loss, coding.loss(groups)
        if loss >= before * (1 - _FAR_ENOUGH):
            break
    return groups


def _pass(coding: Coding, k: int, drop: int, budget: Budget, leaf: Leaf) -> tuple[Whole, Whole]:
    if budget.is_over:
        return leaf.unchanged
    homes, changes = relocate(coding.space, leaf.cells, leaf.offsets, k, drop, leaf.state)
    return homes, changes


def divided(coding: Coding, groups: Groups, k: int, accepts: Accepts) -> Groups:
    """Split groups of 2k rows or more into pieces of k similar rows, if all the pieces are accepted.

    A piece's cells lie inside its group's, so nothing gets worse. O(rows log rows).
    """
    n_pieces = np.maximum(1, groups.sizes // k)
    if (n_pieces == 1).all():
        return groups
    rank = np.empty(coding.cells.shape[1], np.int64)
    rank[np.lexsort(coding.cells[::-1])] = np.arange(rank.size)
    parent = np.repeat(np.arange(len(groups)), groups.sizes)
    members = groups.members[np.lexsort((rank[coding.row[groups.members]], parent))]
    pieces = Groups(_cuts(groups, n_pieces, k), members)
    family = np.repeat(np.arange(len(groups)), n_pieces)
    refused = np.zeros(len(groups), bool)
    refused[family[~accepts(pieces)]] = True
    return Groups(_cuts(groups, np.where(refused, 1, n_pieces), k), members)


def _cuts(groups: Groups, n_pieces: Offsets, k: int) -> Offsets:
    """Where the pieces of each group start: every k rows, the last piece taking the rest."""
    starts = np.cumsum(n_pieces) - n_pieces
    within = np.arange(int(n_pieces.sum())) - np.repeat(starts, n_pieces)
    return np.append(np.repeat(groups.offsets[:-1], n_pieces) + within * k, groups.offsets[-1])
