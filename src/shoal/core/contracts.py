"""The four contracts that plug-ins fulfil: privacy model, metric, algorithm, attack (in ``audit``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Flags, Floats
from shoal.core.cells import Cells
from shoal.core.groups import CountGroups, Groups
from shoal.core.level_prices import LevelPrices
from shoal.core.node import Node, level_cells, levels_of, once, suppressed_rows
from shoal.core.plain_numbers import plain
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Claim, ClaimVerdict, Release
from shoal.core.suppression_limit import Limit, parse_limit, rows_allowed
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError

Evidence = Literal["original", "population"]
"""What a stranger may be given to judge a release by: the table it was made from, the people that was drawn from."""


@dataclass(frozen=True)
class Verdict:
    """Whether a promise holds, how well, and where it is worst."""

    promise: str
    holds: bool
    wanted: float
    achieved: float
    n_groups: int
    n_failing: int
    worst: tuple[int, ...] = field(default=(), repr=False)
    worst_measures: tuple[float, ...] = field(default=(), repr=False)
    reads: Literal["classes", "pools"] = "classes"
    judged_on: str = ""

    @property
    def title(self) -> str:
        """The promise, and on what it was judged where that is not plain."""
        return f"{self.promise}, {self.judged_on}" if self.judged_on else self.promise

    def __str__(self) -> str:
        state = "holds" if self.holds else "DOES NOT HOLD"
        failing = "" if self.holds else f", {self.n_failing:,} of {self.n_groups:,} {self.reads} fail"
        return f"{self.title} {state}: achieved {plain(self.achieved, 6)}{failing}"


class PrivacyModel(ABC):
    """A promise about a release."""

    name: ClassVar[str]
    """How job files and messages call it."""

    flag: ClassVar[str]
    """Its command-line option, ``--k`` or ``--l``."""

    summary: ClassVar[str]
    """One line of help."""

    judged_by: ClassVar[tuple[Evidence, ...]] = ()
    """What a stranger needs besides the published table to say that the promise does not hold.

    Where records look alike it may be seen to hold without; where they do not, nothing is said.
    """

    @property
    def means(self) -> str:
        """What is promised, with its parameters as capital letters: the summary up to what the command line needs."""
        return self.summary.partition(";")[0]

    @property
    def link_chance(self) -> float | None:
        """The chance that nobody is linked to a record with more than, where records need not look alike for it."""
        return None

    @property
    def survives_union(self) -> bool:
        """Whether the union of releases of parts of a table keeps the promise wherever each of them does."""
        return False

    @property
    def survives_blocks(self) -> bool:
        """Whether a release made in blocks keeps it, each block being held to ``on_groups``, and can be judged."""
        return self.survives_union

    @property
    def on_groups(self) -> GroupModel | None:
        """The condition on every group under which the promise holds, if there is one: the promise itself or more."""
        return None

    @abstractmethod
    def check(self, release: Release) -> Verdict:
        """Judge any release, however it was made."""

    @property
    def as_said(self) -> PrivacyModel:
        """The promise as a user says it, where this one is made of it: see ``of_people``."""
        return self

    def of_people(self) -> PrivacyModel:
        """The same promise where a person may have several rows (``Table.people``): people are counted, not rows.

        Raises:
            InputError: it has no such reading.
        """
        raise InputError(f"{self} cannot count people; leave out person, or ask for another promise, such as k.")

    def about(self, table: Table, population: int | None) -> PrivacyModel:
        """The promise for this table, its people being sampled from so many where that is known."""
        return self

    def require_columns(self, table: Table) -> None:  # noqa: B027 (most promises ask for nothing)
        """Raise InputError where a table that somebody else coded lacks a column, an order or a hierarchy it needs."""

    def refuse(self, table: Table) -> None:  # noqa: B027 (most promises can be kept on any table)
        """Raise ImpossibleGoal where no release of this table could keep the promise."""

    def forbids(self, attack: str, about: str) -> bool:
        """Whether an attack of this name, on this sensitive column if on any, cannot succeed where the promise holds.

        Where the audit of a release of ours finds one that does, the release is not written.
        """
        return False

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> PrivacyModel:
        """From its command-line and job-file form, such as ``3`` or ``3:disease``."""

    @abstractmethod
    def __str__(self) -> str: ...


class GroupModel(PrivacyModel):
    """A promise that holds when it holds in every group."""

    reads: ClassVar[Literal["classes", "pools"]] = "pools"
    """Which groups of a release it is about."""

    is_monotone: ClassVar[bool] = False
    """Whether the union of two groups that keep the promise always keeps it."""

    is_growing: ClassVar[bool] = False
    """Whether every group that contains one that keeps the promise keeps it."""

    is_about_size: ClassVar[bool] = False
    """Whether a group keeps the promise exactly when it has at least ``floor`` rows."""

    is_about_people: ClassVar[bool] = False
    """Whether a group keeps the promise exactly when it has rows of at least ``floor`` different people."""

    judges_people: ClassVar[bool] = False
    """Whether it looks at people alone, so that equal rows of a person may come once, with their number."""

    judges_cells: ClassVar[bool] = False
    """Whether the promise is about the cells around a group rather than about its rows: see ``measure_cells``."""

    reads_printed: ClassVar[bool] = False
    """Whether matches by printed cells are judged beside those that a release names, and might break the promise."""

    needs_original: ClassVar[bool] = False
    """Whether groups are compared with the whole original table, so that what was published cannot be judged alone."""

    needs_weights: ClassVar[bool] = False
    """Whether the sample weights of the published rows are all that it needs of the original besides."""

    @property
    def on_groups(self) -> GroupModel:
        """The promise itself."""
        return self

    @property
    def survives_union(self) -> bool:
        """Where it is monotone: classes of the union are unions of the parts' classes, and pools stay as they are."""
        return self.is_monotone

    @property
    @abstractmethod
    def threshold(self) -> float:
        """What ``measure`` has to reach."""

    @property
    def floor(self) -> int:
        """A group smaller than this never keeps the promise."""
        return 1

    @abstractmethod
    def measure(self, table: Table, groups: Groups) -> Floats:
        """One number per group of rows; larger is safer. O(members)."""

    def easier(self, n_sensitive: int) -> str:
        """How to ask for less of the same in a table with so many sensitive columns, as a sentence; empty if no way."""
        return ""

    def judged_groups(self, table: Table, classes: Groups) -> list[tuple[Groups, Floats]]:
        """What is judged where records of these classes have equal cells, and one number for each of the groups."""
        return [(classes, self.measure(table, classes))]

    def measure_people(self, table: Table, groups: Groups) -> Floats:
        """As ``measure``, for a table that says whose row each row is, people being counted."""
        raise NotImplementedError(f"{self.name} counts rows, not people")

    @property
    def grows_with_people(self) -> bool:
        """Whether, people being counted, every group that contains one that keeps the promise keeps it."""
        return False

    def measure_cells(self, table: Table, cells: Sequence[Cells]) -> Floats:
        """One number per class from its cells in each column; only where ``judges_cells``."""
        raise NotImplementedError(f"{self.name} looks at rows, not at cells")

    def accepts(self, table: Table, groups: Groups) -> Flags:
        """Which groups keep the promise."""
        return self.measure(table, groups) >= self.threshold

    def shown(self, measures: Floats) -> Floats:
        """Measures in the unit that verdicts and reports speak of, such as a distance; it may fall as safety rises."""
        return measures

    def check(self, release: Release) -> Verdict:
        """Measure every class or pool, as worked out from the cells."""
        return self.verdict(self.measure(release.table, release.classes if self.reads == "classes" else release.pools))

    def verdict(self, measures: Floats) -> Verdict:
        """What the measures of all groups come to."""
        failing = measures < self.threshold
        order = np.argsort(measures, kind="stable")[:10]
        return Verdict(
            promise=str(self),
            holds=not failing.any(),
            wanted=float(self.shown(np.array([self.threshold], np.float64))[0]),
            achieved=float(self.shown(np.array([measures.min(initial=np.inf)]))[0]),
            n_groups=measures.size,
            n_failing=int(failing.sum()),
            worst=tuple(int(g) for g in order),
            worst_measures=tuple(float(measure) for measure in self.shown(measures[order])),
            reads=self.reads,
        )


