"""Equivalence classes at nodes of the lattice, and a cache of those computed so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import ref

import numpy as np

from shoal.algorithms.lattice.space import Levels
from shoal.core.arrays import Codes, Offsets, Words64
from shoal.core.tallies import Tallies
from shoal.kernels.rollup import smallest_below


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of all rows at a node, ordered by their first distinct row.

    ``keys[word, class]`` are their packed values, ``sizes`` their numbers of rows, ``firsts`` one distinct row of each.
    They were rolled up from ``source``, whose class ``i`` became part of class ``parts[i]``; the source may have been
    evicted since. ``tallies`` holds the counted values of sensitive columns, by the column's name.
    """

    levels: Levels
    keys: Words64
    sizes: Offsets
    firsts: Codes
    parts: Codes
    source: ref[Classes] | None = None
    tallies: dict[str, Tallies] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return int(self.sizes.size)

    @property
    def n_bytes(self) -> int:
        """The memory used, in bytes."""
        held = sum(array.nbytes for array in (self.keys, self.sizes, self.firsts, self.parts))
        return held + sum(12 * tallies.values.size for tallies in self.tallies.values())


class ClassCache:
    """A cache of grouped nodes: the least recently used are evicted first, the bottom never."""

    def __init__(self, bottom: Classes, n_bytes: int) -> None:
        self.bottom = bottom
        self._limit = max(n_bytes, 4 * bottom.n_bytes)
        self._held = bottom.n_bytes
        self._nodes: list[Classes] = [bottom]
        self._at: dict[Levels, int] = {bottom.levels: 0}
        self._used = np.zeros(64, np.int64)
        self._sizes = np.full(64, len(bottom), np.int64)
        self._levels = np.zeros((64, len(bottom.levels)), np.int32)
        self._clock = 0

    def __contains__(self, levels: Levels) -> bool:
        return levels in self._at

    def get(self, levels: Levels) -> Classes | None:
        """The classes of a node, if cached."""
        at = self._at.get(levels)
        return None if at is None else self._touch(at)

    def smallest_below(self, levels: Levels) -> Classes:
        """The cached node with the fewest classes that does not exceed ``levels`` in any column. O(cached nodes)."""
        n = len(self._nodes)
        return self._touch(smallest_below(self._levels[:n], self._sizes[:n], np.array(levels, np.int32)))

    def add(self, classes: Classes) -> Classes:
        """Cache a node, evicting others if there is no room."""
        self.grow(classes.n_bytes)
        at = len(self._nodes)
        if at == self._used.size:
            self._used, self._sizes = np.tile(self._used, 2), np.tile(self._sizes, 2)
            self._levels = np.tile(self._levels, (2, 1))
        self._nodes.append(classes)
        self._write(at, classes)
        return self._touch(at)

    def grow(self, n_bytes: int) -> None:
        """Account for ``n_bytes`` more, evicting nodes if necessary."""
        self._held += n_bytes
        while self._held > self._limit and len(self._nodes) > 1:
            self._forget()

    def _touch(self, at: int) -> Classes:
        self._clock += 1
        self._used[at] = self._clock
        return self._nodes[at]

    def _write(self, at: int, classes: Classes) -> None:
        self._at[classes.levels] = at
        self._sizes[at], self._levels[at] = len(classes), classes.levels

    def _forget(self) -> None:
        """Evict the least recently used node; the last one takes its place."""
        oldest = 1 + int(self._used[1 : len(self._nodes)].argmin())
        gone, last = self._nodes[oldest], self._nodes.pop()
        self._held -= gone.n_bytes
        del self._at[gone.levels]
        if last is not gone:
            self._nodes[oldest] = last
            self._used[oldest] = self._used[len(self._nodes)]
            self._write(oldest, last)
