"""Columns that single people out only in combination, and the combinations of a few that single out the most."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations as subsets
from math import comb, log

import numpy as np
import polars as pl

from shoal.io.inspect.findings import Combination
from shoal.io.inspect.partition import Numbered, RowPartition, number, split_by, whole
from shoal.io.inspect.profile import Profile
from shoal.io.inspect.roles import SINGLED_OUT, RoleSuggestion

N_COLUMNS = 20
"""At most this many columns are combined: those with the most values."""

_N_TOLD = 10
_LARGEST = 3
_MOST = 500
_ROW_BUDGET = 60_000_000
_WORTH_TELLING = 0.01
_WORTH_ADDING = 1.1

N_CANDIDATES = 64
"""At most this many columns are tried in combination: those that distinguish the most pairs of rows."""

_N_SAMPLED = 20_000
_N_STEPS = 16
_GROWTH = 1.1


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


def candidates(columns: Sequence[Profile]) -> list[str]:
    """The columns worth trying; those that distinguish the most pairs of rows come first."""
    ranked = sorted(columns, key=lambda column: -column.separation)
    return [column.name for column in ranked[:N_CANDIDATES]]


def suggest_together(frame: pl.DataFrame, known: Sequence[str], tried: Sequence[str]) -> dict[str, RoleSuggestion]:
    """Suggest quasi-identifiers among the columns tried: those that add to the known ones, then those that do without.

    A greedy search: repeatedly add the column that yields the most classes. For speed, the order is determined on a
    sample of the rows; the rows singled out are counted on all of them. O(steps · candidates · sampled rows + steps ·
    rows).

    Reference: Motwani and Xu 2007, Efficient algorithms for masking and finding quasi-identifiers.
    """
    found: dict[str, RoleSuggestion] = {}
    if known:
        added, share = _telling(frame, known, tried)
        reason = f"with the other quasi-identifiers singles out {share:.0%} more rows"
        found |= dict.fromkeys(added, RoleSuggestion("quasi-identifier", reason))
    alone, share = _telling(frame, [], [name for name in tried if name not in found])
    company = "one other column" if len(alone) == 2 else f"{len(alone) - 1} other columns"
    reason = f"with {company} singles out {share:.0%} of rows"
    return found | dict.fromkeys(alone, RoleSuggestion("quasi-identifier", reason))


def _telling(frame: pl.DataFrame, known: Sequence[str], tried: Sequence[str]) -> tuple[list[str], float]:
    """The columns to add to the known ones, and the share of rows that they additionally make unique.

    The order is that of the classes on a sample; it ends with the last column that by itself singles out one row in
    twenty more. Empty if no column does.
    """
    order = _greedy(frame, known, tried)
    partition = split_by(frame.height, (number(frame[name]) for name in known if order))
    counts = [partition.n_unique]
    for name in order:
        partition = partition.split(number(frame[name])) if partition.n_ids else partition
        counts.append(partition.n_unique)
    gains = np.diff(counts) / frame.height
    n_added = int(np.flatnonzero(gains >= SINGLED_OUT).max(initial=-1)) + 1
    return order[:n_added], float(gains[:n_added].sum())


def _greedy(frame: pl.DataFrame, known: Sequence[str], tried: Sequence[str]) -> list[str]:
    """Order the columns by how many classes each adds on a sample of rows.

    Once most of the sample is unique it cannot rank further columns, so the rest follow in their given order.
    """
    sample = frame.select(list(dict.fromkeys([*known, *tried]))).gather_every(max(1, -(-frame.height // _N_SAMPLED)))
    left = {name: number(sample[name]) for name in tried}
    partition = split_by(sample.height, (number(sample[name]) for name in known)) if known else whole(sample.height)
    order: list[str] = []
    while left and len(order) < _N_STEPS and partition.n_ids:
        splits = ((name, partition.split(column)) for name, column in left.items())
        name, split = max(splits, key=lambda pair: pair[1].n_classes)
        if split.n_classes < _GROWTH * partition.n_classes:
            break
        order.append(name)
        partition = split
        del left[name]
    is_exhausted = partition.n_classes > sample.height / 2
    return [*order, *left][:_N_STEPS] if is_exhausted else order