class ReleaseModel(PrivacyModel):
    """A promise about all classes of a release together, such as the average risk of its records.

    Algorithms that judge one group at a time aim at ``on_groups``, which is more than was asked for. Full-domain
    searches ask for no more than that: they give up classes, the smallest first, until the promise holds (``keep``).
    """

    reads: ClassVar[Literal["classes", "pools"]] = "classes"

    needs_original: ClassVar[bool] = False
    """Whether what was published cannot be judged alone."""

    needs_weights: ClassVar[bool] = False
    """Whether the sample weights of the published rows are all that it needs of the original besides."""

    @property
    def needs_rows(self) -> bool:
        """Whether ``keep`` wants ``Node.ids``."""
        return False

    @property
    @abstractmethod
    def on_groups(self) -> GroupModel:
        """A condition on every class under which the promise holds, whatever else is published."""

    @property
    def survives_blocks(self) -> bool:
        """Where the condition on every class does, and counts are enough to judge the whole."""
        return self.judges_counts and self.on_groups.survives_union

    @abstractmethod
    def is_upward(self, *, suppressing: bool) -> bool:
        """Whether nodes above one at which the promise can be kept by giving up no more rows than allowed keep it."""

    @abstractmethod
    def keep(self, node: Node, order: Codes) -> Flags:
        """Which of the node's kept classes may stay; the others are given up in this order, as few as need be.

        ``order`` lists the kept classes from those that are given up first to those that are given up last.
        """

    judges_counts: ClassVar[bool] = False
    """Whether it has ``judge_counts``, so that records that are nowhere all in memory can be judged."""

    def judge_counts(self, table: Table, count: CountGroups) -> Verdict:
        """As ``check``, by nothing but how many records and people agree on some of the table's quasi-identifiers."""
        raise NotImplementedError(f"{self.name} wants to see the records")


