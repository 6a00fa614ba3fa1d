"""Who fits what by looking at every pair, matches by trying, chances by counting: for a dozen rows or so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from naive.assignment import possible
from naive.plain import records_of
from shoal.core.release import Release

Graph = Sequence[Sequence[int]]
"""The records that each row fits, rows and records numbered alike: row i owns record i."""


def graph_of(release: Release) -> list[list[int]]:
    """The records that each published row fits, from the cells; rows in the order of the records they own."""
    records = records_of(release)
    rows = [[int(codes[record.owner]) for codes in release.table.codes] for record in records]
    return [
        [r for r, record in enumerate(records) if all(v in cell for v, cell in zip(row, record.cells, strict=True))]
        for row in rows
    ]


def fitting(graph: Graph) -> tuple[list[int], list[int]]:
    """How many records each row fits, and how many rows fit each record."""
    return [len(records) for records in graph], [sum(r in records for records in graph) for r in range(len(graph))]


def matching(graph: Graph) -> tuple[list[int], list[int]]:
    """The same for the pairs that some complete assignment uses."""
    pairs = [(i, r) for i, records in enumerate(graph) for r in records if _extends(graph, i, r)]
    return _counted([i for i, _ in pairs], len(graph)), _counted([r for _, r in pairs], len(graph))


def _counted(numbers: Sequence[int], n: int) -> list[int]:
    return [sum(number == i for number in numbers) for i in range(n)]


def _extends(graph: Graph, row: int, record: int) -> bool:
    """Whether all other rows can get all other records: augmenting paths, one row after the other."""
    owner: dict[int, int] = {}

    def place(i: int, tried: set[int]) -> bool:
        for r in graph[i]:
            if r != record and r not in tried:
                tried.add(r)
                if r not in owner or place(owner[r], tried):
                    owner[r] = i
                    return True
        return False

    return all(place(i, set()) for i in range(len(graph)) if i != row)


def chances(graph: Graph) -> dict[tuple[int, int], Fraction]:
    """The part of all complete assignments that uses each pair: permanents, by which records the first rows took."""
    n = len(graph)
    before = [{0: 1}]
    for records in graph:
        taken: dict[int, int] = {}
        for used, ways in before[-1].items():
            for r in records:
                if not used >> r & 1:
                    taken[used | 1 << r] = taken.get(used | 1 << r, 0) + ways
        before.append(taken)
    every = (1 << n) - 1
    after, using = {every: 1}, dict[tuple[int, int], int]()
    for i in reversed(range(n)):
        left: dict[int, int] = {}
        for used in before[i]:
            for r in graph[i]:
                ways = 0 if used >> r & 1 else after.get(used | 1 << r, 0)
                left[used] = left.get(used, 0) + ways
                using[i, r] = using.get((i, r), 0) + before[i][used] * ways
        after = left
    return {pair: Fraction(count, after[0]) for pair, count in using.items()}


def likeliest(graph: Graph) -> Fraction:
    """The largest chance of all."""
    return max(chances(graph).values())


def _degrees(graph: Graph) -> tuple[int, int]:
    """The least number of records of a row, and of rows of a record."""
    of_rows, of_records = fitting(graph)
    return min(of_rows), min(of_records)


def _conceals(promise: Any, graph: Graph) -> bool:
    of_rows, of_records = _degrees(possible(graph))
    sides = {"rows": of_rows, "records": of_records, "both": min(of_rows, of_records)}
    return sides[promise.side] >= promise.k


def _bounds(promise: Any, graph: Graph) -> bool:
    """By counting, for graphs of few rows; those of many are judged by the model alone."""
    return len(graph) > COUNTABLE or likeliest(possible(graph)) <= Fraction(promise.p).limit_denominator(10**6)


COUNTABLE = 7
"""Rows up to which all assignments are counted."""

GRAPH_TWINS: Mapping[str, Callable[[Any, Graph], bool]] = {
    "one-k-anonymity": lambda promise, graph: _degrees(graph)[0] >= promise.k,
    "k-one-anonymity": lambda promise, graph: _degrees(graph)[1] >= promise.k,
    "kk-anonymity": lambda promise, graph: min(_degrees(graph)) >= promise.k,
    "k-concealment": _conceals,
    "linkage-bound": _bounds,
}
"""Whether the promises about who fits what are kept, from who fits what alone."""
