"""Split groups that are larger than necessary."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.improvement_rounds import Accepts
from shoal.core.arrays import Offsets
from shoal.core.groups import Groups


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
