"""The base classes of plug-ins: privacy models, metrics and algorithms (attacks are in ``audit``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Flags, Floats
from shoal.core.cells import Cells
from shoal.core.groups import CountGroups, Groups
from shoal.core.level_prices import LevelPrices
from shoal.core.node import Node, level_cells, levels_of, once, suppressed_rows
from shoal.core.number_texts import plain
from shoal.core.parameters import CheckedFields
from shoal.core.plugins import build, family_of
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Claim, ClaimVerdict, Release
from shoal.core.suppression_limit import Limit, parse_limit, rows_allowed
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError

Evidence = Literal["original", "population"]
"""What a third party may be given to judge a release: the original table, or the population it was sampled from."""


@dataclass(frozen=True)
class Verdict:
    """Whether a privacy model holds, how well, and where it is worst."""

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

    @classmethod
    def of(
        cls,
        promise: PrivacyModel,
        measures: Floats,
        wanted: float,
        shown: Callable[[Floats], Floats] = np.asarray,
        reads: Literal["classes", "pools"] = "classes",
    ) -> Verdict:
        """From one measure per group, each of which has to be at least ``wanted``; all figures are as ``shown``."""
        failing = measures < wanted
        order = np.argsort(measures, kind="stable")[:10]
        return cls(
            promise=str(promise),
            holds=not failing.any(),
            wanted=float(shown(np.array([wanted], np.float64))[0]),
            achieved=float(shown(np.array([measures.min(initial=np.inf)]))[0]),
            n_groups=measures.size,
            n_failing=int(failing.sum()),
            worst=tuple(order.tolist()),
            worst_measures=tuple(shown(measures[order]).tolist()),
            reads=reads,
        )

    @property
    def title(self) -> str:
        """The model, and what it was judged on where that is not obvious."""
        return f"{self.promise}, {self.judged_on}" if self.judged_on else self.promise

    def __str__(self) -> str:
        state = "holds" if self.holds else "DOES NOT HOLD"
        failing = "" if self.holds else f", {self.n_failing:,} of {self.n_groups:,} {self.reads} fail"
        return f"{self.title} {state}: achieved {plain(self.achieved, 6)}{failing}"


@dataclass(frozen=True)
class CountedMatches:
    """What a model about numbers of matches requires: at least ``k`` for each row, each record, or both.

    Only pairs of a row and a record that some complete assignment uses count if it is ``in_assignments``, else all
    that fit. So k pairs for each of them prove the model.
    """

    k: int
    of_rows: bool
    of_records: bool
    in_assignments: bool


class PrivacyModel(CheckedFields, ABC):
    """A privacy model: a guarantee about a release."""

    name: ClassVar[str]
    """Its name in job files and messages."""

    flag: ClassVar[str]
    """Its command-line option, such as ``--k`` or ``--l``."""

    summary: ClassVar[str]
    """One line of help."""

    judged_by: ClassVar[tuple[Evidence, ...]] = ()
    """What a third party needs besides the published table to find that the model does not hold.

    Where records share their cells, the published table alone may show that it holds; otherwise it stays undecided.
    """

    needs_original: ClassVar[bool] = False
    """Whether it compares with the whole original table, so that the published table alone cannot be judged."""

    needs_weights: ClassVar[bool] = False
    """Whether the sample weights of the published rows are all it needs from the original table."""

    @property
    def means(self) -> str:
        """What the model guarantees, with parameters as capital letters: the summary up to the first semicolon."""
        return self.summary.partition(";")[0]

    @property
    def link_chance(self) -> float | None:
        """An upper bound on the probability of linking anybody to a record, if it does not require equal records."""
        return None

    @property
    def counted_matches(self) -> CountedMatches | None:
        """How many matches it requires, if it is about nothing else: examples of that many pairs then prove it."""
        return None

    @property
    def drawn_from(self) -> int | None:
        """The number of matches among which the owner of each record has to be drawn; None if no draw is required."""
        return None

    @property
    def survives_union(self) -> bool:
        """Whether the union of releases of parts of a table satisfies the model whenever each part does."""
        return False

    @property
    def survives_blocks(self) -> bool:
        """Whether a release made in blocks satisfies and can be judged by it, if each block satisfies ``on_groups``."""
        return self.survives_union

    @property
    def on_groups(self) -> GroupModel | None:
        """A condition on every group that implies the model, if there is one: the model itself or a stricter one."""
        return None

    @abstractmethod
    def check(self, release: Release) -> Verdict:
        """Judge any release, however it was made."""

    @property
    def as_said(self) -> PrivacyModel:
        """The model as the user requested it, if this one was derived from it: see ``of_people``."""
        return self

    def of_people(self) -> PrivacyModel:
        """The same model where a person may have several rows (``Table.people``): it counts people, not rows.

        Raises:
            InputError: the model cannot count people.
        """
        raise InputError(f"{self} cannot count people; leave out person, or ask for another promise, such as k.")

    def about(self, table: Table, population: int | None) -> PrivacyModel:
        """The model for this table, given the size of the population that its people were sampled from, if known."""
        return self

    def require_columns(self, table: Table) -> None:
        """Raise InputError if a table coded elsewhere lacks a column, an order or a hierarchy that the model needs."""

    def refuse(self, table: Table) -> None:
        """Raise ImpossibleGoal if no release of this table could satisfy the model."""

    def forbids(self, attack: str, about: str) -> bool:
        """Whether an attack of this name, on this sensitive column if any, cannot succeed where the model holds.

        If the audit of our own release finds such an attack succeeding, the release is not written.
        """
        return False

    @classmethod
    def parse(cls, text: str) -> PrivacyModel:
        """Parse its command-line and job-file form, such as ``3`` or ``3:disease``; by default the only parameter."""
        make: Callable[[str], PrivacyModel] = cls
        return make(text)

    @abstractmethod
    def __str__(self) -> str: ...


class GroupModel(PrivacyModel):
    """A privacy model that holds if it holds in every group."""

    reads: ClassVar[Literal["classes", "pools"]] = "pools"
    """Which groups of a release it judges."""

    is_monotone: ClassVar[bool] = False
    """Whether the union of two groups that satisfy the model always satisfies it."""

    is_growing: ClassVar[bool] = False
    """Whether every superset of a group that satisfies the model satisfies it."""

    grows_with_people: ClassVar[bool] = False
    """Whether, counting people, every superset of a group that satisfies the model satisfies it."""

    is_about_size: ClassVar[bool] = False
    """Whether a group satisfies the model exactly if it has at least ``floor`` rows."""

    is_about_people: ClassVar[bool] = False
    """Whether a group satisfies the model exactly if it has rows of at least ``floor`` different people."""

    judges_people: ClassVar[bool] = False
    """Whether only people matter, so that equal rows of a person may be given once, with their number."""

    judges_cells: ClassVar[bool] = False
    """Whether the model is about the cells around a group rather than its rows: see ``measure_cells``."""

    negates: ClassVar[bool] = False
    """Whether measures are minus what the model limits, such as a distance or a risk."""

    reads_printed: ClassVar[bool] = False
    """Whether matches by printed cells are judged besides those a release lists, and may violate the model."""

    @property
    def on_groups(self) -> GroupModel:
        """The model itself."""
        return self

    @property
    def survives_union(self) -> bool:
        """True if it is monotone: classes of the union are unions of the parts' classes, and pools are unchanged."""
        return self.is_monotone

    @property
    @abstractmethod
    def threshold(self) -> float:
        """The least value of ``measure`` that satisfies the model."""

    @property
    def floor(self) -> int:
        """A group smaller than this never satisfies the model."""
        return 1

    @abstractmethod
    def measure(self, table: Table, groups: Groups) -> Floats:
        """One number per group of rows; larger is safer. O(members)."""

    def easier(self, n_sensitive: int) -> str:
        """How to relax the model for a table with this many sensitive columns, as a sentence; empty if impossible."""
        return ""

    def judged_groups(self, table: Table, classes: Groups) -> list[tuple[Groups, Floats]]:
        """The groups that are judged if records of these classes have equal cells, with one measure per group."""
        return [(classes, self.measure(table, classes))]

    def measure_people(self, table: Table, groups: Groups) -> Floats:
        """Like ``measure``, for a table with ``people``: counts people instead of rows."""
        raise NotImplementedError(f"{self.name} counts rows, not people")

    def measure_cells(self, table: Table, cells: Sequence[Cells]) -> Floats:
        """One number per class from its cells in each column; only where ``judges_cells``."""
        raise NotImplementedError(f"{self.name} looks at rows, not at cells")

    def accepts(self, table: Table, groups: Groups) -> Flags:
        """Which groups satisfy the model."""
        return self.measure(table, groups) >= self.threshold

    def shown(self, measures: Floats) -> Floats:
        """Measures in the unit of verdicts and reports, such as a distance; it may fall as safety rises."""
        return -measures if self.negates else measures

    def check(self, release: Release) -> Verdict:
        """Measure every class or pool, derived from the cells."""
        return self.verdict(self.measure(release.table, release.classes if self.reads == "classes" else release.pools))

    def verdict(self, measures: Floats) -> Verdict:
        """The verdict from the measures of all groups."""
        return Verdict.of(self, measures, self.threshold, self.shown, self.reads)


