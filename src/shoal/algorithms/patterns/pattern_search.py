"""The greedy heuristic, improved by moving rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.algorithms.patterns.assignment import Assignment, settle
from shoal.algorithms.patterns.base import PatternAlgorithm
from shoal.algorithms.patterns.instances import Sharing, reduced, row_bound, share
from shoal.algorithms.patterns.pattern_greedy import cover, cover_rows, cover_thriftily
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.core.arrays import Codes
from shoal.core.contracts import Goal, GroupModel
from shoal.core.parameters import whole_number
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.errors import GoalNotMet
from shoal.kernels.patterns_moves import Board, anneal

_SMALL = 1_000_000
"""Up to this many pairs of a row and an instance, all are considered; else only instances that some row would gain
from."""


@dataclass(frozen=True)
class PatternSearch(PatternAlgorithm):
    """Suppress cells by allowed patterns only, with fewer stars than the greedy heuristic needs.

    Starts from the greedy heuristic and moves rows between instances of patterns by simulated annealing. It never costs
    more than the greedy; on the paper's tables it closes most of the gap to the optimum within seconds. If promises go
    beyond class size, classes that break one are taken apart and their rows covered again.

    Cost: that of the greedy heuristic, and ``effort`` steps for every instance.

    Reference: Bredereck, Nichterlein and Niedermeier 2013, Pattern-Guided k-Anonymity; the search is our own.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"sex": ["m", "m", "f", "f"], "town": ["Ely", "Ripon", "Truro", "Truro"]})
    >>> words = {"quasi_identifiers": ["sex", "town"], "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.PatternSearch(max_stars=1), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('f', 'Truro'), ('m', '*')]
    """

    effort: int = 10

    name: ClassVar[str] = "patterns-search"
    summary: ClassVar[str] = "suppress cells by the patterns you allow, improved by moving rows (slower, fewer stars)"
    serves = (GroupModel,)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "effort", whole_number("effort", self.effort, least=0))

    def assign(self, problem: PatternProblem, goal: Goal, randomness: Randomness, progress: Progress) -> Assignment:
        """The cheapest of the greedy's assignments and the improved one, after handling the rows left over."""
        return cheapest(candidates(problem, goal, randomness, progress, self.effort), goal)


def candidates(
    problem: PatternProblem, goal: Goal, randomness: Randomness, progress: Progress, effort: int
) -> list[Assignment]:
    """The greedy's assignment, that of ``cover_thriftily``, and the better of the two improved by moving rows."""
    found = [cover(problem, goal, progress)]
    if goal.is_about_size:
        found.append(cover_thriftily(problem, goal.floor))
    start = min(found, key=lambda assignment: assignment.cost)
    if not goal.is_about_size or start.cost > row_bound(problem, goal.floor):
        progress.stage("moving rows")
        found.append(moved(problem, goal, start, randomness, effort))
    return found


def moved(problem: PatternProblem, goal: Goal, start: Assignment, randomness: Randomness, effort: int) -> Assignment:
    """An assignment improved by the search; classes that break a promise are covered again."""
    mask = problem.mask
    sharing = share(problem, goal.floor, most=_SMALL) or share(problem, goal.floor, start)
    if sharing is None or not effort:
        return start
    sharing = reduced(sharing)
    unit = mask.full / len(mask.ladders) or 1.0
    homes = improved(sharing, goal.floor, sharing.homes(start), randomness, effort, unit, mask.star >= 0)
    return _mended(problem, goal, sharing.assignment(problem, homes))


def _mended(problem: PatternProblem, goal: Goal, found: Assignment) -> Assignment:
    """Remove the pattern from rows of classes that break a promise, and let the greedy find them new ones."""
    refused = ~goal.accepts(found.table, found.classes)
    if not refused.any():
        return found
    rows = found.classes.members[np.repeat(refused, found.classes.sizes)]
    return cover_rows(problem, goal, found.with_pattern(rows, -1))


def cheapest(found: list[Assignment], goal: Goal) -> Assignment:
    """The cheapest of several assignments after settling their left-over rows.

    Raises:
        GoalNotMet: none can be settled.
    """
    settled, problems = [], []
    for assignment in found:
        try:
            settled.append(settle(assignment, goal))
        except GoalNotMet as problem:
            problems.append(problem)
    if not settled:
        raise problems[0]
    return min(settled, key=lambda assignment: assignment.cost)


_TRIES = 3
"""How many unused instances are tried for a row whose class is dissolved."""

_MOST_STEPS = 2_000_000

_LOOKS = 3_000_000


def improved(
    sharing: Sharing, floor: int, homes: Codes, randomness: Randomness, effort: int, unit: float, may_star: bool = True
) -> Codes:
    """Move rows between instances by simulated annealing; the result never costs more than ``homes``.

    A step opens an unused instance (it takes the rows that gain, fills up to ``floor`` with those that lose least, and
    rehouses the rows of classes that this breaks) or closes one. There are ``effort`` steps for every instance, but a
    row is examined at most ``effort`` · 3,000,000 times; ``unit`` is what a star costs, the scale of the heat.
    """
    steps = min(effort * len(sharing.instances), _MOST_STEPS)
    if not steps:
        return homes
    board = _board(sharing, homes, may_star)
    draws = randomness.integers(len(sharing.instances), steps).astype(np.int64)
    luck = (randomness.words(steps) >> np.uint64(11)) / 2.0**53
    best = anneal(board, floor, draws, luck, 0.5 * unit, 0.1 * unit, _TRIES, effort * _LOOKS)
    return np.asarray(best, np.int32)


def _board(sharing: Sharing, homes: Codes, may_star: bool) -> Board:
    """The state for the kernel. If outside is not allowed, it costs so much that everything else is better."""
    n_rows, by_kind = homes.size, sharing.by_kind
    costs = np.append(sharing.costs, sharing.full if may_star else 1e3 * (1.0 + sharing.full) * n_rows)
    ranks = np.unique(-costs, return_inverse=True)[1].astype(np.int64)
    return Board(
        costs=costs,
        ranks=ranks,
        offsets=sharing.instances.offsets,
        kinds=sharing.instances.members,
        starts=by_kind.offsets,
        places=by_kind.members,
        firsts=sharing.rows.offsets,
        kind_of=sharing.kinds.astype(np.int64),
        homes=homes.astype(np.int64),
        sizes=np.zeros(costs.size, np.int64),
        heads=np.full(costs.size, -1, np.int64),
        nexts=np.full(n_rows, -1, np.int64),
        priors=np.full(n_rows, -1, np.int64),
        moved=np.empty(6 * n_rows + 16, np.int64),
        origins=np.empty(6 * n_rows + 16, np.int64),
        n_moves=np.zeros(1, np.int64),
        n_looks=np.zeros(1, np.int64),
        is_broken=np.zeros(costs.size, np.bool_),
    )
