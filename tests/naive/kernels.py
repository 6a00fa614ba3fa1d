"""Twins of the small kernels: the same answers from lists, dictionaries and sets."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def _number(keys: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Number distinct keys in order of first appearance: the numbers, and the first place of each."""
    firsts: dict[Hashable, int] = {}
    for place, key in enumerate(keys):
        firsts.setdefault(key, place)
    numbers = {key: number for number, key in enumerate(firsts)}
    return [numbers[key] for key in keys], list(firsts.values())


def number_rows(columns: Sequence[Sequence[int]], n_rows: int) -> tuple[list[int], list[int]]:
    """Number the distinct rows of a list of columns."""
    return _number([tuple(column[row] for column in columns) for row in range(n_rows)])


def number_lists(lists: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Number distinct lists."""
    return _number([tuple(members) for members in lists])


def members_of(ids: Sequence[int], n_groups: int) -> list[list[int]]:
    """The members of each group, ascending."""
    return [[row for row, group in enumerate(ids) if group == wanted] for wanted in range(n_groups)]


def extremes(lists: Sequence[Sequence[int]], codes: Sequence[int]) -> tuple[list[int], list[int]]:
    """Smallest and largest code of each group."""
    return [min(codes[row] for row in rows) for rows in lists], [max(codes[row] for row in rows) for rows in lists]


def sets_of(lists: Sequence[Sequence[int]], codes: Sequence[int]) -> list[list[int]]:
    """The set of codes of each group, ascending."""
    return [sorted({codes[row] for row in rows}) for rows in lists]


def count_distinct(lists: Sequence[Sequence[int]], codes: Sequence[int]) -> list[int]:
    """Number of distinct codes of each group."""
    return [len(found) for found in sets_of(lists, codes)]


def cover(low: int, high: int, nodes: Sequence[Sequence[tuple[int, int]]]) -> tuple[int, int, int]:
    """The smallest of all nodes, given level by level, that holds ``low … high``; on the lowest level that has it."""
    around = [
        (last - first, level, first, last)
        for level, members in enumerate(nodes)
        for first, last in members
        if first <= low and high <= last
    ]
    _, level, first, last = min(around)
    return first, last, level


def descend(codes: list[list[int]], column: list[int], at: list[int], child: list[int]) -> list[int]:
    """Each row by itself, by recursion."""

    def leaf(row: int, node: int) -> int:
        if column[node] < 0:
            return child[node]
        goes_right = codes[column[node]][row] > at[node]
        return leaf(row, child[node] + 1 if goes_right else child[node])

    return [leaf(row, 0) for row in range(len(codes[0]))]
