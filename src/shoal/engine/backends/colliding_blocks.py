"""Blocks that each keep a promise and together break it, because some of their classes are printed alike.

A union of such classes is one class. People may have rows in both parts, and more values there than in either, so that
only promises that count different people are sure to survive. Where one does not, the blocks are run again as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes


class BlocksCollide(Exception):
    """Sets of blocks that have classes in common which break a promise. Never leaves the backends."""

    def __init__(self, blocks: Iterable[Set[int]]) -> None:
        super().__init__("blocks have classes in common that break a promise")
        self.blocks = [frozenset(each) for each in blocks]


@dataclass(frozen=True, eq=False)
class Homes:
    """Block ``b`` of the cuts is run as part of ``numbers[b]``; those in ``whole`` are not cut into pieces."""

    numbers: Codes
    whole: frozenset[int] = frozenset()

    @classmethod
    def alone(cls, n_blocks: int) -> Homes:
        """Each by itself."""
        return cls(np.arange(n_blocks, dtype=np.int32))

    def joined(self, together: Iterable[Set[int]]) -> Homes:
        """The same with each of these sets of homes as one, called by its smallest number."""
        called = np.arange(self.numbers.size, dtype=np.int32)
        whole = set(self.whole)
        for homes in together:
            same = np.isin(called, called[list(homes)])
            called[same] = called[same].min()
            whole |= homes
        return Homes(called[self.numbers], frozenset(int(called[home]) for home in whole))
