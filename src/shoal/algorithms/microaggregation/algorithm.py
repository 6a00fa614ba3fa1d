"""Microaggregation: rows in groups of at least k, each published as its mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

import numpy as np

from shoal.algorithms.microaggregation.aggregates import Aggregate, aggregated, refuse_aggregate
from shoal.algorithms.microaggregation.annealing import Patience, improved
from shoal.algorithms.microaggregation.optimal import optimal
from shoal.core.arrays import Flags, Floats, Offsets
from shoal.core.claims import LeastLoss
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.goal_feasibility import require_possible
from shoal.core.groups import Groups
from shoal.core.parameters import real_number, whole_number
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.standard_scores import standard_scores
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean
from shoal.kernels.microaggregation import mdav
from shoal.metrics import SquaredError

Method = Literal["search", "mdav", "optimal"]

_MOST_CATEGORIES = 1_000
"""Each category is a dimension of its own, so there may be at most this many."""


@dataclass(frozen=True)
class Microaggregation(Algorithm):
    """Groups of k to 2k − 1 rows with a small squared error, each cell printed as the aggregate of its group.

    Numbers stay numbers: a number or date is published as the ``aggregate`` of its group ("mean", "median", "mode" or
    "geometric"), an ordinal value as the median category, a nominal one as the commonest. Columns are standardized
    first, so the squared error is the information loss of the literature (``SquaredError``). It is always what is
    minimized, whatever the goal's metric.

    ``method="mdav"`` is MDAV as published. ``"search"``, the default, continues from there by simulated annealing for
    ``budget`` seconds (rows move and swap, groups dissolve and form), and an integer program combines the best
    partition from all groups that came up; with ``steps`` above 0 it counts proposals instead of seconds, and with a
    seed the result is the same everywhere. ``"optimal"`` is the minimum, for one dimension (Hansen and Mukherjee) or a
    few rows (an integer program). Tables of more than ``block`` rows are first cut into blocks of rows that lie close
    together.

    Promises beyond class size are met by merging groups with their nearest. Groups whose aggregates agree in every
    column are one class, as a reader of the release sees them.

    Cost: O(n · block / k · dimensions) time for MDAV, and ``budget`` seconds for the search.

    Reference: Domingo-Ferrer and Mateo-Sanz 2002, Practical Data-Oriented Microaggregation for Statistical Disclosure
    Control; Domingo-Ferrer and Torra 2005, Ordinal, Continuous and Heterogeneous k-Anonymity Through Microaggregation
    (MDAV); Hansen and Mukherjee 2003, A Polynomial Algorithm for Optimal Univariate Microaggregation.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Microaggregation(method="mdav"), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('02138', 24.0), ('02141', 64.0)]
    """

    method: Method = "search"
    aggregate: Aggregate = "mean"
    budget: float = 10.0
    steps: int = 0
    block: int = 10_000

    name: ClassVar[str] = "microaggregation"
    summary: ClassVar[str] = "groups of at least k by squared error, published as their means (numbers stay numbers)"
    serves = (GroupModel,)

    def __post_init__(self) -> None:
        for option, known in (("method", get_args(Method)), ("aggregate", get_args(Aggregate))):
            if (said := getattr(self, option)) not in known:
                raise InputError(f"There is no {option} {said!r}.{did_you_mean(str(said), known)}")
        object.__setattr__(self, "budget", real_number("budget", self.budget, least=0))
        object.__setattr__(self, "steps", whole_number("steps", self.steps, least=0))
        object.__setattr__(self, "block", whole_number("block", self.block, least=2))

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse columns that do not have the aggregate, or that have too many categories for computing distances."""
        super().refuse(table, goal)
        for column in table.quasi:
            refuse_aggregate(column, self.aggregate)
            if not column.domain.is_ordered and column.domain.n_leaves > _MOST_CATEGORIES:
                raise InputError(
                    f"The column {column.name!r} has {column.domain.n_leaves:,} categories, and 'microaggregation' "
                    f"works with at most {_MOST_CATEGORIES:,}; say their order (orders), or choose another algorithm."
                )

    def refuse_blocks(self, goal: Goal) -> None:
        """Refuse: groups of different blocks may be printed alike, so no block can be judged by itself."""
        raise InputError(
            "'microaggregation' needs all rows in memory, and cuts large tables into blocks by itself; run it without "
            "memory limit, Spark or 'blocked'."
        )

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Group, merge groups if promises require it, and publish the aggregates."""
        require_possible(table, goal)
        points, k = standard_scores(table), max(1, goal.floor)
        homes = self.partition(points, k, randomness, progress)
        groups = Groups.from_ids(homes.astype(np.int32), int(homes.max()) + 1)
        classes = _united(table, goal, points, groups, lambda parts: aggregated(table, parts, self.aggregate).classes)
        release = aggregated(table, classes, self.aggregate)
        lost = SquaredError().score(release)
        told = f"The mean of each group keeps {1 - lost:.2%} of the variance (information loss {100 * lost:.3f}%)."
        claims = (LeastLoss(SquaredError(), lost, lost, "partition into groups of this size"),)
        is_best = self.method == "optimal" and goal.is_about_size and table.n_rows <= self.block
        return replace(release, account=(told,), claims=claims if is_best else ())

    def partition(self, points: Floats, k: int, randomness: Randomness, progress: Progress) -> Offsets:
        """The group of each row, with at least k rows each."""
        progress.stage("grouping", points.shape[0])
        homes, n_groups = np.zeros(points.shape[0], np.int64), 0
        patience = Patience(self.budget, self.steps)
        for number, rows in enumerate(_blocks(points, max(self.block, 2 * k))):
            inside = np.ascontiguousarray(points[rows])
            own = optimal(inside, k) if self.method == "optimal" else mdav(inside, k)[0]
            if self.method == "search":
                shared = patience.shared(rows.size / points.shape[0])
                own = improved(inside, own, k, shared, randomness.child(f"block {number}"), progress)
            _, own = np.unique(own, return_inverse=True)
            homes[rows] = own + n_groups
            n_groups += int(own.max()) + 1
        return homes


def _blocks(points: Floats, most: int) -> list[Offsets]:
    """Divide the rows into blocks that lie close together, because MDAV and finding neighbours take quadratic time.

    They are cut at the median of the widest dimension until no part has more than ``most``. O(n log² n).
    """
    waiting, done = [np.arange(points.shape[0])], []
    while waiting:
        rows = waiting.pop()
        if rows.size <= most:
            done.append(rows)
            continue
        inside = points[rows]
        ordered = rows[np.argsort(inside[:, inside.var(axis=0).argmax()], kind="stable")]
        waiting += [ordered[: rows.size // 2], ordered[rows.size // 2 :]]
    return done


def _united(table: Table, goal: Goal, points: Floats, groups: Groups, printed: Callable[[Groups], Groups]) -> Groups:
    """Groups that keep every promise, also as published: groups that look alike in ``printed`` are one class there.

    Each group that breaks a promise is merged with the one with the nearest mean. All rows together must keep the
    promises. Takes O(groups · dimensions) for each group that breaks one.
    """
    while len(groups) > 1:
        classes = printed(groups)
        fine = goal.accepts(table, classes)
        if fine.all():
            return classes
        groups = _merged(points, classes, ~fine)
    return groups


def _merged(points: Floats, groups: Groups, failing: Flags) -> Groups:
    """Merge each failing group, unless another was just merged into it, with the nearest other."""
    numbers = np.repeat(np.arange(len(groups)), groups.sizes)
    inside = points[groups.members]
    means = np.array([np.bincount(numbers, column) for column in inside.T]).T / groups.sizes[:, None]
    joined, is_joined = np.arange(len(groups)), np.zeros(len(groups), bool)
    for group in np.flatnonzero(failing):
        if is_joined[group]:
            continue
        distances = ((means - means[group]) ** 2).sum(axis=1)
        distances[group] = np.inf
        nearest = int(distances.argmin())
        joined[joined == joined[group]] = joined[nearest]
        is_joined[group] = is_joined[nearest] = True
    _, homes = np.unique(joined, return_inverse=True)
    ids = np.empty(points.shape[0], np.int32)
    ids[groups.members] = homes[numbers]
    return Groups.from_ids(ids, int(homes.max()) + 1)
