"""Large-neighbourhood search: a few neighbouring clusters at a time are taken apart and clustered anew."""

from __future__ import annotations

from functools import partial

from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coded_rows import UNIT, Coding
from shoal.algorithms.clustering.improvement_rounds import Accepts, Leaf, improved
from shoal.algorithms.clustering.sensitive_mix import ANY
from shoal.core.arrays import Whole
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_pool import Mix
from shoal.kernels.clustering_search import Search, search
from shoal.kernels.compiled import working_time

_NEIGHBOURS = 7
_LEAST_POOL, _MOST_POOL = 80, 600
_NOISE = 2.0
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
    clusters have the ``mix``.
    """
    how = _how(k, mix)
    progress.stage("refining", max(0.0, budget.total * budget.part - budget.spent))
    cost, told, idle = coding.cost(groups), budget.spent, 0
    while cost > 0 and idle < max(_LEAST_PATIENCE, _PATIENCE * len(groups)):
        n_steps = budget.share(max(_LEAST_STEPS, int(_SHARE * len(groups))))
        if n_steps == 0:
            break
        started, work = working_time(), partial(_steps, coding, k, how, n_steps)
        groups = improved(coding, groups, work, accepts, randomness)
        budget.count(n_steps, working_time() - started)
        progress.advance(budget.spent - told)
        told, before, cost = budget.spent, cost, coding.cost(groups)
        idle = 0 if cost < before else idle + n_steps
        if budget.has_dried_up(cost):
            break
    return groups


def _how(k: int, mix: Mix) -> Search:
    return Search(
        most_rows=min(max(_LEAST_POOL, 4 * k), _MOST_POOL),
        most_neighbours=_NEIGHBOURS,
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
