"""The nodes that may still be better than the best one found: a list that fits into memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from shoal.algorithms.lattice.bounds import Bounds, Surcharge
from shoal.algorithms.lattice.keys import Key, ascending, is_less, raised
from shoal.algorithms.lattice.space import Levels, Space
from shoal.core.arrays import Floats
from shoal.kernels.lattice import between

_CHUNK = 1 << 17


class Live:
    """All nodes that can still win, with a lower bound on their keys, in the order of the bounds they started with.

    A node leaves when it was judged, is known to be infeasible, or has a bound that is no better than the best key
    found. Operations are O(nodes), whose number falls quickly. About 20 bytes and 2 more per column a node.
    """

    def __init__(self, space: Space, bounds: Bounds, best: Key | None) -> None:
        self.best = best
        self._space, self._bisect = space, not bounds.are_final
        found = [*_better(space, bounds, best)]
        levels = np.concatenate([levels for levels, _ in found])
        keys = np.concatenate([keys for _, keys in found])
        order = ascending(keys)
        self._ends = np.array([space.bottom, space.top], np.int16)
        self._place = np.full(space.n_nodes, -1, np.int32)
        self._ceiling: Levels | None = None
        self._set(levels[order], keys[order])

    def __len__(self) -> int:
        return self._n_alive

    @property
    def n_left(self) -> int:
        """How many nodes are neither judged nor out of the race."""
        return self._n_alive

    def lowest(self) -> Key:
        """The least bound of all."""
        keys = self._keys[self._alive]
        return tuple(keys[ascending(keys)[0]].tolist())

    def next(self) -> Levels:
        """The node to judge: above the one that looked best at first, the highest, or half way up to bisect.

        A high node that proves infeasible takes all below it along, which is what bounds that come from levels ask
        for; where bounds come from judged nodes the border between feasible and infeasible is looked for instead.
        """
        while not self._alive[self._first]:
            self._first += 1
        start = self._levels[self._first]
        places = between(self._levels, self._alive, start, self._roof(start))
        heights = self._heights[places]
        wanted = heights.max() if not self._bisect else (int(heights.max()) + int(heights.min())) // 2
        chosen = places[np.abs(heights - wanted).argmin()]
        return tuple(self._levels[chosen].tolist())

    def _roof(self, start: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        if self._bisect and self._ceiling is not None:
            ceiling = np.array(self._ceiling, np.int16)
            if (start <= ceiling).all() and between(self._levels, self._alive, start, ceiling).size:
                return ceiling
        top: npt.NDArray[np.int16] = self._ends[1]
        return top

    def judged(self, levels: Levels, *, is_feasible: bool) -> None:
        """A node was judged."""
        self._ceiling = levels if is_feasible else None
        self._drop(self._places_of(levels))

    def drop_below(self, levels: Levels) -> None:
        """A node and all below it are infeasible."""
        self._drop(between(self._levels, self._alive, self._ends[0], np.array(levels, np.int16)))

    def improve(self, best: Key) -> None:
        """Only what can still be better than ``best`` stays."""
        self.best = best
        self._drop(np.flatnonzero(self._alive & ~is_less(self._keys, best)))

    def raise_below(self, surcharge: Surcharge) -> None:
        """Nodes below a judged one cost more than was known."""
        places = between(self._levels, self._alive, self._ends[0], np.array(surcharge.levels, np.int16))
        self._raise(places, surcharge.of(self._levels[places]))

    def raise_above(self, levels: Levels, floor: Key) -> None:
        """No node above this one has a smaller key than ``floor``."""
        places = between(self._levels, self._alive, np.array(levels, np.int16), self._ends[1])
        self._raise(places, np.tile(floor, (places.size, 1)))

    def _raise(self, places: npt.NDArray[np.int64], keys: Floats) -> None:
        keys = self._keys[places] = raised(self._keys[places], keys)
        self._drop(places[~is_less(keys, self.best)])

    def _places_of(self, levels: Levels) -> npt.NDArray[np.int64]:
        place = int(self._place[np.dot(levels, self._space.strides)])
        return np.array([place] if place >= 0 and self._alive[place] else [], np.int64)

    def _drop(self, places: npt.NDArray[np.int64]) -> None:
        self._alive[places] = False
        self._n_alive -= places.size
        if self._n_alive < self._alive.size // 2:
            alive, levels, keys = self._alive, self._levels, self._keys
            self._place[levels @ self._space.strides] = -1
            self._set(levels[alive], keys[alive])

    def _set(self, levels: npt.NDArray[np.int16], keys: Floats) -> None:
        self._levels, self._keys = levels, keys
        self._heights = levels.sum(axis=1, dtype=np.int64)
        self._alive = np.ones(len(levels), bool)
        self._n_alive, self._first = len(levels), 0
        self._place[levels @ self._space.strides] = np.arange(len(levels), dtype=np.int32)


def _better(space: Space, bounds: Bounds, best: Key | None) -> Iterator[tuple[npt.NDArray[np.int16], Floats]]:
    """The nodes whose bound is below ``best``, a chunk at a time."""
    shape = [height + 1 for height in space.heights]
    for start in range(0, space.n_nodes, _CHUNK):
        numbers = np.arange(start, min(start + _CHUNK, space.n_nodes))
        levels = np.column_stack(np.unravel_index(numbers, shape)).astype(np.int32)
        keys = bounds.of(levels)
        kept = is_less(keys, best)
        yield levels[kept].astype(np.int16), keys[kept]
