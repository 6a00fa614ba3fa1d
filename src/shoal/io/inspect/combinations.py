"""The combinations of a few columns that single out the most people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations as subsets
from math import comb, log

import polars as pl

from shoal.io.inspect.findings import Combination
from shoal.io.inspect.partition import Numbered, RowPartition, number, whole
from shoal.io.inspect.profile import Profile

N_COLUMNS = 20
"""At most this many columns are combined: those with the most values."""

_N_TOLD = 10
_LARGEST = 3
_MOST = 500
_ROW_BUDGET = 60_000_000
_WORTH_TELLING = 0.01
_WORTH_ADDING = 1.1


def worst_combinations(frame: pl.DataFrame, columns: Sequence[Profile]) -> tuple[Combination, ...]:
    """The worst combinations of up to three columns, small ones first, then by the share of rows they single out.

    A combination is reported if it singles out one row in a hundred (or any, if none reaches that) and a tenth more
    than each of its subsets. At most 500 combinations are counted, fewer for many rows: those with the most possible
    values. O(combinations · rows).
    """
    ranked = sorted(columns, key=lambda column: -column.n_distinct)[:N_COLUMNS]
    counts = _count(frame, _chosen(ranked, frame.height))
    worth = [names for names in counts if _adds_something(names, counts)]
    enough = [names for names in worth if counts[names] >= _WORTH_TELLING * frame.height] or worth
    order = [column.name for column in columns]
    told = [
        Combination(tuple(sorted(names, key=order.index)), counts[names], counts[names] / frame.height)
        for names in enough
    ]
    return tuple(sorted(told, key=lambda found: (len(found.columns), -found.n_unique))[:_N_TOLD])


def n_combinations(n_columns: int, n_rows: int) -> tuple[int, int]:
    """The number of possible combinations of these columns, and how many of them are counted."""
    there_are, tried = (
        sum(comb(n, size) for size in range(1, _LARGEST + 1)) for n in (n_columns, min(n_columns, N_COLUMNS))
    )
    return there_are, min(tried, _budget(n_rows))


def _budget(n_rows: int) -> int:
    return min(_MOST, max(_N_TOLD, _ROW_BUDGET // max(n_rows, 1)))


def _chosen(ranked: Sequence[Profile], n_rows: int) -> list[tuple[str, ...]]:
    """Return the combinations to count: those with the most possible values. Names inside follow the ranking."""
    every = [some for size in range(1, _LARGEST + 1) for some in subsets(ranked, size)]
    every.sort(key=lambda some: -sum(log(column.n_distinct + 1) for column in some))
    return [tuple(column.name for column in some) for some in every[: _budget(n_rows)]]


def _count(frame: pl.DataFrame, chosen: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    """Count the rows that are unique on each combination; combinations with a common prefix share the work."""
    columns = {name: number(frame[name]) for name in dict.fromkeys(name for names in chosen for name in names)}
    counts: dict[tuple[str, ...], int] = {}
    _descend((), whole(frame.height), sorted(chosen), columns, counts)
    return {names: counts[names] for names in chosen}


def _descend(
    prefix: tuple[str, ...],
    partition: RowPartition,
    chosen: Sequence[tuple[str, ...]],
    columns: dict[str, Numbered],
    counts: dict[tuple[str, ...], int],
) -> None:
    """Split by each next column of the combinations with this prefix, and recurse."""
    counts[prefix] = partition.n_unique
    depth = len(prefix)
    for name in dict.fromkeys(names[depth] for names in chosen if len(names) > depth):
        below = [names for names in chosen if len(names) > depth and names[depth] == name]
        _descend((*prefix, name), partition.split(columns[name]), below, columns, counts)


def _adds_something(names: tuple[str, ...], counts: dict[tuple[str, ...], int]) -> bool:
    """Whether a combination singles out clearly more rows than each of its subsets."""
    inside = (counts.get(some, 0) for size in range(1, len(names)) for some in subsets(names, size))
    return counts[names] > _WORTH_ADDING * max(inside, default=0)
