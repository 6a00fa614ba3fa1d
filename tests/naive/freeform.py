"""Rounds of freeform generalization, step by step, on plain lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from math import inf

Cost = Callable[[Sequence[int]], float]
"""What a record costs that is made around these rows."""

Weights = list[list[float]]
"""For each row and record: infinite where the edge is used."""


def weigh(rows_of: Sequence[Sequence[int]], cost: Cost) -> Weights:
    """The rise in cost if row i matches record j as well."""
    n = len(rows_of)
    return [[inf if i in rows_of[j] else cost([*rows_of[j], i]) - cost(rows_of[j]) for j in range(n)] for i in range(n)]


def by_weight(weights: Weights) -> list[int | None]:
    """All edges, sorted: each taken if both ends are free. None for rows left over."""
    n = len(weights)
    edges = sorted((weights[i][j], i, j) for i in range(n) for j in range(n) if weights[i][j] < inf)
    record: list[int | None] = [None] * n
    for _, i, j in edges:
        if record[i] is None and j not in record:
            record[i] = j
    return record


def greedy(weights: Weights) -> tuple[list[int | None], list[int]]:
    """Algorithm 1: the record of each row, and how many rows were examined to help a row in a dead end."""
    n = len(weights)
    record: list[int | None] = [None] * n
    examined = [0] * n
    for i in range(n):
        free = [j for j in range(n) if j not in record]
        options = [j for j in free if weights[i][j] < inf]
        if options:
            record[i] = min(options, key=lambda j: weights[i][j])
            continue
        for y in range(i - 1, -1, -1):
            examined[i] += 1
            held = record[y]
            others = [m for m in free if weights[y][m] < inf]
            if held is not None and weights[i][held] < inf and others:
                record[y], record[i] = min(others, key=lambda m: weights[y][m]), held
                break
    return record, examined


def least_assignment(weights: Weights) -> float:
    """The least total weight of an assignment, by trying all."""
    n = len(weights)
    return min(sum(weights[i][j] for i, j in enumerate(order)) for order in permutations(range(n)))


def regular_graphs(n: int, k: int) -> Iterator[list[list[int]]]:
    """Every way to choose k records for each row, its own among them, so that each record is chosen k times."""

    def choose(row: int, left: list[int], chosen: list[list[int]]) -> Iterator[list[list[int]]]:
        if row == n:
            yield [list(records) for records in chosen]
            return
        for records in permutations([j for j in range(n) if j != row and left[j] > 0], k - 1):
            if list(records) == sorted(records):
                after = [room - (j in records) for j, room in enumerate(left)]
                yield from choose(row + 1, after, [*chosen, [row, *records]])

    yield from choose(0, [k - 1] * n, [])
