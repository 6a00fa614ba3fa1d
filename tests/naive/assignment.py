"""Assignments by trying all of them: rows to records, as lists and sets, for graphs of a handful of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    """For each published row, the owners of the records that it is named a match of."""
    assert release.matches is not None
    named = [set(release.matches.of(int(shape)).tolist()) for shape in release.shapes]
    owners = release.owners.tolist()
    return [[owner for owner, rows in zip(owners, named, strict=True) if row in rows] for row in owners]
