"""k-Optimize: the best way to cut every column into intervals, by set enumeration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from shoal.algorithms.lattice.column_cuts import Recoded
from shoal.algorithms.lattice.k_optimize_costs import costs_of
from shoal.algorithms.lattice.set_enumeration import Enumeration
from shoal.core.claims import LeastLoss
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.parameters import real_number, whole_number
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet, InputError


@dataclass(frozen=True)
class KOptimize(Algorithm):
    """Each column cut into intervals of its ordered values, the same for all rows, at the least total cost.

    A solution is a set of *items*: in an ordered column the values at which an interval begins (the paper's indexes),
    in a column with a hierarchy the nodes that are replaced by their children. Starting from the empty set, with
    everything suppressed, items are added one at a time, so that each set is visited once. A set with its open items is
    pruned if a lower bound on the cost of any larger set is no better than the best found: rows of classes below the
    minimum size of the promises stay suppressed when cells are cut, and the others cost no less than with all items.

    Classes that do not keep every promise are suppressed, up to the suppression limit. It minimizes DM, the paper's
    cost, or a mean price of cells such as LM.

    Args:
        max_sets: how many sets are examined before the best one found is published; None for no limit. The number of
            sets is 2 to the number of items, and with a hundred items or more a proof is rarely within reach:
            ``search`` says how much better any other set could be.
        time_limit: the same in seconds; with it two runs may not give the same table.

    Differs from Algorithm 4.1: an item that would improve no set is dropped from a whole branch at once, and one that
    cuts no class is added for free; branches are on the item that cuts most classes, with it first.

    Cost: O(rows · items) time per set examined.

    Reference: Bayardo and Agrawal 2005, Data Privacy Through Optimal k-Anonymization; Ciriani et al. 2007, k-Anonymity
    (Algorithm 4.1).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.KOptimize(), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '[23..25]'), ('0214*', '[61..67]')]
    """

    max_sets: int | None = 2000
    time_limit: float | None = None

    name: ClassVar[str] = "k-optimize"
    summary: ClassVar[str] = "every column cut into intervals, the same for all rows, at the lowest cost found"
    serves = (GroupModel,)
    is_global: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.max_sets is not None:
            object.__setattr__(self, "max_sets", whole_number("max_sets", self.max_sets, least=1))
        if self.time_limit is not None:
            object.__setattr__(self, "time_limit", real_number("time_limit", self.time_limit, least=0))

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse metrics that are not a sum over rows, and promises about all classes together."""
        super().refuse(table, goal)
        if goal.release_models:
            raise InputError(
                f"The algorithm {self.name!r} cannot promise {goal.release_models[0]}; choose 'lattice', or another."
            )
        costs_of(goal.metric, table)

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Publish the best set found."""
        found = self.search(table, goal, progress)
        claim = LeastLoss(
            goal.metric,
            found.score,
            found.lower_bound,
            kind="cut of the columns into intervals",
            how=f"sets of cuts looked at: {found.n_visited:,} of 2^{found.n_items:,}",
            stopped="" if found.is_optimal else self._limit(found.n_visited),
        )
        return replace(found.release, claims=(claim,))

    def _limit(self, n_visited: int) -> str:
        """The limit that ended the search."""
        by_number = self.max_sets is not None and n_visited >= self.max_sets
        return f"by max_sets = {self.max_sets:,}" if by_number else f"after {self.time_limit:g} s"

    def search(self, table: Table, goal: Goal, progress: Progress | None = None) -> Recoded:
        """The best set of items, and how close to the optimum it is.

        Raises:
            GoalNotMet: not even one class of all rows keeps the promises.
        """
        progress = progress or Silent()
        progress.stage("enumerating cuts")
        enumeration = Enumeration(table, goal, costs_of(goal.metric, table), self.max_sets, self.time_limit)
        enumeration.run(progress)
        found = enumeration.found()
        if found is None:
            raise GoalNotMet(
                f"No recoding was found that keeps {' and '.join(map(str, goal.promises))} with at most "
                f"{enumeration.max_suppressed:,} rows suppressed; ask for less."
            )
        return found
