"""Assignments by trying all of them: rows to records, as lists and sets, for graphs of a handful of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
