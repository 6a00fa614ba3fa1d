"""The nodes that may still beat the best one found, all of them in memory."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from shoal.algorithms.lattice.bounds import NodeBounds, Surcharge
from shoal.algorithms.lattice.space import Box, Key, Levels, is_below
from shoal.core.arrays import Floats

LISTING = 2e-6
"""An upper limit on the seconds it takes to list a node."""

_CHUNK = 1 << 17
_GONE = np.inf


class Live:
    """A number per node: a lower bound on its key, or the rank of that bound; infinite once the node is eliminated.

    A node is eliminated when it has been judged, is known to be infeasible, or has a bound that is no better than the
    best key found. The nodes below or above another one are a box of the array, so conclusions cost
    O(nodes in the box). About 12 bytes per node.
    """

    def __init__(self, box: Box, bounds: NodeBounds, best: Key | None) -> None:
        self.best = best
        self._nodes, self._bisect = box, not bounds.are_final
        self._strides = box.strides
        chunks = (np.arange(at, min(at + _CHUNK, box.n_nodes)) for at in range(0, box.n_nodes, _CHUNK))
        keys = np.concatenate([bounds.of(box.levels(numbers)) for numbers in chunks])
        self._ranks = None if keys.shape[1] == 1 else _Ranks(keys)
        self._values = keys[:, 0].copy() if self._ranks is None else self._ranks.of_nodes
        self._box = self._values.reshape([size for size in box.shape if size > 1] or [1])
        self._limit = _GONE
        if best is not None:
            self.improve(best)
        alive = np.flatnonzero(np.isfinite(self._values))
        self._order = alive[np.argsort(self._values[alive], kind="stable")].astype(np.int32)
        self._first = 0
        self._ceiling: Levels | None = None

    @property
    def n_left(self) -> int:
        """The number of nodes that are neither judged nor eliminated. O(nodes)."""
        return int(np.isfinite(self._values).sum())

    def lowest(self) -> Key:
        """The least bound of all. O(nodes)."""
        least = float(self._values.min())
        return (least,) if self._ranks is None else self._ranks.key(least)

    def next(self) -> Levels | None:
        """The node to judge: on a path up from the node with the best initial bound, the last, or the middle to bisect.

        If a high node proves infeasible, all nodes below it are eliminated too, which suits bounds that come from
        levels. If bounds come from judged nodes, the search bisects for the border between feasible and infeasible
        nodes.
        """
        start = self._start()
        if start is None:
            return None
        path = self._path_up(start)
        return path[len(path) // 2 if self._bisect else -1]

    def _start(self) -> Levels | None:
        """The first remaining node, in the order of the initial bounds."""
        size = 64
        while self._first < self._order.size:
            chunk = self._order[self._first : self._first + size]
            alive = np.isfinite(self._values[chunk])
            if alive.any():
                self._first += int(alive.argmax())
                number = self._order[self._first : self._first + 1].astype(np.int64)
                return tuple(self._nodes.levels(number)[0].tolist())
            self._first += chunk.size
            size = min(2 * size, _CHUNK)
        return None

    def _path_up(self, levels: Levels) -> list[Levels]:
        """From a node, step up repeatedly to the remaining node with the least bound, up to the ceiling."""
        roof = self._ceiling if self._bisect and self._ceiling and is_below(levels, self._ceiling) else self._nodes.high
        path, at = [levels], self._number(levels)
        while True:
            node = path[-1]
            steps = [c for c, level in enumerate(node) if level < roof[c]]
            values = self._values[at + self._strides[steps]]
            if not values.size or np.isinf(least := values.min()):
                return path
            step = steps[int((values == least).argmax())]
            at += int(self._strides[step])
            path.append((*node[:step], node[step] + 1, *node[step + 1 :]))

    def judged(self, levels: Levels, *, is_feasible: bool) -> None:
        """Record that a node of the box was judged."""
        self._ceiling = levels if is_feasible else None
        self._values[self._number(levels)] = _GONE

    def drop_below(self, levels: Levels) -> None:
        """Eliminate a node and all below it as infeasible."""
        self._box[self._nodes.part(self._nodes.low, levels)] = _GONE

    def improve(self, best: Key) -> None:
        """Keep only nodes that can still beat ``best``. O(nodes)."""
        self.best = best
        self._limit = best[0] if self._ranks is None else self._ranks.place(best)
        self._values[self._values >= self._limit] = _GONE

    def raise_below(self, surcharge: Surcharge) -> None:
        """Raise the bounds of nodes below a judged one."""
        if self._ranks is not None:
            return
        within = Box(self._nodes.low, tuple(map(min, surcharge.levels, self._nodes.high)))
        box = self._box[self._nodes.part(within.low, within.high)]
        alive = np.flatnonzero(np.isfinite(box))
        if not alive.size:
            return
        raised = np.maximum(box.ravel()[alive], surcharge.of(within.levels(alive))[:, 0])
        raised[raised >= self._limit] = _GONE
        box[np.unravel_index(alive, box.shape)] = raised

    def raise_above(self, levels: Levels, floor: Key) -> None:
        """Raise the bounds of all nodes above this one to ``floor``."""
        if self._ranks is None:
            box = self._box[self._nodes.part(levels, self._nodes.high)]
            np.maximum(box, floor[0] if floor[0] < self._limit else _GONE, out=box)

    def _number(self, levels: Levels) -> int:
        return int(np.dot(np.subtract(levels, self._nodes.low), self._strides))


class _Ranks:
    """Ranks for keys of several entries, so that a single number decides which of two is smaller."""

    def __init__(self, keys: Floats) -> None:
        order = np.lexsort(keys.T[::-1])
        in_order = keys[order]
        is_new = np.ones(len(keys), bool)
        is_new[1:] = (in_order[1:] != in_order[:-1]).any(axis=1)
        self._keys = in_order[is_new]
        self.of_nodes = np.empty(len(keys))
        self.of_nodes[order] = np.cumsum(is_new) - 1

    def key(self, rank: float) -> Key:
        """The key with a rank."""
        return tuple(self._keys[int(rank)].tolist())

    def place(self, key: Key) -> float:
        """The first rank whose key is not below this one."""
        return bisect_left(range(len(self._keys)), key, key=self.key)
