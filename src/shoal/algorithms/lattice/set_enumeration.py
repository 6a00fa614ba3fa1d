"""The set enumeration of k-Optimize: sets of items from the empty one up, with whole branches pruned by bounds."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

import numpy as np
import numpy.typing as npt

from shoal.algorithms.lattice.column_cuts import CutClasses, Items, Recoded
from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.k_optimize_costs import Costs
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.table import Table
from shoal.kernels.compiled import working_time
from shoal.kernels.splitting import Parts, Rows, split_effects

Places = npt.NDArray[np.intp]
"""Numbers of items."""


@dataclass(frozen=True, eq=False)
class _Branch:
    """All sets that contain ``head`` and otherwise only items of ``tail``; none costs less than ``bound``."""

    head: Flags
    tail: Flags
    bound: float


@dataclass(frozen=True, eq=False)
class _Effects:
    """For each open item: whether it cuts anything, its effect on the bound and the cost, and the rows it loses."""

    is_active: Flags
    is_free: Flags
    bounds: Floats
    changes: Floats
    lost: Offsets


class Enumeration:
    """Dives from the branch of least bound, adding the item that lowers the cost most, until no branch is left."""

    def __init__(self, table: Table, goal: Goal, costs: Costs, max_sets: int | None, time_limit: float | None) -> None:
        self.table, self.goal = table, goal
        self.max_suppressed = min(goal.most_suppressed(table.n_rows), max(0, table.n_rows - 1))
        self._costs, self._items, self._floor = costs, Items.of(table), goal.floor
        self._is_upward = Judge(table, goal).is_upward
        self._codes = np.ascontiguousarray(table.codes[:, table.distinct.firsts])
        self._weights = table.distinct.weights
        self._order, self._starts = _by_leaf(self._codes, [column.domain.n_leaves for column in table.quasi])
        self._max_sets = max_sets
        self._deadline = None if time_limit is None else working_time() + time_limit
        self._best: tuple[float, CutClasses, Flags] | None = None
        self._open: list[tuple[float, int, _Branch]] = []
        self._numbers = count()
        self._n_visited = 0

    @property
    def best_cost(self) -> float:
        """The total cost of the best set."""
        return self._best[0] if self._best else np.inf

    @property
    def _is_over(self) -> bool:
        """Whether enough sets were examined, or the time is up after at least one."""
        if self._max_sets is not None and self._n_visited >= self._max_sets:
            return True
        return self._n_visited > 0 and self._deadline is not None and working_time() > self._deadline

    def run(self, progress: Progress) -> None:
        """Examine branches until none is left that could contain a better set, or a limit is reached."""
        n = len(self._items)
        self._put(_Branch(np.zeros(n, bool), np.ones(n, bool), 0.0))
        while self._open and self._open[0][0] < self.best_cost:
            branch: _Branch | None = heappop(self._open)[2]
            while branch is not None and branch.bound < self.best_cost:
                if self._is_over:
                    self._put(branch)
                    return
                self._n_visited += 1
                branch = self._visit(branch)
                progress.advance()

    def _put(self, branch: _Branch) -> None:
        heappush(self._open, (branch.bound, -next(self._numbers), branch))

    def found(self) -> Recoded | None:
        """The best set as a release, with the numbers of the search."""
        if self._best is None:
            return None
        cost, classes, kept = self._best
        is_open = [bound for bound, _, _ in self._open if bound < cost]
        scale = self._costs.scale
        return Recoded(
            release=self._items.release(classes, kept),
            score=cost * scale,
            lower_bound=min([cost, *is_open]) * scale,
            is_optimal=not is_open,
            n_items=len(self._items),
            n_visited=self._n_visited,
        )

    def _visit(self, branch: _Branch) -> _Branch | None:
        """Try the head, drop useless items, queue the sets without the best item; return the branch with it."""
        head, tail = branch.head.copy(), branch.tail.copy()
        while True:
            classes = self._items.classes(head)
            kept = self._accepted(classes)
            hopeless = ~kept if self._is_upward else classes.sizes < self._floor
            n_hopeless = int(classes.sizes[hopeless].sum())
            if n_hopeless > self.max_suppressed:
                return None
            self._try(classes, kept)
            bound, least = self._bound(hopeless[classes.ids], head | tail)
            if bound >= self.best_cost:
                return None
            numbers = np.flatnonzero(tail)
            effects = self._effects(classes, hopeless, head, numbers, bound, least)
            useless = (effects.bounds >= self.best_cost) | (n_hopeless + effects.lost > self.max_suppressed)
            free = effects.is_free & ~useless
            head[numbers[free]] = True
            tail[numbers[free | useless]] = False
            if not (free | useless).any():
                break
        if not effects.is_active.any():
            return None
        chosen = int(np.where(effects.is_active, effects.changes, np.inf).argmin())
        tail[numbers[chosen]] = False
        self._put(_Branch(head, tail, bound))
        more = head.copy()
        more[numbers[chosen]] = True
        return _Branch(more, tail, float(effects.bounds[chosen]))

    def _try(self, classes: CutClasses, kept: Flags) -> None:
        """Score a set, and keep it if it is feasible and the best so far."""
        n_suppressed = int(classes.sizes[~kept].sum())
        if n_suppressed > self.max_suppressed:
            return
        costs = self._costs.kept(classes.cells, self._codes, classes.sizes[classes.ids])
        cost = float(np.dot(np.where(kept[classes.ids], costs, self._costs.lost), self._weights))
        if cost < self.best_cost:
            self._best = (cost, classes, kept)

    def _accepted(self, classes: CutClasses) -> Flags:
        fine = classes.sizes >= self._floor
        if int(classes.sizes[~fine].sum()) <= self.max_suppressed:
            rows = classes.ids[self.table.distinct.ids]
            fine &= self.goal.accepts(self.table, Groups.from_ids(rows, classes.sizes.size))
        return fine

    def _bound(self, hopeless: Flags, everything: Flags) -> tuple[float, Floats]:
        """The least total cost of a branch with these rows suppressed, and the least cost of each row."""
        finest = self._items.classes(everything)
        least = self._costs.least(finest.cells, self._codes, finest.sizes[finest.ids], self._floor)
        least = np.minimum(least, self._costs.lost) * self._weights
        total = float(least[~hopeless].sum()) + self._costs.lost * float(self._weights[hopeless].sum())
        return total, least

    def _effects(
        self, classes: CutClasses, hopeless: Flags, head: Flags, numbers: Places, bound: float, least: Floats
    ) -> _Effects:
        """The effect of each open item, by itself, on the classes of the head that are not hopeless."""
        cut = [self._items.parts(head, int(item)) for item in numbers]
        counts = np.array([low.size for _, low, _ in cut], np.int64)
        costs = self._costs
        now = costs.kept(classes.cells, self._codes, classes.sizes[classes.ids]) * self._weights
        rows = Rows(self._order, self._starts, self._weights, least, now, costs.by_size, costs.lost)
        lost, saved, n_cut, changes = split_effects(
            self._parts(classes, cut, counts), rows, classes.ids, np.where(hopeless, 0, classes.sizes), self._floor
        )
        bounds = bound + lost * costs.lost - saved
        return _Effects(counts > 0, (counts > 0) & (n_cut == 0), bounds, changes, lost)

    def _parts(self, classes: CutClasses, cut: list[tuple[int, Codes, Codes]], counts: Offsets) -> Parts:
        changes = [np.empty(0)]
        for column, low, high in cut:
            whole_low, whole_high = (bounds[low] for bounds in classes.cells[column])
            before = self._costs.prices(column, whole_low, whole_high)
            changes.append(self._costs.prices(column, low, high) - before)
        none = np.empty(0, np.int64)
        return Parts(
            items=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            columns=np.repeat(np.array([column for column, _, _ in cut], np.int64), counts),
            lows=np.concatenate([none, *(low for _, low, _ in cut)]),
            highs=np.concatenate([none, *(high for _, _, high in cut)]),
            changes=np.concatenate(changes),
        )


def _by_leaf(codes: Codes, n_leaves: list[int]) -> tuple[Codes, Offsets]:
    """For each column, the distinct rows sorted by leaf, and where the rows of each leaf begin."""
    order = np.argsort(codes, axis=1, kind="stable").astype(np.int32)
    starts = np.zeros((codes.shape[0], max(n_leaves) + 1), np.int64)
    for c, of_rows in enumerate(codes):
        starts[c, 1:] = np.cumsum(np.bincount(of_rows, minlength=max(n_leaves)))
    return order, starts
