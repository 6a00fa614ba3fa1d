"""Sequential clustering: rows move to the cluster where they cost least, while the total falls."""

from __future__ import annotations

from functools import partial

from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coding import Coding
from shoal.algorithms.clustering.planes import Whole
from shoal.algorithms.clustering.rounds import Accepts, Leaf, improved
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_relocate import relocate

_MOST_PASSES = 30
_FAR_ENOUGH = 0.001


def sequential(
    coding: Coding, groups: Groups, k: int, accepts: Accepts, budget: Budget, randomness: Randomness
) -> Groups:
    """Passes over all clusters until one gains less than a thousandth. O(rows · planes) a pass.

    In a pass each cluster gives away the row that saves most, or is dissolved where it has none to spare.
    """
    cost = coding.cost(groups)
    for _ in range(_MOST_PASSES):
        if budget.is_over:
            break
        groups = improved(coding, groups, partial(_pass, coding, k), accepts, randomness)
        before, cost = cost, coding.cost(groups)
        if cost >= before * (1 - _FAR_ENOUGH):
            break
    return groups


def _pass(coding: Coding, k: int, leaf: Leaf) -> tuple[Whole, Whole]:
    homes, changes = relocate(coding.space, leaf.cells, leaf.offsets, k, leaf.state)
    return homes, changes