class ReleaseModel(PrivacyModel):
    """A privacy model about all classes of a release together, such as the average risk of its records.

    Algorithms that judge one group at a time aim at ``on_groups``, which is stricter than the model. Full-domain
    searches need only the model itself: they suppress classes, the smallest first, until it holds (``keep``).
    """

    reads: ClassVar[Literal["classes", "pools"]] = "classes"

    needs_rows: ClassVar[bool] = False
    """Whether ``keep`` uses ``Node.ids``."""

    @property
    @abstractmethod
    def on_groups(self) -> GroupModel:
        """A condition on every class that implies the model, whatever else is published."""

    @property
    def survives_blocks(self) -> bool:
        """True if the condition on every class survives unions, and counts suffice to judge the whole."""
        return self.judges_counts and self.on_groups.survives_union

    def is_upward(self, *, suppressing: bool) -> bool:
        """Whether every node above one that satisfies the model within the suppression limit is known to do so too."""
        return False

    @abstractmethod
    def keep(self, node: Node, order: Codes) -> Flags:
        """Which of the node's kept classes may stay; the others are suppressed in this order, as few as necessary.

        ``order`` lists the kept classes in the order of suppression, first to last.
        """

    judges_counts: ClassVar[bool] = False
    """Whether it has ``judge_counts``, so that records that are never all in memory can be judged."""

    def judge_counts(self, table: Table, count: CountGroups) -> Verdict:
        """Like ``check``, using only how many records and people agree on some of the table's quasi-identifiers."""
        raise NotImplementedError(f"{self.name} wants to see the records")


