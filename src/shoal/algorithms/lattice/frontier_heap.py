"""The nodes that may still beat the best one found, generated one after the other."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from shoal.algorithms.lattice.bounds import NodeBounds, Surcharge
from shoal.algorithms.lattice.space import Key, Levels, Space, is_below
from shoal.kernels.rollup import first_above

_MOST_SURCHARGES = 64


class Heap:
    """Nodes by their lower bounds, for lattices that do not fit into memory.

    It starts with the bottom. A judged node is replaced by those one step above it; a node below one known to be
    infeasible, such as one of ``peaks``, is replaced by those that exceed that node in one column, skipping everything
    in between. So every node that may still win is above one in the heap, and if bounds do not fall on the way up, the
    least bound in the heap bounds them all. Memory grows with the nodes visited: columns · 100 bytes each.
    """

    def __init__(
        self,
        space: Space,
        bounds: NodeBounds,
        best: Key | None,
        peaks: npt.NDArray[np.int16],
        is_over: Callable[[], bool],
    ) -> None:
        self.best, self._is_over = best, is_over
        self._space, self._bounds = space, bounds
        self._heap: list[tuple[Key, Levels]] = []
        self._known: set[Levels] = set()
        self._judged: set[Levels] = set()
        self._tried: set[Levels] = set()
        self._peaks = peaks
        self._surcharges: list[Surcharge] = []
        self._push([space.bottom])

    @property
    def n_left(self) -> int:
        """The number of nodes that are neither judged nor eliminated: all unjudged ones, because none is counted."""
        self._settle()
        return self._space.n_nodes - len(self._judged) if self._heap else 0

    def lowest(self) -> Key:
        """The least bound of all, or the best key if no other node can be better."""
        self._settle()
        return self._heap[0][0] if self._heap else self.best or ()

    def next(self) -> Levels | None:
        """The node to judge: first a highest node above the one with the least bound, then that node itself."""
        self._settle()
        if not self._heap:
            return None
        node = self._heap[0][1]
        if node in self._tried:
            return node
        self._tried.add(node)
        return self._summit(node)

    def judged(self, levels: Levels, *, is_feasible: bool) -> None:
        """Record that a node was judged."""
        self._judged.add(levels)

    def drop_below(self, levels: Levels) -> None:
        """Record that a node and all below it are infeasible."""
        peak = np.array(levels, np.int16)
        others = self._peaks[~(self._peaks <= peak).all(axis=1)]
        self._peaks = np.concatenate([others, peak[None]])

    def improve(self, best: Key) -> None:
        """Record a better key; nodes that cannot beat it no longer count."""
        self.best = best

    def raise_below(self, surcharge: Surcharge) -> None:
        """Record that nodes below a judged one cost more than known; only the latest such bounds are kept."""
        self._surcharges = [*self._surcharges[1 - _MOST_SURCHARGES :], surcharge]

    def raise_above(self, levels: Levels, floor: Key) -> None:
        """Record that no node above this one has a key below ``floor``; do not visit those that cannot win."""
        if self.best is not None and floor >= self.best:
            self._known.update(self._space.above(levels))

    def _settle(self) -> None:
        """Advance until the first node may beat the best one found and has not been judged, or the time is up."""
        while self._heap and not self._is_over():
            key, node = self._heap[0]
            if self.best is not None and key >= self.best:
                self._heap.clear()
            elif node in self._judged or self._is_dear(node):
                heappop(self._heap)
                self._push([*self._space.above(node)])
            elif (peak := self._peak_above(node)) is not None:
                heappop(self._heap)
                self._push(_leaps(node, peak, self._space.heights))
            else:
                return

    def _push(self, nodes: list[Levels]) -> None:
        new = [node for node in dict.fromkeys(nodes) if node not in self._known]
        if not new:
            return
        self._known.update(new)
        for node, key in zip(new, self._bounds.onwards(np.array(new, np.int32)).tolist(), strict=True):
            if self.best is None or tuple(key) < self.best:
                heappush(self._heap, (tuple(key), node))

    def _peak_above(self, node: Levels) -> Levels | None:
        """A node known to be infeasible, with all below it, that this node does not exceed in any column."""
        found = first_above(self._peaks, np.array(node, np.int16))
        return tuple(self._peaks[found].tolist()) if found >= 0 else None

    def _is_dear(self, node: Levels) -> bool:
        """Whether rows known to be suppressed at the node make it no better than the best one."""
        if self.best is None:
            return False
        levels = np.array([node], np.int32)
        return any(tuple(s.of(levels)[0]) >= self.best for s in self._surcharges if is_below(node, s.levels))

    def _summit(self, node: Levels) -> Levels:
        """From a node, step up repeatedly to the node of least bound, while that beats the best one found."""
        while True:
            above = [n for n in self._space.above(node) if n not in self._judged]
            keys = self._bounds.onwards(np.array(above, np.int32)).tolist() if above else []
            choice = min(zip(map(tuple, keys), above, strict=True), default=None)
            if choice is None or (self.best is not None and choice[0] >= self.best):
                return node
            node = choice[1]


def _leaps(node: Levels, peak: Levels, heights: Levels) -> list[Levels]:
    """The lowest nodes above ``node`` that exceed ``peak`` in one column."""
    return [(*node[:c], peak[c] + 1, *node[c + 1 :]) for c in range(len(node)) if peak[c] < heights[c]]
