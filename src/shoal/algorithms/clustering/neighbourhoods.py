"""Large-neighbourhood search: dissolve a few neighbouring clusters at a time and recluster their rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coded_rows import UNIT, Coding
from shoal.algorithms.clustering.ejection_chains import chained, steps_for_chains
from shoal.algorithms.clustering.improvement_rounds import LEAF, Accepts, Leaf, improved
from shoal.core.arrays import Whole
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_pool import Mix
from shoal.kernels.clustering_search import Search, search
from shoal.kernels.compiled import working_time

ANY = Mix(1, 1.0)
"""No required mix of sensitive values."""

_RUNGS = (1, 2, 4, 7)
"""The most neighbours that a step uses: few at first, which is quick, and more once that gains more."""

_ALONE = 2
"""The overhead of a step besides clustering its rows, in the unit of ``_work``: clusters squared."""

_LARGER, _MANY = 2, 10
"""How many times larger leaves may be than for moving single rows, and with how many times more clusters they are not.

Finding neighbours takes longer in larger leaves.
"""

_FEW, _THIRD = 32, 3
"""So few clusters are always searched together, and few are searched in about this many parts."""

_PROBE = 4
"""The next rung is tried every this many rounds."""

_CHAINS = 16
"""Ejection chains are tried every this many rounds, in searches long enough for them."""

_LEAST_POOL, _MOST_POOL = 80, 600
_NOISE = 1.0
_PULL = 0.05

_LEAST_STEPS, _SHARE = 64, 0.3
"""The minimum number of steps per round, and the number per cluster: so few that it does no harm if changed clusters
wait for the next round."""

_LEAST_PATIENCE, _PATIENCE = 256, 30
"""The number of steps without a gain after which the search ends: the minimum, and per cluster."""

_PARTS = 1 << 16
"""The resolution for fractions of a step."""


def neighbourhoods(
    coding: Coding,
    groups: Groups,
    k: int,
    accepts: Accepts,
    mix: Mix,
    budget: Budget,
    randomness: Randomness,
    progress: Progress,
) -> Groups:
    """Run rounds of steps until the budget is spent or little is gained. A step takes some 50 µs for k = 5.

    A step picks a random row of an expensive cluster, takes its cluster and one to seven clusters to which the row
    would add the least, agglomerates their rows with noise, moves and swaps rows while that helps, and keeps the result
    if it costs less. New clusters have the ``mix``. Steps begin with one neighbour; several steps that are as much work
    as one with seven count as one. In long searches, rounds of ejection chains come in between.
    """
    how = _how(k, mix)
    ladder = Ladder(min(_RUNGS[-1], max(1, how.most_rows // k - 1)))
    progress.stage("refining", max(0.0, budget.total * budget.part - budget.spent))
    cost, told, idle, turn = coding.cost(groups), budget.spent, 0, 0
    while cost > 0 and idle < max(_LEAST_PATIENCE, _PATIENCE * len(groups)):
        turn += 1
        if turn % _CHAINS == 0 and (counted := steps_for_chains(coding, budget)):
            started = working_time()
            groups = improved(
                coding, groups, partial(chained, coding, k), accepts, randomness, leaf=leaf_of(len(groups))
            )
            budget.count(counted, working_time() - started)
            before, cost = cost, coding.cost(groups)
            idle = 0 if cost < before else idle
        rung = ladder.next()
        granted = budget.share(max(_LEAST_STEPS, int(_SHARE * len(groups))) // rung.steps or 1)
        if granted == 0:
            break
        n_steps, started = granted * rung.steps, working_time()
        work = partial(_steps, coding, k, how._replace(most_neighbours=rung.neighbours), n_steps)
        groups = improved(coding, groups, work, accepts, randomness, leaf=leaf_of(len(groups)))
        budget.count(granted, working_time() - started)
        progress.advance(budget.spent - told)
        told, before, cost = budget.spent, cost, coding.cost(groups)
        ladder.judge(rung, (before - cost) / granted)
        idle = 0 if cost < before or not ladder.is_at_top else idle + n_steps
        if budget.has_dried_up(cost):
            break
    return groups


def leaf_of(n_groups: int) -> int:
    """How many clusters are searched together: half of them, so that few neighbours are missed and two cores work.

    Of few clusters a third, because their steps take long and parts of unequal size leave cores idle, but all of very
    few. Each step looks at all of them, so of very many clusters fewer are searched together.
    """
    if n_groups <= 2 * LEAF:
        return max(_FEW, n_groups // _THIRD)
    return LEAF if n_groups > _MANY * LEAF else min(n_groups // 2, _LARGER * LEAF)


@dataclass(frozen=True)
class Rung:
    """Steps with at most ``neighbours`` neighbours; ``steps`` of them are as much work as one on the highest rung."""

    neighbours: int
    steps: int


class Ladder:
    """Chooses the rung to search on: the lowest at first, and the next one once it gains more for the same work.

    The next rung is tried now and then. The choice depends only on gains per step, not on the clock, so that a search
    that counts steps gives the same result everywhere.
    """

    def __init__(self, most: int) -> None:
        sizes = [size for size in _RUNGS if size < most] + [most]
        self._rungs = [Rung(size, max(1, round(_work(most) / _work(size)))) for size in sizes]
        self._at, self._turn, self._gain = 0, 0, 0.0

    @property
    def is_at_top(self) -> bool:
        """Whether there is no higher rung."""
        return self._at == len(self._rungs) - 1

    def next(self) -> Rung:
        """The rung for the next round."""
        self._turn += 1
        is_probe = self._turn % _PROBE == 0 and not self.is_at_top
        return self._rungs[self._at + is_probe]

    def judge(self, rung: Rung, gain: float) -> None:
        """Climb if the next rung gained at least as much as this one, or this one nothing."""
        is_probe = rung is not self._rungs[self._at]
        if gain >= self._gain if is_probe else gain <= 0 and not self.is_at_top:
            self._at += 1
        if not is_probe:
            self._gain = gain


def _work(most: int) -> float:
    """The approximate work of a step with one to ``most`` neighbours: the number of clusters in the pool, squared."""
    return _ALONE + sum((1 + neighbours) ** 2 for neighbours in range(1, most + 1)) / most


def _how(k: int, mix: Mix) -> Search:
    return Search(
        most_rows=min(max(_LEAST_POOL, 4 * k), _MOST_POOL),
        most_neighbours=_RUNGS[-1],
        noise=_NOISE,
        pull=_PULL * UNIT,
        spread=0 if mix == ANY else k,
        mix=mix,
        heat=0.0,
    )


def _steps(coding: Coding, k: int, how: Search, n_steps: int, leaf: Leaf) -> tuple[Whole, Whole]:
    own = own_steps(n_steps, leaf)
    if own == 0:
        return leaf.unchanged
    homes, changes = search(coding.space, leaf.cells, leaf.colours, leaf.offsets, k, own, how, leaf.state)
    return homes, changes


def own_steps(n_steps: int, leaf: Leaf) -> int:
    """The leaf's share of all steps, by its share of the loss, rounded at random: in large tables few places matter."""
    return int(n_steps * leaf.share + leaf.seed % _PARTS / _PARTS)


def mix_of(coding: Coding, groups: Groups) -> Mix:
    """What promises seem to require: the fewest colours in any of these groups, and the largest share of one colour.

    Proposals without that mix would probably be refused. O(rows log rows).
    """
    colours = coding.colours[groups.members]
    n_colours = int(colours.max(initial=0)) + 1
    keys = np.repeat(np.arange(len(groups)), groups.sizes) * n_colours + colours
    pairs, counts = np.unique(keys, return_counts=True)
    owners = pairs // n_colours
    most = np.maximum.reduceat(counts, np.flatnonzero(np.diff(owners, prepend=-1)))
    return Mix(int(np.bincount(owners).min()), float((most / groups.sizes).max()))
