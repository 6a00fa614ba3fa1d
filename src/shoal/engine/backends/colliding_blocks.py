"""Blocks that each satisfy a model but together violate it, because some of their classes are printed alike.

Classes of several blocks with equal cells form one class. People may have rows in several of them, and more values
there than in either, so only models that count different people certainly survive. If one does not, the blocks are run
again as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes


class BlocksCollide(Exception):
    """Sets of blocks whose common classes violate a model. Never leaves the backends."""

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
        """Each block by itself."""
        return cls(np.arange(n_blocks, dtype=np.int32))

    def joined(self, together: Iterable[Set[int]]) -> Homes:
        """The same with each of these sets of homes merged under its smallest number."""
        called = np.arange(self.numbers.size, dtype=np.int32)
        whole = set(self.whole)
        for homes in together:
            same = np.isin(called, called[list(homes)])
            called[same] = called[same].min()
            whole |= homes
        return Homes(called[self.numbers], frozenset(int(called[home]) for home in whole))
