"""The classes at any node of the lattice, rolled up from classes that are already known, and a cache of these."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import ref

import numpy as np

from shoal.algorithms.lattice.row_packing import Layout
from shoal.algorithms.lattice.space import Levels
from shoal.core.arrays import Codes, Floats, Offsets, Words64
from shoal.core.table import QuasiColumn, SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.kernels.grouping import members_of
from shoal.kernels.rollup import Limits, merge_tallies, roll_up, smallest_below


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


class ClassRollup:
    """Computes the classes of a node from the smallest known node below it, and caches them.

    The bottom node is grouped once, to distinct rows with counts. On the way up to a node, its *spine* is filled in:
    the nodes that agree with it in the first few columns and are 0 elsewhere, starting with the columns with the most
    information, because generalizing those merges most. Spines are shared by many nodes, so few nodes have to start
    from the bottom. About ``memory`` bytes are cached; the least recently used nodes are evicted.

    Cost of a node: O(classes of the node it is rolled up from).
    """

    def __init__(self, table: Table, *, memory: int = 256 << 20, spine: int = 2) -> None:
        self.table = table
        self.codes = np.ascontiguousarray(table.codes[:, table.distinct.firsts])
        self.layout = Layout.of(table.quasi)
        self._slots = np.empty(16 + 4 * table.distinct.firsts.size, np.int32)
        self._spine = np.argsort([-_information(column) for column in table.quasi], kind="stable")[:spine].tolist()
        self._first = int(np.argmax([_information_below_root(column) for column in table.quasi]))
        self._unlimited = Limits(table.n_rows, 0, table.n_rows)
        self._memory = ClassCache(self._bottom(), memory)

    def at(self, levels: Levels) -> Classes:
        """The classes of a node."""
        found = self.within(levels, self._unlimited)
        assert found is not None
        return found

    def within(self, levels: Levels, limits: Limits) -> Classes | None:
        """The classes of a node; None as soon as they exceed a limit, unless they were cached already."""
        known = self._memory.get(levels)
        if known is None:
            self._fill_spine(levels)
            known = self._memory.get(levels) or self._roll(levels, limits)
        return known

    def _fill_spine(self, levels: Levels) -> None:
        step = list(self._memory.bottom.levels)
        for column in self._spine:
            step[column] = levels[column]
            if (node := tuple(step)) not in self._memory:
                self._roll(node, self._unlimited)

    def class_codes(self, classes: Classes) -> Codes:
        """``codes[column, class]``: the leaves of one row of each class."""
        return self.codes.take(classes.firsts, axis=1, mode="wrap")

    def row_ids(self, classes: Classes) -> Codes:
        """The class of each row. O(rows)."""
        return self._unit_ids(classes)[self.table.distinct.ids]

    def tallies(self, classes: Classes, column: SensitiveColumn) -> Tallies:
        """How often each class has each value of a sensitive column. O(entries of the node it is rolled up from)."""
        known = classes.tallies.get(column.name)
        if known is None:
            known = classes.tallies[column.name] = self._tally(classes, column)
            self._memory.grow(12 * known.values.size)
        return known

    def _tally(self, classes: Classes, column: SensitiveColumn) -> Tallies:
        source = classes.source() if classes.source else None
        if source is None:
            return self.table.tallies(self.row_ids(classes), len(classes), column)
        below = self.tallies(source, column)
        offsets, parts = members_of(classes.parts, len(classes))
        return Tallies(
            *merge_tallies(offsets, parts, below.offsets, below.values, below.counts, column.domain.n_leaves)
        )

    def _unit_ids(self, classes: Classes) -> Codes:
        """The class of each distinct row."""
        if classes is self._memory.bottom:
            return self._places
        source = classes.source() if classes.source else None
        if source is not None:
            return classes.parts[self._unit_ids(source)]
        again = self._rolled(self._memory.bottom, classes.levels, self._unlimited)
        assert again is not None
        return again.parts[self._places]

    def _bottom(self) -> Classes:
        """The distinct rows, sorted by the column that classes are bucketed by."""
        order = np.argsort(self.codes[self._first], kind="stable").astype(np.int32)
        self._places = np.empty_like(order)
        self._places[order] = np.arange(order.size, dtype=np.int32)
        keys = self.layout.pack(self.codes.take(order, axis=1))
        return Classes((0,) * self.table.n_quasi, keys, self.table.distinct.weights[order], order, order)

    def _roll(self, levels: Levels, limits: Limits) -> Classes | None:
        """Roll up a node and cache it; None if it exceeds a limit."""
        found = self._rolled(self._memory.smallest_below(levels), levels, limits)
        return None if found is None else self._memory.add(found)

    def _rolled(self, source: Classes, levels: Levels, limits: Limits) -> Classes | None:
        fields = self.layout.fields(source.levels, levels)
        bucket = self.layout.bucket(self._first, source.levels, levels)
        done, parts, keys, sizes, firsts = roll_up(
            source.keys, source.sizes, source.firsts, fields, bucket, self.layout.maps, self._slots, limits
        )
        return Classes(levels, keys, sizes, firsts, parts, ref(source)) if done else None


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


def _information(column: QuasiColumn, level: int = 0) -> float:
    """The entropy of a column's values on a level."""
    counts = np.bincount(column.recoding.nested.low[level], weights=column.domain.counts)
    shares: Floats = counts[counts > 0] / max(1, counts.sum())
    return float(-(shares * np.log2(shares)).sum())


def _information_below_root(column: QuasiColumn) -> float:
    """The entropy summed over all levels but the root's."""
    return sum(_information(column, level) for level in range(column.recoding.nested.n_levels - 1))