class Metric(ABC):
    """A measure of what was lost; smaller is better.

    A metric that ``scores_nodes`` also judges a node of the generalization lattice without building a release.
    Nodes are compared by ``node_key``, lexicographically; most keys have one entry, the score.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    scores_nodes: ClassVar[bool] = False
    """Whether it has ``node_score``."""

    is_monotone: ClassVar[bool] = False
    """Whether coarser cells never score lower, as long as the same rows are published."""

    needs_rows: ClassVar[bool] = False
    """Whether ``node_score`` wants ``Node.ids``."""

    @abstractmethod
    def score(self, release: Release) -> float:
        """The loss of a release; suppressed rows count as lost."""

    def node_score(self, node: Node) -> float:
        """The loss of the release published at a node, classes that are not kept being suppressed."""
        raise InputError(f"The metric {self.name!r} cannot judge nodes of a lattice; choose another metric.")

    def node_key(self, node: Node) -> tuple[float, ...]:
        """What a search compares, lexicographically; smaller is better."""
        return (self.node_score(node),)

    def node_floor(self, node: Node) -> tuple[float, ...]:
        """A lower bound on the key of this node and of every node above it, whatever is suppressed there."""
        return tuple(self.node_bounds(node.table, np.array([node.levels], np.int32))[0])

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """``node_floor`` from the levels alone: ``levels[node, column]`` in, ``bounds[node, entry of the key]`` out."""
        return np.zeros((levels.shape[0], 1))


class PriceMetric(Metric):
    """A loss that is made of what the rows pay in each column, on average.

    Bounds on lattice nodes: at a node and above it a row pays in each column either the price of a level that is at
    least the node's, or what a suppressed row pays there. ``LevelPrices.least`` is the mean of the smallest of all
    these, so no column's loss is smaller, and ``combine`` does not fall when a loss rises.
    """

    scores_nodes: ClassVar[bool] = True

    @abstractmethod
    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """The price of each distinct cell, in the metric's own unit."""

    @abstractmethod
    def suppressed_prices(self, column: QuasiColumn, prices: Floats) -> Floats:
        """What suppressed rows pay, from ``prices[level, leaf]`` that they would pay if they were published.

        A row of a full-domain release would be published at the release's level, any other row on level 0. What
        they pay more is the same for all leaves of a node.
        """

    @abstractmethod
    def combine(self, losses: Floats, table: Table) -> Floats:
        """The score from ``losses[…, column]``; it does not fall when a loss rises."""

    def level_prices(self, column: QuasiColumn) -> Floats:
        """``prices[level, leaf]``: the price of the cell above each leaf on each level."""
        nested, prices = column.recoding.nested, []
        for level in range(nested.n_levels):
            cells = level_cells(column, nested.low[level], nested.high[level], level)
            prices.append(self.price(column, cells)[cells.ids])
        return np.array(prices, np.float64)

    def by_column(self, release: Release) -> Floats:
        """The mean price in each column. O(rows · columns)."""
        uses = np.bincount(release.shapes, minlength=int(release.shapes.max(initial=-1)) + 1)
        lost = suppressed_rows(release)
        levels = levels_of(release) or (0,) * release.table.n_quasi
        losses = []
        for j, (column, cells) in enumerate(zip(release.table.quasi, release.cells, strict=True)):
            paid = float(np.dot(self.price(column, cells)[cells.ids[: uses.size]], uses))
            if lost.size:
                prices = self.suppressed_prices(column, self.level_prices(column))
                paid += float(prices[levels[j], release.table.codes[j, lost]].sum())
            losses.append(paid / max(1, release.table.n_rows))
        return np.array(losses)

    def score(self, release: Release) -> float:
        """The losses of the columns, combined."""
        return float(self.combine(self.by_column(release), release.table))

    def prices_on(self, table: Table) -> LevelPrices:
        """The prices of all levels, worked out once per table."""
        return once(table, self, lambda: LevelPrices.of(table, self.level_prices, self.suppressed_prices))

    def node_score(self, node: Node) -> float:
        """As ``score``, from the classes of a node. O(classes + suppressed classes · columns)."""
        return float(self.combine(self.prices_on(node.table).losses(node), node.table))

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """The least that each column can lose, combined, and a hair less for rounding. O(nodes · columns)."""
        return self.combine(self.prices_on(table).bounds(levels), table)[:, None] * (1 - 1e-12)


