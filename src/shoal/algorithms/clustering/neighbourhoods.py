"""Large-neighbourhood search: a few neighbouring clusters at a time are taken apart and clustered anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coded_rows import UNIT, Coding
from shoal.algorithms.clustering.ejection_chains import chained, steps_for_chains
from shoal.algorithms.clustering.improvement_rounds import LEAF, Accepts, Leaf, improved
from shoal.algorithms.clustering.sensitive_mix import ANY
from shoal.core.arrays import Whole
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_pool import Mix
from shoal.kernels.clustering_search import Search, search
from shoal.kernels.compiled import working_time

_RUNGS = (1, 2, 4, 7)
"""How many neighbours a step takes at most: few at first, which is quick, and more where that gains more."""

_ALONE = 2
"""What a step takes besides clustering its rows, in the time that as many rows squared, in clusters, take."""

_LARGER = 4
"""How many times larger leaves may get than where rows move one by one; to find neighbours takes longer in them."""

_PROBE = 4
"""Every so many rounds the next rung is tried."""

_CHAINS = 16
"""Every so many rounds ejection chains are tried too, in searches that are long enough for them."""

_LEAST_POOL, _MOST_POOL = 80, 600
_NOISE = 1.0
_PULL = 0.05

_LEAST_STEPS, _SHARE = 64, 0.3
"""Steps a round, at least and by cluster: so few that clusters which have changed, and wait for the next round, do no
harm."""

_LEAST_PATIENCE, _PATIENCE = 256, 30
"""Steps without a gain after which the search ends, at least and by cluster."""

_PARTS = 1 << 16
"""Parts of a step that are told apart."""


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
    """Rounds of steps until the budget is spent or little is gained any more. A step takes some 50 µs for k = 5.

    A step takes a random row of a dear cluster, its cluster and one to seven clusters to which the row would add the
    least, agglomerates their rows with noise, moves and swaps rows while that helps, and keeps what costs less. New
    clusters have the ``mix``. Steps begin with one neighbour; several that are as much work as one with seven count as
    one. In long searches rounds of ejection chains come in between.
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
    """How many clusters are searched together: half of them, so that few neighbours are missed and two cores work."""
    return min(max(LEAF, n_groups // 2), _LARGER * LEAF)


@dataclass(frozen=True)
class Rung:
    """Steps with so many neighbours at most; so many of them are as much work as one on the highest rung."""

    neighbours: int
    steps: int


class Ladder:
    """Which rung to search on: the lowest at first, and a higher one from when on it gains more for the same work.

    The next rung is tried now and then. The choice depends on gains by step alone, not on the clock, so that a search
    that counts steps comes out the same everywhere.
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
        """Climb where the next rung gained as much as this one did, or this one nothing."""
        is_probe = rung is not self._rungs[self._at]
        if gain >= self._gain if is_probe else gain <= 0 and not self.is_at_top:
            self._at += 1
        if not is_probe:
            self._gain = gain


def _work(most: int) -> float:
    """About how much work a step with one to so many neighbours is: rows in the pool squared."""
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
    """As many of all steps as the leaf has of the loss, fractions by chance: in large tables few places are dear."""
    return int(n_steps * leaf.share + leaf.seed % _PARTS / _PARTS)
