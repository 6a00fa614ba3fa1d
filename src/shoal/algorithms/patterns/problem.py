"""A table and a pattern mask, prepared for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from shoal.algorithms.patterns.column_levels import Ladder
from shoal.algorithms.patterns.mask import PatternMask
from shoal.core.arrays import Codes, Flags, Offsets, Words64
from shoal.core.table import Table
from shoal.kernels.patterns_sweep import determines


@dataclass(frozen=True, eq=False)
class PatternProblem:
    """Distinct rows with weights, and for each pattern the words that make up a row's key.

    ``planes[plane, row]`` is a word for the cell of a distinct row in one column on one level;
    ``lines[pattern, column]`` is the plane, −1 where the pattern stars the column. Rows are equal under a pattern
    exactly if the XOR of their words is, except with a probability of about rows² / 2^64 per pattern; ``salt`` makes
    these collisions unpredictable, and the release is checked anyway.
    """

    table: Table
    mask: PatternMask
    salt: int = 0

    @property
    def weights(self) -> Offsets:
        """How many rows each distinct row represents."""
        return self.table.distinct.weights

    @cached_property
    def codes(self) -> Codes:
        """The codes of the distinct rows."""
        return np.ascontiguousarray(self.table.codes[:, self.table.distinct.firsts])

    @cached_property
    def planes(self) -> Words64:
        """A word for every column, level and distinct row. O(planes · rows)."""
        words = [
            _words(ladder, level, column + 1, self.salt)[self.codes[column]]
            for column, ladder in enumerate(self.mask.ladders)
            for level in range(ladder.top)
        ]
        return np.array(words, np.uint64)

    @cached_property
    def lines(self) -> npt.NDArray[np.int32]:
        """The plane of each pattern and column."""
        starts = np.cumsum([0, *(ladder.top for ladder in self.mask.ladders)])[:-1]
        tops = np.array([ladder.top for ladder in self.mask.ladders])
        levels = self.mask.levels.astype(np.int32)
        return np.where(levels == tops, -1, starts + levels).astype(np.int32)

    @cached_property
    def idle(self) -> Flags:
        """Patterns that make the same rows equal as an earlier one, because they hide a column that another determines.

        If column a determines column b, a pattern with the value of a groups rows the same way on every level of b.
        """
        idle = np.zeros(len(self.mask), bool)
        if self.table.n_rows > 1:
            places = {levels.tobytes(): place for place, levels in enumerate(self.mask.levels)}
            for a, b in np.argwhere(determines(self.codes)):
                hiding = np.flatnonzero((self.mask.levels[:, a] == 0) & (self.mask.levels[:, b] > 0))
                shown = self.mask.levels[hiding]
                shown[:, b] = 0
                earlier = [places.get(levels.tobytes(), len(self.mask)) for levels in shown] < hiding
                idle[hiding[earlier]] = True
        return idle


def _words(ladder: Ladder, level: int, column: int, salt: int) -> Words64:
    """A word for the cell above each leaf; the same for the same cell on another level, 0 for the star."""
    nodes = ladder.nodes[level].astype(np.uint64)
    start = (column * 0x9E3779B97F4A7C15 + salt) % 2**64
    words = _mixed(_mixed(nodes + np.uint64(1)) ^ np.uint64(start))
    words[ladder.nodes[level] == ladder.everything] = 0
    return words


def _mixed(words: Words64) -> Words64:
    """A bijection on words that spreads every bit over all others."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words ^ (words >> np.uint64(31))