class CellMetric(PriceMetric):
    """A loss that is a mean over cells, each priced between 0 (exact) and 1 (suppressed) whoever its owner is.

    What a set of values costs depends on how many of them there are, not on which.
    """

    def suppressed_prices(self, column: QuasiColumn, prices: Floats) -> Floats:
        """As much as can be."""
        return np.ones_like(prices)

    def combine(self, losses: Floats, table: Table) -> Floats:
        """Their mean, columns weighted by their importance."""
        weights = np.array([column.weight for column in table.quasi])
        return np.asarray(losses @ weights / max(weights.sum(), np.finfo(float).tiny))


@dataclass(frozen=True)
class Goal:
    """The promises that a release must keep, and the information-loss metric to minimize."""

    promises: tuple[PrivacyModel, ...]
    metric: Metric
    suppression_limit: Limit = 0.0
    """The rows that may be left out: a share of them, or a number as in ``"29 rows"``."""

    def __post_init__(self) -> None:
        if not self.promises:
            raise InputError("No promise was asked for; give at least one, such as k = 5.")
        object.__setattr__(self, "suppression_limit", parse_limit(self.suppression_limit))

    def most_suppressed(self, n_rows: int) -> int:
        """How many rows of a table of ``n_rows`` may be left out."""
        return rows_allowed(self.suppression_limit, n_rows)

    def for_parts(self, n_rows: int) -> Goal:
        """The same goal for parts of a table of ``n_rows``: together they leave out no more than it allows."""
        if isinstance(self.suppression_limit, float):
            return self
        return replace(self, suppression_limit=self.most_suppressed(n_rows) / max(1, n_rows))

    def about(self, table: Table, population: int | None) -> Goal:
        """The same goal with every promise for this table: see ``PrivacyModel.about``."""
        return replace(self, promises=tuple(promise.about(table, population) for promise in self.promises))

    def of_people(self) -> Goal:
        """The same goal with every promise about people: see ``PrivacyModel.of_people``."""
        return replace(self, promises=tuple(promise.of_people() for promise in self.promises))

    @property
    def group_models(self) -> tuple[GroupModel, ...]:
        """The conditions on groups under which the promises hold that can be kept so."""
        return tuple(model for p in self.promises if (model := p.on_groups) is not None)

    @property
    def class_models(self) -> tuple[GroupModel, ...]:
        """The promises that are conditions on groups."""
        return tuple(p for p in self.promises if isinstance(p, GroupModel))

    @property
    def release_models(self) -> tuple[ReleaseModel, ...]:
        """The promises about all classes together."""
        return tuple(p for p in self.promises if isinstance(p, ReleaseModel))

    @property
    def floor(self) -> int:
        """The smallest group that could keep every promise."""
        return max((model.floor for model in self.group_models), default=1)

    @property
    def is_about_size(self) -> bool:
        """Whether a group keeps every promise exactly when it has at least ``floor`` rows."""
        return all(model.is_about_size for model in self.group_models)

    @property
    def is_about_people(self) -> bool:
        """Whether a group keeps every promise exactly when it has rows of at least ``floor`` different people."""
        return all(model.is_about_people for model in self.group_models)

    def accepts(self, table: Table, groups: Groups) -> Flags:
        """Which groups keep every promise on groups. O(members · models)."""
        fine = np.ones(len(groups), bool)
        for model in self.group_models:
            fine &= model.accepts(table, groups)
        return fine


