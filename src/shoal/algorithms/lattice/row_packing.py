"""How the values of a row are packed into 64-bit words, and how they change from level to level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.lattice.space import Levels
from shoal.core.arrays import Codes, Offsets, Words64
from shoal.core.table import QuasiColumn
from shoal.kernels.rollup import Fields

_BITS = 64


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the columns' bits are in a key, and the tables from node numbers of one level to those of a higher one."""

    words: Offsets
    shifts: Words64
    masks: Words64
    maps: Codes
    starts: tuple[tuple[tuple[int, ...], ...], ...]

    @classmethod
    def of(cls, columns: Sequence[QuasiColumn]) -> Layout:
        """Lay out as many bits per column as its leaves need, with no column split between two words."""
        widths = [max(1, (column.domain.n_leaves - 1).bit_length()) for column in columns]
        places, end = [], 0
        for width in widths:
            if end % _BITS + width > _BITS:
                end += _BITS - end % _BITS
            places.append(end)
            end += width
        maps, starts = _tables(columns)
        return cls(
            words=np.array([place // _BITS for place in places], np.int64),
            shifts=np.array([place % _BITS for place in places], np.uint64),
            masks=np.array([(1 << width) - 1 for width in widths], np.uint64),
            maps=maps,
            starts=starts,
        )

    def pack(self, codes: Codes) -> Words64:
        """Keys of rows at the bottom, where the number of a node is the leaf itself."""
        keys = np.zeros((int(self.words[-1]) + 1, codes.shape[1]), np.uint64)
        for c in range(codes.shape[0]):
            keys[self.words[c]] |= codes[c].astype(np.uint64) << self.shifts[c]
        return keys

    def fields(self, low: Levels, high: Levels) -> Fields:
        """The columns in which two nodes differ, and their tables."""
        changed = [c for c in range(len(low)) if low[c] != high[c]]
        starts = np.array([self.starts[c][low[c]][high[c]] for c in changed], np.int64)
        return Fields(self.words[changed], self.shifts[changed], self.masks[changed], starts)

    def bucket(self, column: int, low: Levels, high: Levels) -> Fields:
        """The field that separates classes sorted by a column into buckets; none if the column is at its root."""
        if high[column] == len(self.starts[column]) - 1:
            return Fields(self.words[:0], self.shifts[:0], self.masks[:0], self.words[:0])
        start = -1 if low[column] == high[column] else self.starts[column][low[column]][high[column]]
        one = slice(column, column + 1)
        return Fields(self.words[one], self.shifts[one], self.masks[one], np.array([start], np.int64))


def _tables(columns: Sequence[QuasiColumn]) -> tuple[Codes, tuple[tuple[tuple[int, ...], ...], ...]]:
    """All tables concatenated, and where the table for each column, level and higher level starts."""
    tables: list[Codes] = []
    end, starts = 0, []
    for column in columns:
        is_first = [np.diff(low, prepend=-1) != 0 for low in column.recoding.nested.low]
        of_column = []
        for level, here in enumerate(is_first):
            of_level = [0] * (level + 1)
            for above in is_first[level + 1 :]:
                tables.append((np.cumsum(above) - 1)[here].astype(np.int32))
                of_level.append(end)
                end += tables[-1].size
            of_column.append(tuple(of_level))
        starts.append(tuple(of_column))
    return (np.concatenate(tables) if tables else np.zeros(1, np.int32)), tuple(starts)
