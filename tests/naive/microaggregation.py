"""Microaggregation by its definitions: MDAV on lists, and the best partition by trying all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import fsum

Point = Sequence[float]


def squared(one: Point, other: Point) -> float:
    """The squared distance of two points."""
    return fsum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def mean(points: Sequence[Point]) -> list[float]:
    """The mean of some points."""
    return [fsum(column) / len(points) for column in zip(*points, strict=True)]


def error(points: Sequence[Point], groups: Sequence[Sequence[int]]) -> float:
    """The squared distances of all points to the mean of their group."""
    means = [mean([points[row] for row in group]) for group in groups]
    return fsum(squared(points[row], means[g]) for g, group in enumerate(groups) for row in group)


def mdav(points: Sequence[Point], k: int) -> list[list[int]]:
    """The groups of Domingo-Ferrer and Torra's algorithm, in the order in which they are made."""
    left, groups = list(range(len(points))), list[list[int]]()

    def take(center: int) -> None:
        nearest = sorted(left, key=lambda row: squared(points[row], points[center]))[:k]
        groups.append(nearest)
        left[:] = [row for row in left if row not in nearest]

    while len(left) >= 2 * k:
        middle = mean([points[row] for row in left])
        first = max(left, key=lambda row: squared(points[row], middle))
        second = max(left, key=lambda row: squared(points[row], points[first]))
        is_last = len(left) < 3 * k
        take(first)
        if not is_last and second in left:
            take(second)
    return [*groups, left] if left else groups


def partitions(rows: Sequence[int], k: int) -> Iterator[list[list[int]]]:
    """All partitions into groups of k to 2k − 1."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for size in range(k - 1, 2 * k - 1):
        for others in combinations(rest, size):
            for more in partitions([row for row in rest if row not in others], k):
                yield [[first, *others], *more]


def least_error(points: Sequence[Point], k: int) -> float:
    """The squared error of the best partition."""
    return min(error(points, groups) for groups in partitions(range(len(points)), k))
