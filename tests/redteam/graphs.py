"""Rows and records that may belong together: brute force on graphs of a dozen nodes."""

from __future__ import annotations

from functools import cache

Edges = list[list[bool]]
"""``edges[row][record]``."""


def matching(edges: Edges, n_records: int) -> list[int] | None:
    """A record of its own for each row (by augmenting paths); None where there is none."""
    owner = [-1] * n_records

    def place(row: int, seen: set[int]) -> bool:
        for record in range(n_records):
            if edges[row][record] and record not in seen:
                seen.add(record)
                if owner[record] < 0 or place(owner[record], seen):
                    owner[record] = row
                    return True
        return False

    if not all(place(row, set()) for row in range(len(edges))):
        return None
    return [owner.index(row) for row in range(len(edges))]


def count_assignments(edges: Edges) -> int:
    """How many ways there are to give each row a record of its own: the permanent, by a table over subsets."""
    n = len(edges)

    @cache
    def ways(row: int, taken: int) -> int:
        if row == n:
            return 1
        free = (record for record in range(n) if edges[row][record] and not taken >> record & 1)
        return sum(ways(row + 1, taken | 1 << record) for record in free)

    return ways(0, 0)


def chances(edges: Edges) -> list[list[float]]:
    """Of each pair the share of assignments that have it."""
    n, total = len(edges), count_assignments(edges)
    without = [[_without(edges, row, record) if edges[row][record] else 0 for record in range(n)] for row in range(n)]
    return [[count / total if total else 0.0 for count in line] for line in without]


def _without(edges: Edges, row: int, record: int) -> int:
    rest = [[line[j] for j in range(len(edges)) if j != record] for i, line in enumerate(edges) if i != row]
    return count_assignments(rest)


def has_factor(edges: Edges, k: int) -> bool:
    """Whether ``k`` assignments exist of which no two share a pair: a k-regular part, found by flow."""
    n = len(edges)
    used = [[False] * n for _ in range(n)]
    load = [0] * n

    def push(row: int, seen: set[int]) -> bool:
        for record in range(n):
            if edges[row][record] and not used[row][record] and record not in seen:
                seen.add(record)
                if load[record] < k:
                    used[row][record] = True
                    load[record] += 1
                    return True
                for other in range(n):
                    if used[other][record]:
                        used[other][record] = False
                        if push(other, seen):
                            used[row][record] = True
                            return True
                        used[other][record] = True
        return False

    return all(push(row, set()) for row in range(n) for _ in range(k))
