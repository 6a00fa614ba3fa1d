"""Find prices of rows that bound the loss from below: raise them, and correct the boxes that become priced too high."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from shoal.algorithms.floor.node_costs import LevelCosts, WholeNumbers
from shoal.core.arrays import Floats
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.compiled import working_time
from shoal.kernels.floor_ascent import ascend
from shoal.kernels.floor_boxes import Boxes, near_boxes

_START, _RISE, _LESS, _MUCH = 0.85, 0.6, 0.8, 0.02
"""Prices start at this share of what the release pays. In a cycle all of them rise by this share of their mean, and in
the next cycle by this share of that rise, unless the cycle has gained at least this much."""

_SWEEPS, _DECAY = 600, 0.992
_FAR_ENOUGH, _IDLE = 2e-4, 3
"""The ascent ends after this many cycles that gain less than this share."""

_ROOM, _MORE, _MOST_ROOM = 50_000, 4, 800_000
_EACH = 25
"""The initial room for boxes, the factor by which it grows if too small, and its maximum; members per box."""

_REPAIRS = 3


@dataclass(eq=False)
class Ascent:
    """Prices of the distinct rows during the ascent; feasible for every box after each cycle, up to rounding.

    A cycle lists the boxes that a rise of all prices could make too high, and then raises prices in many small steps.
    Boxes that are not listed cannot become priced too high in that cycle.
    """

    levels: LevelCosts
    k: int
    caps: Floats
    prices: Floats
    randomness: Randomness
    room: Boxes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.prices = np.minimum(self.prices * _START, self.caps)
        self.room = _room(_ROOM)

    @property
    def total(self) -> float:
        """The sum of all prices: the bound, if no box is priced too high."""
        return float(self.prices @ self.levels.weights)

    def climb(self, seconds: float, progress: Progress) -> None:
        """Run cycles until the time is up or one gains next to nothing; then correct the last boxes."""
        progress.stage("certifying", seconds)
        began, longest, spent, idle = working_time(), 0.0, 0.0, 0
        rise = _RISE * self.total / max(1, int(self.levels.weights[self.caps > 0].sum()))
        while rise > 0 and idle < _IDLE and spent + 2 * longest < seconds:
            before = self.total
            done = self._cycle(rise)
            rise = done if self.total > before * (1 + _MUCH) else _LESS * done
            idle = idle + 1 if self.total < before * (1 + _FAR_ENOUGH) else 0
            now = min(seconds, working_time() - began)
            progress.advance(now - spent)
            longest, spent = max(longest, now - spent), now
        for _ in range(_REPAIRS):
            boxes = self._near(0.0)
            if boxes is None or boxes.costs.size == 0:
                break
            self._raise(boxes, 0.0, 1)

    def _cycle(self, rise: float) -> float:
        """Raise all prices by ``rise``, or by less if too many boxes are close to their cost; return by how much."""
        while (boxes := self._near(rise)) is None:
            self.prices, rise = 0.9 * self.prices, 0.5 * rise
        self._raise(boxes, rise, _SWEEPS)
        return rise

    def _raise(self, boxes: Boxes, rise: float, n_sweeps: int) -> None:
        order = self.randomness.permutation(boxes.costs.size).astype(np.int64)
        self.prices = ascend(boxes, order, self.levels.weights, self.caps, self.prices, self.k, rise, _DECAY, n_sweeps)

    def _near(self, slack: float) -> Boxes | None:
        """The boxes that a rise by ``slack`` may make priced too high; None if there are too many."""
        order, found, n_boxes = dearest_first(self.prices), [], 0
        for top in self.levels.tops:
            some = self._near_on(top, order, slack)
            n_boxes += 0 if some is None else some.costs.size
            if some is None or n_boxes > _MOST_ROOM:
                return None
            found.append(some)
        offsets = np.concatenate([[0], np.cumsum(np.concatenate([some.offsets for some in found]))])
        return Boxes(
            offsets.astype(np.int64),
            np.concatenate([some.members for some in found]),
            np.concatenate([some.costs for some in found]),
        )

    def _near_on(self, top: int, order: WholeNumbers, slack: float) -> Boxes | None:
        """The same on one level of the first column, with the boxes' sizes as offsets."""
        levels, most = self.levels, max(64, 4 * self.k)
        while True:
            n, m = near_boxes(levels.lattice, levels.weights, self.prices, order, self.k, slack, top, most, self.room)
            if n >= 0:
                room = self.room
                return Boxes(np.diff(room.offsets[: n + 1]), room.members[:m].copy(), room.costs[:n].copy())
            if self.room.costs.size >= _MOST_ROOM:
                return None
            self.room = _room(_MORE * self.room.costs.size)


def _room(n_boxes: int) -> Boxes:
    return Boxes(np.zeros(n_boxes + 1, np.int64), np.empty(_EACH * n_boxes, np.int32), np.empty(n_boxes))


def dearest_first(prices: Floats | WholeNumbers) -> WholeNumbers:
    """The rows by price, highest first."""
    return np.argsort(-prices, kind="stable").astype(np.int64)
