"""(k,1)-anonymity at minimum loss for any recoding, by trying all sets of k rows as in the paper's Algorithm 1."""

from __future__ import annotations

from itertools import combinations, islice
from math import comb

import numpy as np

from shoal.algorithms.concealment.draft_release import Draft, empty
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.kernels.concealment_costs import costs, enclose

MOST_SUBSETS = 2_000_000
"""The most sets of k rows that are tried: some seconds."""

_CHUNK = 50_000


def can_be_tried(field: RowTree, k: int) -> bool:
    """Whether there are few enough sets of k rows."""
    return comb(field.n_rows, k) <= MOST_SUBSETS


def cheapest_closures(field: RowTree, k: int) -> Draft:
    """For every record, the cheapest closure of its row and k − 1 others, including ranges and sets.

    This is the optimum if wider cells never cost less. O(columns · C(rows, k)).

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithm 1,
    Proposition 8).
    """
    best = Draft(field, empty(field, field.n_rows))
    least = np.full(field.n_rows, np.iinfo(np.int64).max)
    every = combinations(range(field.n_rows), k)
    while chunk := list(islice(every, _CHUNK)):
        rows = np.array(chunk, np.int64).ravel()
        tried, members = empty(field, rows.size), np.arange(rows.size)
        enclose(field.tariff, field.codes, field.types[rows], np.arange(0, rows.size + 1, k), members, tried)
        prices = costs(field.tariff, tried)
        order = np.lexsort((prices, rows))
        firsts = order[np.concatenate([[True], np.diff(rows[order]) > 0])]
        better = firsts[prices[firsts] < least[rows[firsts]]]
        least[rows[better]] = prices[better]
        for part, there in zip(best.records, tried, strict=True):
            part[rows[better]] = there[better]
    return best
