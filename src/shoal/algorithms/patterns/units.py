"""Columns that the rules tie together, as units that are blanked together or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.algorithms.patterns.column_levels import Ladder
from shoal.algorithms.patterns.rules import Rules


@dataclass(frozen=True)
class Unit:
    """Columns by number, whether they may be blanked, and the at-most-one groups they are in."""

    columns: tuple[int, ...]
    may_blank: bool
    rivals: frozenset[int]


def units_of(rules: Rules, ladders: Sequence[Ladder]) -> list[Unit]:
    """The units of all columns, in order of their first columns. Keeping all columns of a unit is always allowed."""
    places = {ladder.name: place for place, ladder in enumerate(ladders)}
    homes = _united([{places[name] for name in group} for group in rules.together], len(ladders))
    rivals = [[places[name] for name in dict.fromkeys(group)] for group in rules.at_most_one]
    kept = {places[name] for name in rules.never}
    return [_unit(columns, kept, rivals) for columns in homes]


def _unit(columns: tuple[int, ...], kept: set[int], rivals: Sequence[Sequence[int]]) -> Unit:
    own = [sum(place in columns for place in group) for group in rivals]
    return Unit(
        columns=columns,
        may_blank=not kept.intersection(columns) and max(own, default=0) <= 1,
        rivals=frozenset(group for group, count in enumerate(own) if count),
    )


def _united(groups: Sequence[set[int]], n: int) -> list[tuple[int, ...]]:
    """Divide columns into parts such that each group lies within one part."""
    parts = [{place} for place in range(n)]
    for group in groups:
        touched = [part for part in parts if part & group]
        parts = [part for part in parts if not part & group] + ([set.union(*touched)] if touched else [])
    return sorted(tuple(sorted(part)) for part in parts)
