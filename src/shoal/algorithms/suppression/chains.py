"""Paths and rings of rows, and how to cut them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np

from shoal.algorithms.suppression.problem import Problem
from shoal.core.arrays import Codes, Offsets


@dataclass(frozen=True, eq=False)
class Chain:
    """Rows, each linked with the next; in a ring also the last with the first."""

    rows: Codes
    is_ring: bool


def chains(n_rows: int, edges: Offsets) -> Iterator[Chain]:
    """The pieces of a graph in which no row has more than two edges, paths first."""
    beside: list[list[int]] = [[] for _ in range(n_rows)]
    for one, other in edges.tolist():
        beside[one].append(other)
        beside[other].append(one)
    seen: set[int] = set()
    for first in sorted(range(n_rows), key=lambda row: len(beside[row]) == 2):
        if first not in seen:
            walk = _walk(first, beside, seen)
            yield Chain(np.array(walk, np.int32), len(beside[first]) == 2)


def _walk(row: int, beside: list[list[int]], seen: set[int]) -> list[int]:
    """From one row to the next until all have been seen."""
    walk = [row]
    seen.add(row)
    while ahead := [other for other in beside[walk[-1]] if other not in seen]:
        walk.append(ahead[0])
        seen.add(ahead[0])
    return walk


def cut(problem: Problem, chain: Chain, k: int) -> list[Codes]:
    """The rows in runs of k to 2k − 1 along the chain, so that the fewest stars are made. O(k² · rows · columns)."""
    turns = min(2 * k - 1, chain.rows.size) if chain.is_ring else 1
    return min((_cut(problem, np.roll(chain.rows, -turn), k) for turn in range(turns)), key=lambda found: found[0])[1]


def _cut(problem: Problem, rows: Codes, k: int) -> tuple[float, list[Codes]]:
    """What the cheapest runs from the first row to the last cost, and the runs."""
    costs, lasts = [0.0], [0]
    for end in range(1, rows.size + 1):
        starts = range(max(0, end - 2 * k + 1), max(0, end - k + 1))
        whole = [(costs[start] + (end - start) * problem.stars(rows[start:end]), start) for start in starts]
        best = min(whole, default=(inf, 0))
        costs.append(best[0])
        lasts.append(best[1])
    runs: list[Codes] = []
    end = rows.size
    while end:
        runs.append(rows[lasts[end] : end])
        end = lasts[end]
    return costs[-1], runs
