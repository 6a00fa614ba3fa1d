"""Patterns in text form: a column's name if it is kept, a star if it is blanked."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.algorithms.patterns.column_levels import Ladder
from shoal.core.hierarchy import STAR
from shoal.errors import InputError, did_you_mean

AT = "@"
"""The separator between a column and its level: ``zip@2``."""


def parse(vector: Sequence[str], ladders: Sequence[Ladder]) -> tuple[int, ...]:
    """The level of each column: ``("age", "*", "zip@2")``; a name alone is level 0.

    Raises:
        InputError: too few or too many places, another column's name, a level that is not there.
    """
    if len(vector) != len(ladders):
        names = ", ".join(ladder.name for ladder in ladders)
        raise InputError(
            f"The pattern {_joined(vector)!r} has {len(vector)} places for {len(ladders)} quasi-identifiers ({names}); "
            "write each one's name or a star."
        )
    return tuple(_level(place, ladder, vector) for place, ladder in zip(vector, ladders, strict=True))


def text(levels: Sequence[int], ladders: Sequence[Ladder]) -> str:
    """A pattern in text form."""
    return _joined([_place(int(level), ladder) for level, ladder in zip(levels, ladders, strict=True)])


def names_levels(vectors: Sequence[Sequence[str]], names: Sequence[str]) -> bool:
    """Whether some pattern names a level between the value and the star."""
    return any(AT in place and place not in names for vector in vectors for place in vector)


def _level(place: str, ladder: Ladder, vector: Sequence[str]) -> int:
    if place == STAR:
        return ladder.top
    if place == ladder.name:
        return 0
    name, _, level = place.rpartition(AT)
    if name != ladder.name:
        hint = did_you_mean(place, [ladder.name, STAR])
        raise InputError(f"The pattern {_joined(vector)!r} has {place!r} in the place of {ladder.name!r}.{hint}")
    if not level.isdecimal() or int(level) > ladder.top:
        raise InputError(
            f"The pattern {_joined(vector)!r} asks for level {level!r} of {name!r}, which has 0 to {ladder.top}."
        )
    return int(level)


def _place(level: int, ladder: Ladder) -> str:
    if level == ladder.top:
        return STAR
    return f"{ladder.name}{AT}{level}" if level else ladder.name


def _joined(places: Sequence[str]) -> str:
    return ",".join(places)
