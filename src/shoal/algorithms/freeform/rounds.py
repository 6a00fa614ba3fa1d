"""Build a regular graph round by round; each round gives every row one more record, at a small increase in loss."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes
from shoal.kernels.freeform import Block, by_weight, greedy, let_in, price_joins, weigh
from shoal.kernels.tariff import Tariff

Weights = npt.NDArray[np.float32]


def take_greedily(weights: Weights) -> Codes:
    """Give each row in order the lightest remaining record (Algorithm 1)."""
    records: Codes = greedy(weights, np.empty(weights.shape[0], np.int64))
    return records


def take_optimally(weights: Weights) -> Codes:
    """The assignment of least total weight."""
    from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

    return np.asarray(linear_sum_assignment(weights)[1], np.int32)


MATCHINGS: dict[str, Callable[[Weights], Codes]] = {
    "greedy": take_greedily,
    "sorted": by_weight,
    "hungarian": take_optimally,
}
"""How the records of a round are chosen, given the weights of all edges."""


def block_of(codes: Codes) -> Block:
    """A block of rows ``codes[column, row]``, each with a record of its own around it."""
    n_columns, n = codes.shape
    found = [np.unique(column, return_inverse=True) for column in codes]
    starts = np.cumsum([0, *(values.size for values, _ in found)])
    entries = np.array([places + start for (_, places), start in zip(found, starts[:-1], strict=True)], np.int32)
    inside = np.zeros((starts[-1], n), bool)
    inside[entries, np.arange(n)] = True
    values = np.concatenate([values for values, _ in found]).astype(np.int32)
    counts = np.ones((n_columns, n), np.int32)
    return Block(np.ascontiguousarray(codes), values, starts, entries, codes.copy(), codes.copy(), counts, inside)


def build(codes: Codes, k: int, tariff: Tariff, take: Callable[[Weights], Codes]) -> Codes:
    """The ``k`` records that each row matches, its own first: ``edges[row, round]``.

    Time: k − 1 times O(rows² · columns) plus the time of ``take``; memory 4 bytes per pair of rows, and 5 per value of
    the block and row.
    """
    block = block_of(codes)
    n = codes.shape[1]
    edges = np.empty((n, k), np.int32)
    edges[:, 0] = np.arange(n)
    rises = np.empty((block.values.size, n), np.float32)
    weights = np.empty((n, n), np.float32)
    for turn in range(1, k):
        price_joins(block, tariff, rises)
        weigh(block.entries, rises, edges, turn, weights)
        edges[:, turn] = take(weights)
        let_in(block, np.ascontiguousarray(edges[:, turn]))
    return edges


def polished(codes: Codes, edges: Codes, tariff: Tariff, take: Callable[[Weights], Codes], passes: int) -> Codes:
    """Rematch each round, given all others, and keep the result if it costs less; repeat ``passes`` times.

    Never worse, and each pass is as much work as building the graph.
    """
    n, k = edges.shape
    edges, weights = edges.copy(), np.empty((n, n), np.float32)
    rows = np.arange(n)
    for turn in [*range(1, k)] * passes:
        others = np.delete(edges, turn, axis=1)
        block = block_of(codes)
        for records in others.T[1:]:
            let_in(block, np.ascontiguousarray(records))
        rises = np.empty((block.values.size, n), np.float32)
        price_joins(block, tariff, rises)
        weigh(block.entries, rises, others, k - 1, weights)
        found = take(weights)
        if weights[rows, found].sum(dtype=np.float64) < weights[rows, edges[:, turn]].sum(dtype=np.float64):
            edges[:, turn] = found
    return edges
