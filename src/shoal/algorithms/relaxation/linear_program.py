"""The linear program that covers all rows by groups which may be taken in parts, with cuts, solved to near the optimum.

Its dual solution, prices of rows and tolls of cuts, proves a bound; its primal solution tells which groups good
releases consist of.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from shoal.algorithms.relaxation.group_pool import GroupPool
from shoal.algorithms.relaxation.node_costs import LevelCosts
from shoal.algorithms.relaxation.rounding_cuts import RoundingCuts
from shoal.core.arrays import Flags, Floats, Whole
from shoal.core.parallel_work import ALWAYS, side_by_side
from shoal.core.randomness import Randomness
from shoal.kernels.compiled import working_time
from shoal.kernels.relaxation_boxes import Boxes, near_boxes
from shoal.kernels.relaxation_groups import Cuts, dear_groups, lower

_PENALTY = 0.4
"""What covering a row once too little or too often costs, as a share of the mean price; found on Adult and CMC."""

_SWEEPS, _NEW = 10, 4
"""Sweeps over the groups between two changes of prices, and such changes between two searches for new groups."""

_FIRST_TURNS, _TURNS = 10, 20
"""Turns in a cycle: few while the list of near boxes still changes much."""

_SLACK, _LEAST_SLACK, _HELD, _RISE = 0.6, 0.05, 0.01, 2.0
"""Boxes are considered that this share of the mean price could make too dear, first and last. It is halved if prices of
no more than that share of rows rose as far as they might in the turns of a cycle."""

_TRIES = 20_000
"""How many groups are tried in a box at most."""

_REPAIR_TRIES = 200_000
"""The same where prices are repaired: a fraction of what the check tries."""

_GAIN = 1e-7
"""By what share of the mean price a row has to be priced too high in a new group."""

_ROOM, _MORE, _MOST_ROOM, _EACH = 20_000, 4, 1_600_000, 25
"""The initial room for boxes, the factor by which it grows if too small, and its maximum; members per box."""

_CHUNK = 1_000_000
"""Boxes are searched for new groups in two pieces or more, of at most this many boxes divided by k."""

_UNUSED, _REPAIRS, _FALL = 1e-9, 4, 0.1
"""Below which use groups are forgotten, how often prices are repaired at most, and by which share they fall if too many
boxes are near."""


@dataclass(eq=False)
class LinearProgram:
    """Prices of the distinct rows within ``least`` and ``most``, tolls of cuts, and how much groups are used.

    ``weights`` tells how many rows are to be covered. Without ``cutting``, which is right only if all releases are
    partitions into groups of k rows or more, there are no cuts. Groups in boxes whose rows are not all listed
    pay no tolls.
    """

    levels: LevelCosts
    k: int
    prices: Floats
    least: Floats
    most: Floats
    randomness: Randomness
    cutting: RoundingCuts | None = None
    weights: Whole = field(init=False, repr=False)
    pool: GroupPool = field(init=False, default_factory=GroupPool)
    boxes: Boxes = field(init=False, repr=False)
    is_whole: Flags = field(init=False, repr=False)
    rooms: dict[int, Boxes] = field(init=False, repr=False)
    names: Whole = field(init=False, repr=False)
    cuts: Cuts = field(init=False, repr=False)
    ceiling: Floats = field(init=False, repr=False)
    slack: float = field(init=False, default=_SLACK)
    fixed_price: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.weights = self.levels.weights.copy()
        self.prices = np.clip(self.prices, self.least, self.most)
        self.rooms = {top: _room(_ROOM) for top in self.levels.tops}
        self.names = self.randomness.words(self.weights.size).astype(np.int64)
        self._renew()

    @property
    def price(self) -> float:
        """The mean price of the rows to cover that cannot be free, or what it was when it was fixed."""
        if self.fixed_price is not None:
            return self.fixed_price
        weights = np.where(self.most > 0, self.weights, 0)
        return max(1e-12, float(self.prices @ weights) / max(1, int(weights.sum())))

    @property
    def bound(self) -> float:
        """All prices less the tolls that are given back: a bound, if no group is priced too high."""
        return float(self.prices @ self.weights) - (self.cutting.returned if self.cutting else 0.0)

    def cycle(self, until: float = np.inf) -> None:
        """List the near boxes and solve; consider nearer ones next time if few prices rose as far as they might."""
        self.look(self.slack * self.price)
        self.solve(_TURNS if self.is_settled else _FIRST_TURNS, until)
        is_held = (self.prices >= self.ceiling - 1e-9 * self.price) & (self.ceiling < self.most)
        held = self.weights[is_held].sum() / max(1, int(self.weights[self.most > 0].sum()))
        self.slack = self.slack if held > _HELD else max(_LEAST_SLACK, self.slack / 2)

    @property
    def is_settled(self) -> bool:
        """Whether prices have come so near to the optimum that cuts are worthwhile."""
        return self.slack <= _LEAST_SLACK

    def look(self, slack: float) -> None:
        """List the boxes that are within ``slack`` per row of being priced too high.

        If they are too many, slack and prices fall. Groups that are not used are forgotten.
        O(distinct rows · nodes of the lattice) at worst.
        """
        while (boxes := self._near(self.prices, slack)) is None:
            slack, self.prices = slack / 2, self.prices - _FALL * np.abs(self.prices)
        self.boxes, self.is_whole = boxes, np.diff(boxes.offsets) < listed_at_most(self.k)
        self.ceiling = np.minimum(self.most, self.prices + _RISE * slack)
        self.pool = self.pool.chosen(self.pool.uses > _UNUSED)

    def solve(self, n_turns: int, until: float = np.inf) -> None:
        """Improve uses, prices and tolls in turn, and look for new groups in the listed boxes.

        No price rises so far that a group in another box could be priced too high. No turn begins after ``until``, in
        working time, but the first.
        """
        tolls, most = (self.cutting.tolls, self.cutting.most) if self.cutting else (np.zeros(0), np.zeros(0))
        penalty = _PENALTY * self.price
        for turn in range(n_turns):
            if turn > 0 and working_time() > until:
                break
            rows, paid = self.pool.covered(self.cuts, self.weights.size)
            prices, tolls = self.prices + penalty * (self.weights - rows), tolls + penalty * (paid - most)
            if turn % _NEW == 0:
                bounded = np.clip(prices, self.least, self.ceiling)
                self.pool = self.pool.joined(self._dear(bounded, self.cuts._replace(tolls=np.maximum(tolls, 0.0))))
            self.pool.use(self.cuts, prices, tolls, (self.least, self.ceiling), penalty, _SWEEPS)
            self.prices, tolls = np.clip(prices, self.least, self.ceiling), np.maximum(tolls, 0.0)
        if self.cutting:
            self.cutting.tolls = tolls

    def cut(self) -> int:
        """Add cuts that the solution so far does not keep, and forget those that it keeps anyway; return how many."""
        if self.cutting is None:
            return 0
        self.cutting.forget()
        n_new = self.cutting.extend(self.pool, self.weights, (self.most > 0) & (self.prices > 0), self.randomness)
        self._renew()
        return n_new

    def repaired(self) -> Floats:
        """The prices, lowered where groups of any box are priced above their cost and tolls."""
        prices = np.clip(self.prices, 0.0, self.most)
        cuts = self.cuts._replace(tolls=self.cutting.tolls) if self.cutting else self.cuts
        for _ in range(_REPAIRS):
            boxes = self._near(prices, 0.0)
            if boxes is None or boxes.costs.size == 0:
                break
            is_whole = np.diff(boxes.offsets) < listed_at_most(self.k)
            if lower(boxes, is_whole, self.levels.weights, prices, cuts, self.k, _REPAIR_TRIES) == 0:
                break
        return prices

    def take(self, groups: Flags) -> None:
        """Make some groups, each once, part of the release: their rows are covered, and their tolls are used up."""
        some = self.pool.chosen(groups)
        np.subtract.at(self.weights, some.rows, some.counts)
        if self.cutting:
            paid = some.with_tolls(self.cuts)
            np.subtract.at(self.cutting.most, paid.cuts, paid.times)
            self.cutting.most = np.maximum(self.cutting.most, 0.0)
        self.pool.uses[groups] = np.maximum(0.0, self.pool.uses[groups] - 1)
        fits = np.logical_and.reduceat(self.weights[self.pool.rows] >= self.pool.counts, self.pool.starts[:-1])
        self.pool = self.pool.chosen(fits)
        self.prices[self.weights == 0] = 0.0

    def _renew(self) -> None:
        """Count which groups pay which cuts anew, because the cuts have changed."""
        cutting = self.cutting or RoundingCuts(self.weights, self.k)
        self.cuts = cutting.cuts(cutting.tolls)
        self.pool = replace(self.pool)  # forgets what was counted

    def _near(self, prices: Floats, slack: float) -> Boxes | None:
        """The boxes that are within ``slack`` per row of being priced too high; None if there are too many."""
        order = dearest_first(prices)
        order = order[self.weights[order] > 0]
        found = side_by_side(lambda top: self._near_on(top, prices, order, slack), self.levels.tops, ALWAYS)
        some = [boxes for boxes in found if boxes is not None]
        if len(some) < len(found) or sum(boxes.costs.size for boxes in some) > _MOST_ROOM:
            return None
        offsets = np.concatenate([[0], np.cumsum(np.concatenate([np.diff(boxes.offsets) for boxes in some]))])
        members, costs = [boxes.members for boxes in some], [boxes.costs for boxes in some]
        return Boxes(offsets.astype(np.int64), np.concatenate(members), np.concatenate(costs))

    def _near_on(self, top: int, prices: Floats, order: Whole, slack: float) -> Boxes | None:
        """The same on one level of the first column."""
        lattice = self.levels.lattice
        while True:
            room = self.rooms[top]
            n, m = near_boxes(lattice, self.weights, prices, order, self.k, slack, top, listed_at_most(self.k), room)
            if n >= 0:
                return Boxes(room.offsets[: n + 1].copy(), room.members[:m].copy(), room.costs[:n].copy())
            if room.costs.size >= _MOST_ROOM:
                return None
            self.rooms[top] = _room(_MORE * room.costs.size)

    def _dear(self, prices: Floats, cuts: Cuts) -> GroupPool:
        """The dearest group of each listed box, if it is priced above its cost and tolls."""
        n = self.boxes.costs.size
        step = max(1, min(_CHUNK // self.k, -(-n // 2)))
        pieces = [(first, min(n, first + step)) for first in range(0, n, step)]
        pool = GroupPool()
        for some in side_by_side(lambda piece: self._dear_among(*piece, prices, cuts), pieces, ALWAYS):
            pool = pool.joined(some)
        return pool

    def _dear_among(self, first: int, last: int, prices: Floats, cuts: Cuts) -> GroupPool:
        room, least = (last - first, 2 * self.k - 1), _GAIN * self.price * self.k
        rows, counts = np.empty(room, np.int32), np.empty(room, np.int32)
        lengths = dear_groups(
            self.boxes, first, last, self.is_whole, self.weights, prices, cuts, self.k, least, _TRIES, rows, counts
        )
        found = np.flatnonzero(lengths)
        inside = np.arange(room[1]) < lengths[found, None]
        starts = np.concatenate([[0], np.cumsum(lengths[found])]).astype(np.int64)
        members, held = rows[found][inside], counts[found][inside]
        costs: Floats = self.boxes.costs[first + found]
        keys = np.add.reduceat(self.names[members] * held, starts[:-1]) if found.size else np.zeros(0, np.int64)
        keys = keys + (costs * 2.0**40).astype(np.int64) * 7919
        sizes = np.add.reduceat(held, starts[:-1]) if found.size else np.zeros(0, np.int64)
        lost, uses = np.asarray(sizes * costs, np.float64), np.zeros(found.size)
        return GroupPool(starts, members, held, lost, self.is_whole[first + found], keys, uses)


def listed_at_most(k: int) -> int:
    """How many distinct rows of a box are listed at most; in boxes with as many, groups pay no tolls."""
    return max(64, 4 * k)


def _room(n_boxes: int) -> Boxes:
    return Boxes(np.zeros(n_boxes + 1, np.int64), np.empty(_EACH * n_boxes, np.int32), np.empty(n_boxes))


def dearest_first(prices: Floats | Whole) -> Whole:
    """The rows by price, highest first."""
    return np.argsort(-prices, kind="stable").astype(np.int64)
