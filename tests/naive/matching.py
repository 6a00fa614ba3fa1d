"""Matchings the slow and obvious way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def heaviest_perfect(weights: Sequence[Sequence[int]]) -> int | None:
    """The most that the edges of a perfect matching weigh together; None where there is none. Negative: no edge."""

    def best(left: tuple[int, ...]) -> int | None:
        if not left:
            return 0
        first, found = left[0], []
        for mate in left[1:]:
            rest = best(tuple(v for v in left[1:] if v != mate)) if weights[first][mate] >= 0 else None
            if rest is not None:
                found.append(weights[first][mate] + rest)
        return max(found, default=None)

    return best(tuple(range(len(weights))))


def lightest_triple(
    members: Sequence[int], fourth: int | None, labels: Sequence[int], blossoms: Sequence[tuple[frozenset[int], int]]
) -> int | None:
    """The least of what three members weigh: their labels, and for every two that a blossom holds, its label.

    The fourth goes with them, its own label not counted.
    """
    weights = [
        sum(labels[v] for v in three) + sum(label * (len(held & {*three, fourth}) // 2) for held, label in blossoms)
        for three in combinations(members, 3)
    ]
    return min(weights, default=None)
