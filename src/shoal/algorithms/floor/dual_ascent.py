"""Find prices of rows that bound the loss from below: raise them, and correct the boxes that become priced too high.

Where all releases are groups, cuts raise the bound above what prices alone can prove.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from shoal.algorithms.floor.node_costs import LevelCosts, WholeNumbers
from shoal.algorithms.floor.packing_cuts import PackingCuts
from shoal.core.arrays import Floats
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.compiled import working_time
from shoal.kernels.floor_ascent import Ascending, ascend
from shoal.kernels.floor_boxes import Boxes, near_boxes

_START, _RISE, _LESS, _MUCH = 0.85, 1.0, 0.8, 0.003
"""Prices start at this share of what the release pays. In a cycle all of them rise by this share of their mean, and in
the next cycle by this share of that rise, unless the cycle has gained at least this much."""

_SWEEPS, _DECAY = 400, 0.988
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
    Boxes that are not listed cannot become priced too high in that cycle. With ``cutting``, which is right only if all
    releases are partitions into groups of k rows or more, each cycle then looks for cuts.
    """

    levels: LevelCosts
    k: int
    caps: Floats
    prices: Floats
    randomness: Randomness
    cutting: PackingCuts | None = None
    room: Boxes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.prices = np.minimum(self.prices * _START, self.caps)
        self.room = _room(_ROOM)

    @property
    def total(self) -> float:
        """The sum of all prices, less the tolls of cuts: the bound, if no box is priced too high."""
        return float(self.prices @ self.levels.weights) - (self.cutting.returned if self.cutting else 0.0)

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
        weights, cutting = self.levels.weights, self.cutting or PackingCuts(self.levels.weights, self.k)
        is_whole = np.diff(boxes.offsets) < self._listed
        within, now = cutting.around(boxes, is_whole), Ascending(self.prices, cutting.tolls, np.zeros(order.size))
        now = ascend(boxes, within, order, weights, self.caps, now, self.k, rise, _DECAY, n_sweeps)
        self.prices = now.prices
        if self.cutting:
            self.cutting.settle(now.tolls)
            if rise > 0:
                self.cutting.extend(boxes, is_whole, now.lowered)

    @property
    def _listed(self) -> int:
        """How many distinct rows of a box are listed at most."""
        return max(64, 4 * self.k)

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
        levels, most = self.levels, self._listed
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
