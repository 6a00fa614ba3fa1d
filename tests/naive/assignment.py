"""Assignments by trying all of them: rows to records, as lists and sets, for graphs of a handful of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from shoal.core.release import Release

Graph = Sequence[Sequence[int]]
"""The records that each row matches."""


def assignments(graph: Graph, taken: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every way to give each row a record of its own among its matches: the record of row 0, of row 1, …"""
    if len(taken) == len(graph):
        yield taken
        return
    for record in graph[len(taken)]:
        if record not in taken:
            yield from assignments(graph, (*taken, record))


def effective(graph: Graph) -> set[tuple[int, int]]:
    """The matches that are in some assignment."""
    return {match for found in assignments(graph) for match in enumerate(found)}


def most_match_different(graph: Graph) -> int:
    """The largest number of assignments of which no two have a match in common."""
    every = list(assignments(graph))

    def more(start: int, used: frozenset[tuple[int, int]]) -> int:
        best = 0
        for at in range(start, len(every)):
            matches = frozenset(enumerate(every[at]))
            if not matches & used:
                best = max(best, 1 + more(at + 1, used | matches))
        return best

    return more(0, frozenset())


def ring(n: int, k: int) -> list[list[int]]:
    """Row i is among the k rows from r on, around the ring, of records i − k + 1 … i."""
    return [[(i - back) % n for back in range(k)] for i in range(n)]


def matches_of(rows: Sequence[Sequence[object]], boxes: Sequence[Sequence[set[object]]]) -> list[list[int]]:
    """The records, each a set of values per column, that each row lies inside of."""
    return [
        [r for r, box in enumerate(boxes) if all(value in cell for value, cell in zip(row, box, strict=True))]
        for row in rows
    ]


def splits(graph: Graph, k: int) -> bool:
    """Whether k records can be chosen for each row so that each record is chosen k times: by augmenting paths."""
    chosen: list[set[int]] = [set() for _ in graph]
    users: list[set[int]] = [set() for _ in graph]

    def augment(row: int, tried: set[int]) -> bool:
        for record in set(graph[row]) - chosen[row] - tried:
            tried.add(record)
            movers = [None] if len(users[record]) < k else sorted(users[record])
            for other in movers:
                if other is None or (other != row and augment(other, tried)):
                    if other is not None:
                        chosen[other].discard(record)
                        users[record].discard(other)
                    chosen[row].add(record)
                    users[record].add(row)
                    return True
        return False

    return all(augment(row, set()) for row in range(len(graph)) for _ in range(k))


def drawn_pools(release: Release) -> list[list[int]]:
    """For each published row, the owners of the records that it is named a match of and that can be its own."""
    assert release.matches is not None
    named = [set(release.matches.of(int(shape)).tolist()) for shape in release.shapes]
    owners = release.owners.tolist()
    graph = [[r for r, rows in enumerate(named) if row in rows] for row in owners]
    return [[owners[r] for r in records] for records in possible(graph)]


def possible(graph: Graph) -> list[list[int]]:
    """Of the records of each row, row i owning record i, those from whose owner a way leads back to the row.

    Each row on the way takes the record of the next one: that is an assignment, and all are made so (Proposition 10).
    """
    return [[r for r in records if i in _reached(graph, r)] for i, records in enumerate(graph)]


def _reached(graph: Graph, start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        more = set(graph[waiting.pop()]) - found
        found |= more
        waiting += more
    return found


def lexicographic_parts(rows: Sequence[tuple[int, ...]], k: int, as_published: bool = False) -> list[int]:
    """The sizes of the parts of sorted rows, by figure 8 as it is written: one column after the other, recursively.

    As published: a column with one value in a part ends it, and small parts look at the next one.
    """

    def part(start: int, stop: int, column: int) -> list[int]:
        if column == len(rows[0]):
            return [stop - start]
        bounds = [start, *(i for i in range(start + 1, stop) if rows[i][column] != rows[i - 1][column]), stop]
        if as_published and len(bounds) == 2:
            return [stop - start]
        mended = mend([b - a for a, b in pairwise(bounds)], k, as_published)
        sizes, at = [], start
        for size in mended:
            is_pure = rows[at][column] == rows[at + size - 1][column]
            sizes += part(at, at + size, column + 1) if is_pure else [size]
            at += size
        return sizes

    return part(0, len(rows), 0)


def mend(sizes: list[int], k: int, next_only: bool = False) -> list[int]:
    """Small parts, from the left, take rows from the larger neighbour if it can spare them, else join the smaller."""
    sizes, j = list(sizes), 0
    while j < len(sizes):
        if sizes[j] >= k or len(sizes) == 1:
            j += 1
            continue
        beside = [i for i in (j - 1, j + 1) if 0 <= i < len(sizes)]
        beside = beside[-1:] if next_only else beside
        richest = max(beside, key=lambda i: (sizes[i], i))
        if sizes[richest] + sizes[j] >= 2 * k:
            sizes[richest] -= k - sizes[j]
            sizes[j] = k
        else:
            poorest = min(beside, key=lambda i: (sizes[i], i))
            first = min(j, poorest)
            sizes[first : first + 2] = [sizes[j] + sizes[poorest]]
            j = first
    return sizes
