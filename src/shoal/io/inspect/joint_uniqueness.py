"""Columns that single people out only in combination.

A greedy search after Motwani and Xu ("Efficient algorithms for masking and finding quasi-identifiers", 2007):
repeatedly add the column that yields the most classes. For speed, the order is determined on a sample of the rows; the
rows singled out are counted on all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.io.inspect.partition import Numbered, RowPartition, number, split_by, whole
from shoal.io.inspect.profile import Profile
from shoal.io.inspect.roles import SINGLED_OUT, RoleSuggestion

N_CANDIDATES = 64
"""At most this many columns are tried in combination: those that distinguish the most pairs of rows."""

_N_SAMPLED = 20_000
_N_STEPS = 16
_GROWTH = 1.1


def candidates(columns: Sequence[Profile]) -> list[str]:
    """The columns worth trying; those that distinguish the most pairs of rows come first."""
    ranked = sorted(columns, key=lambda column: -column.separation)
    return [column.name for column in ranked[:N_CANDIDATES]]


def suggest_together(frame: pl.DataFrame, known: Sequence[str], tried: Sequence[str]) -> dict[str, RoleSuggestion]:
    """Suggest quasi-identifiers among the columns tried: those that add to the known ones, then those that do without.

    O(steps · candidates · sampled rows + steps · rows).
    """
    found: dict[str, RoleSuggestion] = {}
    if known:
        added, share = telling(frame, known, tried)
        reason = f"with the other quasi-identifiers singles out {share:.0%} more rows"
        found |= dict.fromkeys(added, RoleSuggestion("quasi-identifier", reason))
    alone, share = telling(frame, [], [name for name in tried if name not in found])
    reason = f"with {_company(len(alone) - 1)} singles out {share:.0%} of rows"
    return found | dict.fromkeys(alone, RoleSuggestion("quasi-identifier", reason))


def telling(frame: pl.DataFrame, known: Sequence[str], tried: Sequence[str]) -> tuple[list[str], float]:
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
        name, split = _best(partition, left)
        if split.n_classes < _GROWTH * partition.n_classes:
            break
        order.append(name)
        partition = split
        del left[name]
    is_exhausted = partition.n_classes > sample.height / 2
    return [*order, *left][:_N_STEPS] if is_exhausted else order


def _best(partition: RowPartition, columns: dict[str, Numbered]) -> tuple[str, RowPartition]:
    """The column that yields the most classes; the first of equals."""
    splits = ((name, partition.split(column)) for name, column in columns.items())
    return max(splits, key=lambda pair: pair[1].n_classes)


def _company(n_others: int) -> str:
    return "one other column" if n_others == 1 else f"{n_others} other columns"
