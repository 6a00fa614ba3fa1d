"""The lattice: every way to choose one level per quasi-identifier."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.core.table import Table
from shoal.errors import InputError

Levels = tuple[int, ...]
"""One level per quasi-identifier: a node of the lattice."""

Key = tuple[float, ...]
"""The key by which a metric compares nodes, lexicographically; smaller is better."""


@dataclass(frozen=True)
class Space:
    """The nodes between exact values and everything suppressed; ``heights`` are the columns' highest levels.

    A column without a hierarchy has two levels, the value and everything.

    >>> space = Space(("zip", "sex"), (2, 1))
    >>> space.n_nodes, space.top, [*space.at_height(1)]
    (6, (2, 1), [(0, 1), (1, 0)])
    """

    names: tuple[str, ...]
    heights: Levels

    @classmethod
    def of(cls, table: Table) -> Space:
        """The lattice of a table's quasi-identifiers."""
        return cls(
            tuple(column.name for column in table.quasi),
            tuple(column.recoding.nested.n_levels - 1 for column in table.quasi),
        )

    @property
    def n_nodes(self) -> int:
        """Number of nodes; it may be astronomical."""
        return math.prod(height + 1 for height in self.heights)

    @property
    def bottom(self) -> Levels:
        """The node with every value unchanged."""
        return (0,) * len(self.heights)

    @property
    def top(self) -> Levels:
        """The node with everything suppressed."""
        return self.heights

    def nodes(self) -> Iterator[Levels]:
        """Every node, the last column running fastest."""
        return product(*(range(height + 1) for height in self.heights))

    def at_height(self, height: int) -> Iterator[Levels]:
        """The nodes whose levels sum to ``height``, in lexicographic order."""
        return _compositions(self.heights, height)

    def above(self, levels: Levels) -> Iterator[Levels]:
        """The nodes one step up."""
        for c, level in enumerate(levels):
            if level < self.heights[c]:
                yield (*levels[:c], level + 1, *levels[c + 1 :])

    def below(self, levels: Levels) -> Iterator[Levels]:
        """The nodes one step down."""
        for c, level in enumerate(levels):
            if level > 0:
                yield (*levels[:c], level - 1, *levels[c + 1 :])

    def checked(self, levels: Sequence[int]) -> Levels:
        """The levels as a node, checked.

        Raises:
            InputError: the wrong number of levels, or one that the column does not have.
        """
        if len(levels) != len(self.heights):
            raise InputError(
                f"levels needs one level for each of the {len(self.heights)} quasi-identifiers "
                f"({', '.join(self.names)}), got {len(levels)}."
            )
        for name, level, height in zip(self.names, levels, self.heights, strict=True):
            if not 0 <= level <= height:
                raise InputError(f"The column {name!r} has the levels 0 to {height}, got {level}.")
        return tuple(int(level) for level in levels)


@dataclass(frozen=True)
class Box:
    """The nodes between ``low`` and ``high`` in every column.

    >>> Box((0, 1), (2, 1)).n_nodes
    3
    """

    low: Levels
    high: Levels

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The number of levels of each column."""
        return tuple(b - a + 1 for a, b in zip(self.low, self.high, strict=True))

    @property
    def n_nodes(self) -> int:
        """Number of nodes; it may be astronomical."""
        return math.prod(self.shape)

    @cached_property
    def strides(self) -> Offsets:
        """What a step up in each column adds to the number of a node; the last column runs fastest."""
        return np.array([math.prod(self.shape[c + 1 :]) for c in range(len(self.shape))], np.int64)

    def levels(self, numbers: Offsets) -> Codes:
        """``levels[node, column]`` of nodes by their numbers."""
        above = numbers[:, None] // self.strides % np.array(self.shape)
        levels: Codes = (above + np.array(self.low)).astype(np.int32)
        return levels

    def part(self, low: Levels, high: Levels) -> tuple[slice, ...]:
        """The slices for the nodes between two others, in an array with an axis per column of more than one level."""
        ends = [*zip(self.low, self.high, low, high, strict=True)]
        if any(max(at, a) > min(top, b) for at, top, a, b in ends):
            return (slice(0),)
        return tuple(slice(max(a, at) - at, min(b, top) - at + 1) for at, top, a, b in ends if at < top) or (slice(1),)


def is_below(one: Levels, other: Levels) -> bool:
    """Whether ``one`` does not exceed ``other`` in any column."""
    return all(a <= b for a, b in zip(one, other, strict=True))


def _compositions(heights: Levels, total: int) -> Iterator[Levels]:
    """The vectors between 0 and ``heights`` that sum to ``total``, lexicographically."""
    if not heights:
        if total == 0:
            yield ()
        return
    rest = sum(heights[1:])
    for first in range(max(0, total - rest), min(heights[0], total) + 1):
        for others in _compositions(heights[1:], total - first):
            yield (first, *others)
