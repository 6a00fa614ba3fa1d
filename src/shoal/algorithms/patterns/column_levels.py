"""The levels at which a column may be published, from the value itself up to a star, and patterns as text.

In a pattern, a column's name means that it is kept, a star that it is blanked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.cells import Cells
from shoal.core.hierarchy import STAR
from shoal.core.table import QuasiColumn
from shoal.errors import InputError, did_you_mean

AT = "@"
"""The separator between a column and its level: ``zip@2``."""


@dataclass(frozen=True, eq=False)
class Ladder:
    """One column: ``nodes[level, leaf]`` is the cell above a leaf; cells with equal content have equal numbers.

    Level 0 is the value itself, the last level is the star. Without hierarchy levels there are only these two. The star
    has a number of its own even in a column with a single value: what is blanked is printed as a star.
    """

    column: QuasiColumn
    nodes: Codes
    low: Codes
    high: Codes

    @classmethod
    def of(cls, column: QuasiColumn, with_levels: bool) -> Ladder:
        """Keep or star; with levels also every level in between, if the column's cells are nodes of a hierarchy."""
        leaves = np.arange(column.domain.n_leaves, dtype=np.int32)
        low, high = [leaves], [leaves]
        if with_levels and column.recoding.closes_to_nodes:
            nested = column.recoding.nested
            low, high = [*nested.low[:-1]], [*nested.high[:-1]]
        low.append(np.zeros_like(leaves))
        high.append(np.full_like(leaves, leaves.size - 1))
        starred = np.repeat(np.arange(len(low)) == len(low) - 1, leaves.size)
        bounds = np.array([np.concatenate(low), np.concatenate(high), starred], np.int32)
        distinct, numbers = np.unique(bounds, axis=1, return_inverse=True)
        nodes = numbers.reshape(len(low), leaves.size).astype(np.int32)
        return cls(column, nodes, distinct[0], distinct[1])

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    @property
    def top(self) -> int:
        """The level of the star."""
        return int(self.nodes.shape[0]) - 1

    @property
    def everything(self) -> int:
        """The cell that contains every value: the star."""
        return int(self.nodes[-1, 0])

    def cells(self, nodes: Codes) -> Cells:
        """These cells in publishable form. O(nodes + leaves)."""
        used, places = np.unique(nodes, return_inverse=True)
        low, high, recoding = self.low[used], self.high[used], self.column.recoding
        if not self._is_mistakable or self.everything not in used:
            return recoding.close(low, high).take(places.astype(np.int32))
        levels = np.where(used == self.everything, max(1, recoding.nested.n_levels - 1), -1)
        return Cells.of_intervals(low, high, levels.astype(np.int32)).take(places.astype(np.int32))

    @property
    def _is_mistakable(self) -> bool:
        """Whether a cell below the star also contains all values, so that the star needs an explicit label."""
        nested = self.column.recoding.nested
        return bool(nested.high[max(0, nested.n_levels - 2), 0] == self.nodes.shape[1] - 1)


def parse_pattern(vector: Sequence[str], ladders: Sequence[Ladder]) -> tuple[int, ...]:
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


def pattern_text(levels: Sequence[int], ladders: Sequence[Ladder]) -> str:
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