class Metric(CheckedFields, ABC):
    """A measure of information loss; smaller is better.

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
    """Whether ``node_score`` uses ``Node.ids``."""

    @abstractmethod
    def score(self, release: Release) -> float:
        """The loss of a release; suppressed rows count as lost."""

    def node_score(self, node: Node) -> float:
        """The loss of the release published at a node, with the classes that are not kept suppressed."""
        raise InputError(f"The metric {self.name!r} cannot judge nodes of a lattice; choose another metric.")

    def node_key(self, node: Node) -> tuple[float, ...]:
        """The key that a search compares, lexicographically; smaller is better."""
        return (self.node_score(node),)

    def node_floor(self, node: Node) -> tuple[float, ...]:
        """A lower bound on the key of this node and of every node above it, whatever is suppressed there."""
        return tuple(self.node_bounds(node.table, np.array([node.levels], np.int32))[0])

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """``node_floor`` from the levels alone: ``levels[node, column]`` in, ``bounds[node, entry of the key]`` out."""
        return np.zeros((levels.shape[0], 1))


class PriceMetric(Metric):
    """A loss computed from the mean price that the rows pay in each column.

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
        """The prices of suppressed rows, from ``prices[level, leaf]`` that they would pay if they were published.

        A row of a full-domain release would be published at the release's level, any other row on level 0. The extra
        cost of suppression is the same for all leaves of a node.
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
        """The prices of all levels, computed once per table."""
        return once(table, self, lambda: LevelPrices.of(table, self.level_prices, self.suppressed_prices))

    def node_score(self, node: Node) -> float:
        """Like ``score``, from the classes of a node. O(classes + suppressed classes · columns)."""
        return float(self.combine(self.prices_on(node.table).losses(node), node.table))

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """The least that each column can lose, combined, and a hair less for rounding. O(nodes · columns)."""
        return self.combine(self.prices_on(table).bounds(levels), table)[:, None] * (1 - 1e-12)


class CellMetric(PriceMetric):
    """A loss that is a mean over cells, each priced between 0 (exact) and 1 (suppressed) whoever owns it.

    The price of a set of values depends only on their number.
    """

    def suppressed_prices(self, column: QuasiColumn, prices: Floats) -> Floats:
        """The maximal price, 1."""
        return np.ones_like(prices)

    def combine(self, losses: Floats, table: Table) -> Floats:
        """The mean of the losses, weighted by the importance of the columns."""
        weights = table.weights
        return np.asarray(losses @ weights / max(weights.sum(), np.finfo(float).tiny))


@dataclass(frozen=True)
class Goal:
    """The privacy models that a release must satisfy, and the information-loss metric to minimize."""

    promises: tuple[PrivacyModel, ...]
    metric: Metric
    suppression_limit: Limit = 0.0
    """The rows that may be suppressed: a share of them, or a number as in ``"29 rows"``."""

    def __post_init__(self) -> None:
        if not self.promises:
            raise InputError("No promise was asked for; give at least one, such as k = 5.")
        object.__setattr__(self, "suppression_limit", parse_limit(self.suppression_limit))

    def most_suppressed(self, n_rows: int) -> int:
        """How many rows of a table of ``n_rows`` may be suppressed."""
        return rows_allowed(self.suppression_limit, n_rows)

    def for_parts(self, n_rows: int) -> Goal:
        """The same goal for parts of a table of ``n_rows``: together they suppress no more rows than it allows."""
        if isinstance(self.suppression_limit, float):
            return self
        return replace(self, suppression_limit=self.most_suppressed(n_rows) / max(1, n_rows))

    def about(self, table: Table, population: int | None) -> Goal:
        """The same goal with every model adapted to this table: see ``PrivacyModel.about``."""
        return replace(self, promises=tuple(promise.about(table, population) for promise in self.promises))

    def of_people(self) -> Goal:
        """The same goal with every model counting people: see ``PrivacyModel.of_people``."""
        return replace(self, promises=tuple(promise.of_people() for promise in self.promises))

    @property
    def group_models(self) -> tuple[GroupModel, ...]:
        """The conditions on groups that imply the models, for those models that have one."""
        return tuple(model for p in self.promises if (model := p.on_groups) is not None)

    @property
    def class_models(self) -> tuple[GroupModel, ...]:
        """The models that are themselves conditions on groups."""
        return tuple(p for p in self.promises if isinstance(p, GroupModel))

    @property
    def release_models(self) -> tuple[ReleaseModel, ...]:
        """The models about all classes together."""
        return tuple(p for p in self.promises if isinstance(p, ReleaseModel))

    @property
    def floor(self) -> int:
        """A lower bound on the size of a group that satisfies all models."""
        return max((model.floor for model in self.group_models), default=1)

    @property
    def is_about_size(self) -> bool:
        """Whether a group satisfies all models exactly if it has at least ``floor`` rows."""
        return all(model.is_about_size for model in self.group_models)

    @property
    def is_about_people(self) -> bool:
        """Whether a group satisfies all models exactly if it has rows of at least ``floor`` different people."""
        return all(model.is_about_people for model in self.group_models)

    def accepts(self, table: Table, groups: Groups) -> Flags:
        """Which groups satisfy every condition on groups. O(members · models)."""
        return all_accept(self.group_models, table, groups)


def all_accept(models: Iterable[GroupModel], table: Table, groups: Groups) -> Flags:
    """Which groups satisfy every one of these models."""
    fine = np.ones(len(groups), bool)
    for model in models:
        fine &= model.accepts(table, groups)
    return fine


@dataclass(frozen=True)
class AtMostSuppressed(Claim):
    """At most ``rows`` rows are suppressed, and none is published twice: a claim of every algorithm."""

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


class Algorithm(CheckedFields, ABC):
    """Makes a release of a table that meets a goal."""

    name: ClassVar[str]
    summary: ClassVar[str]
    serves: ClassVar[tuple[type[PrivacyModel], ...]]
    """The kinds of privacy models it can satisfy."""

    asks_about_cells: ClassVar[bool] = False
    """Whether the groups it has judged are published with exactly the cells they were judged with."""

    is_local: ClassVar[bool] = False
    """Whether any partition into groups with their own cells could be its result, so that a refinement may follow."""

    suppresses: ClassVar[bool] = False
    """Whether it uses the suppression limit itself; a local algorithm that does not leaves that to a refinement."""

    is_global: ClassVar[bool] = False
    """Whether it searches one recoding for all rows, so that it cannot be run on blocks of them."""

    works_on_counts: ClassVar[bool] = False
    """Whether distinct rows with their counts (``CountedTable``) suffice to find that recoding: see ``levels_for``."""

    makes_buckets: ClassVar[bool] = False
    """Whether its releases consist of two tables joined by buckets."""

    matches_are_fits: ClassVar[bool] = False
    """Whether its releases list all rows that fit as matches, not only those among which owners were drawn."""

    keeps_people_together: ClassVar[bool] = False
    """Whether it considers all rows of a person at once, so that blocks must never split a person's rows."""

    draws_owners: ClassVar[bool] = False
    """Whether its releases list the rows among which the owner of each record was drawn."""

    def looks_across(self, promise: PrivacyModel) -> bool:
        """Whether a model judges matches of its releases to which other blocks of a table may add."""
        if not isinstance(promise, GroupModel) or promise.reads != "pools":
            return False
        return self.matches_are_fits or (self.draws_owners and promise.reads_printed)

    def refuse(self, table: Table, goal: Goal) -> None:
        """Raise InputError if this algorithm cannot meet the goal on this table."""
        for promise in goal.promises:
            about_cells = isinstance(promise, GroupModel) and promise.judges_cells
            if not self.can_serve(promise) or (about_cells and not self.asks_about_cells):
                raise InputError(f"The algorithm {self.name!r} cannot promise {promise}; choose another algorithm.")

    def can_serve(self, promise: PrivacyModel) -> bool:
        """Whether it can satisfy a model: one it serves, or one implied by a condition on groups if it serves those."""
        return isinstance(promise, self.serves) or (GroupModel in self.serves and promise.on_groups is not None)

    def levels_for(self, table: Table, goal: Goal, progress: Progress) -> tuple[tuple[int, ...], str]:
        """One hierarchy level per column, and a sentence on the search for them; only where it ``works_on_counts``."""
        raise NotImplementedError(f"{self.name} does not search for levels on counts")

    def refuse_blocks(self, goal: Goal) -> None:
        """Raise InputError if making each block by itself might break its own guarantees for this goal.

        The goal's models need no check here, because unions are checked for them.
        """

    def claims(self, table: Table, goal: Goal) -> tuple[Claim, ...]:
        """Its guarantees about every release made for this goal; ``Release.claims`` has those of a single release.

        Each is judged by ``Claim.check`` on the printed table, and nothing is written if one fails.
        """
        return (AtMostSuppressed(goal.most_suppressed(table.n_rows)),)

    @abstractmethod
    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Make the release. Deterministic given ``randomness``."""


def inner_algorithm(said: str | Mapping[str, Any] | Algorithm) -> Algorithm:
    """The algorithm itself, or the one of that name and options, as in ``mondrian:relaxed``, to run inside another.

    It is looked up on use, because algorithms do not import each other.
    """
    return said if isinstance(said, Algorithm) else build("algorithm", said, family_of("shoal.algorithms"))
