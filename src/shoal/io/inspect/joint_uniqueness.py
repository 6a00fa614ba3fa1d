"""Columns that single people out only in company.

A greedy search after Motwani and Xu ("Efficient algorithms for masking and finding quasi-identifiers", 2007): add the
column that makes the most classes, again and again. The order is found on a sample of the rows, for speed; whether
rows are singled out is counted on all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.io.inspect.partition import Numbered, RowPartition, number, split_by, whole
from shoal.io.inspect.profile import Profile
from shoal.io.inspect.roles import SINGLED_OUT, RoleSuggestion

N_CANDIDATES = 64
"""At most so many columns are tried in company: those that tell most pairs of rows apart."""

_N_SAMPLED = 20_000
_N_STEPS = 16
_GROWTH = 1.1


def candidates(columns: Sequence[Profile]) -> list[str]:
    """The columns worth trying, those that tell most pairs of rows apart first."""
    ranked = sorted(columns, key=lambda column: -column.separation)
    return [column.name for column in ranked[:N_CANDIDATES]]


def suggest_together(frame: pl.DataFrame, known: Sequence[str], tried: Sequence[str]) -> dict[str, RoleSuggestion]:
    """Quasi-identifiers among the columns tried: those that add to the known ones, then those that need none.

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
    """The columns to add to the known ones, and the share of rows that become unique by them.

    Each is added for its classes on a sample; the last one for singling out one row in twenty more by itself.
    None where no column does.
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
    """The columns that make the most classes, one after the other, on a sample of rows.

    Where most of the sample is told apart it says no more, though all rows may not be: the rest follow as they come.
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
    """The column that makes the most classes; the first of equals."""
    splits = ((name, partition.split(column)) for name, column in columns.items())
    return max(splits, key=lambda pair: pair[1].n_classes)


def _company(n_others: int) -> str:
    return "one other column" if n_others == 1 else f"{n_others} other columns"
