"""Random numbers for the example table: the same on every machine, and independent per row."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Offsets, Words64

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


class Draws:
    """Independent named streams with one number per row, made of integers only.

    The number of row ``r`` in a stream is output ``r`` of splitmix64 (Steele, Lea and Flood, OOPSLA 2014), seeded by
    the stream's name. It depends on nothing else, so a longer table begins with the shorter one. Do not use this for
    secrets; use ``core.randomness``.

    >>> Draws(2).below("dice", 6).tolist() == Draws(9).below("dice", 6)[:2].tolist()
    True
    """

    def __init__(self, n_rows: int) -> None:
        self.n_rows = n_rows
        self._steps: Words64 = (np.arange(n_rows, dtype=np.uint64) + np.uint64(1)) * _GOLDEN

    def words(self, stream: str) -> Words64:
        """One uniform 64-bit word per row."""
        start = _mix(np.array([crc32(stream.encode())], np.uint64) * _GOLDEN)
        return _mix(self._steps + start)

    def below(self, stream: str, bound: int | Offsets) -> Offsets:
        """One integer per row in ``0 … bound − 1``; the bound may differ by row and stays below 2³²."""
        halves = self.words(stream) >> np.uint64(32)
        drawn: Offsets = ((halves * np.asarray(bound).astype(np.uint64)) >> np.uint64(32)).astype(np.int64)
        return drawn

    def choose(self, stream: str, weights: npt.ArrayLike) -> Codes:
        """Draw one position per row from a list of integer weights."""
        return self.choose_by(stream, np.zeros(self.n_rows, np.int32), np.asarray(weights, np.int64)[None, :])

    def choose_by(self, stream: str, groups: Codes, weights: Offsets) -> Codes:
        """Draw one position per row by the weights ``weights[group, position]`` of the row's group. O(rows · log)."""
        ends = np.cumsum(weights)
        starts = ends[weights.shape[1] - 1 :: weights.shape[1]] - weights.sum(axis=1)
        drawn = self.below(stream, weights.sum(axis=1)[groups]) + starts[groups]
        flat = np.searchsorted(ends, drawn, side="right")
        chosen: Codes = (flat - groups.astype(np.int64) * weights.shape[1]).astype(np.int32)
        return chosen


def _mix(words: Words64) -> Words64:
    """The finalizer of splitmix64: a bijection that scatters neighbours."""
    words = (words ^ (words >> np.uint64(30))) * _FIRST
    words = (words ^ (words >> np.uint64(27))) * _SECOND
    return words ^ (words >> np.uint64(31))