@dataclass(frozen=True)
class AtMostSuppressed(Claim):
    """No more than ``rows`` rows are left out, and none is published twice: what every algorithm claims."""

    rows: int

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Count the printed records."""
        left_out = release.table.n_rows - printed.height
        return ClaimVerdict(
            f"at most {self.rows:,} rows suppressed",
            0 <= left_out <= self.rows,
            f"{left_out:,} of {release.table.n_rows:,}",
            {"suppressed": left_out, "allowed": self.rows},
        )


class Algorithm(ABC):
    """Makes a release of a table that meets a goal."""

    name: ClassVar[str]
    summary: ClassVar[str]
    serves: ClassVar[tuple[type[PrivacyModel], ...]]
    """The kinds of promises it can be asked for."""

    asks_about_cells: ClassVar[bool] = False
    """Whether a group that it asks promises about is published with just the cells that they are asked about."""

    is_local: ClassVar[bool] = False
    """Whether any groups of rows, each with cells of its own, could be its result: then a refinement may follow."""

    suppresses: ClassVar[bool] = False
    """Whether it makes use of the suppression limit itself; a local one that does not leaves that to a refinement."""

    is_global: ClassVar[bool] = False
    """Whether it looks for one recoding of all rows, so that running it on blocks of them would not do."""

    works_on_counts: ClassVar[bool] = False
    """Whether distinct rows with their counts (``CountedTable``) are enough for it to find that recoding."""

    makes_buckets: ClassVar[bool] = False
    """Whether its releases are two tables, joined by buckets."""

    matches_are_fits: ClassVar[bool] = False
    """Whether the matches that its releases name are all rows that fit, not those among whom owners were drawn."""

    keeps_people_together: ClassVar[bool] = False
    """Whether it looks at all rows of a person at once, so that blocks of rows must be blocks of people."""

    draws_owners: ClassVar[bool] = False
    """Whether its releases name the rows among whom the owner of each record was drawn."""

    def looks_across(self, promise: PrivacyModel) -> bool:
        """Whether a promise reads matches of its releases to which other blocks of a table may add."""
        if not isinstance(promise, GroupModel) or promise.reads != "pools":
            return False
        return self.matches_are_fits or (self.draws_owners and promise.reads_printed)

    def refuse(self, table: Table, goal: Goal) -> None:
        """Raise InputError where this algorithm cannot serve the goal on this table."""
        for promise in goal.promises:
            about_cells = isinstance(promise, GroupModel) and promise.judges_cells
            if not self.can_serve(promise) or (about_cells and not self.asks_about_cells):
                raise InputError(f"The algorithm {self.name!r} cannot promise {promise}; choose another algorithm.")

    def can_serve(self, promise: PrivacyModel) -> bool:
        """Whether it keeps such promises: those that it serves, and what conditions on groups are enough for."""
        return isinstance(promise, self.serves) or (GroupModel in self.serves and promise.on_groups is not None)

    def refuse_blocks(self, goal: Goal) -> None:  # noqa: B027 (most algorithms may be run on blocks)
        """Raise InputError where blocks that it makes each by itself might break what it guarantees for this goal.

        Promises of the goal need no word here, since unions are checked for them; guarantees of its own do.
        """

    def claims(self, table: Table, goal: Goal) -> tuple[Claim, ...]:
        """What it guarantees about every release that it makes for this goal; ``Release.claims`` has what one came to.

        Each is judged by ``Claim.check`` on the printed table, and nothing is written where one fails.
        """
        return (AtMostSuppressed(goal.most_suppressed(table.n_rows)),)

    @abstractmethod
    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Make the release. Deterministic given ``randomness``."""
