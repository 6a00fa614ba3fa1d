"""The four contracts that plug-ins fulfil: privacy model, metric, algorithm, attack (in ``audit``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from shoal.core.arrays import Flags, Floats
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError


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

    def __str__(self) -> str:
        state = "holds" if self.holds else "DOES NOT HOLD"
        failing = "" if self.holds else f", {self.n_failing:,} of {self.n_groups:,} {self.reads} fail"
        return f"{self.promise} {state}: achieved {self.achieved:g}{failing}"


class PrivacyModel(ABC):
    """A promise about a release."""

    name: ClassVar[str]
    """How job files and messages call it."""

    flag: ClassVar[str]
    """Its command-line option, ``--k`` or ``--l``."""

    summary: ClassVar[str]
    """One line of help."""

    @abstractmethod
    def check(self, release: Release) -> Verdict:
        """Judge any release, however it was made."""

    def refuse(self, table: Table) -> None:  # noqa: B027 (most promises can be kept on any table)
        """Raise ImpossibleGoal where no release of this table could keep the promise."""

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

    def accepts(self, table: Table, groups: Groups) -> Flags:
        """Which groups keep the promise."""
        return self.measure(table, groups) >= self.threshold

    def check(self, release: Release) -> Verdict:
        """Measure every class or pool, as worked out from the cells."""
        groups = release.classes if self.reads == "classes" else release.pools
        measures = self.measure(release.table, groups)
        failing = measures < self.threshold
        order = np.argsort(measures, kind="stable")[:10]
        return Verdict(
            promise=str(self),
            holds=not failing.any(),
            wanted=self.threshold,
            achieved=float(measures.min(initial=np.inf)),
            n_groups=len(groups),
            n_failing=int(failing.sum()),
            worst=tuple(int(g) for g in order),
            worst_measures=tuple(float(measures[g]) for g in order),
            reads=self.reads,
        )


class Metric(ABC):
    """A measure of what was lost; smaller is better."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def score(self, release: Release) -> float:
        """The loss of a release; suppressed rows count as lost."""


class CellMetric(Metric):
    """A loss that is a mean over cells, between 0 (exact) and 1 (suppressed)."""

    @abstractmethod
    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """The price of each distinct cell, between 0 and 1."""

    def by_column(self, release: Release) -> Floats:
        """The mean price in each column, suppressed rows at 1. O(records · columns)."""
        uses = np.bincount(release.shapes, minlength=int(release.shapes.max(initial=-1)) + 1)
        losses = []
        for column, cells in zip(release.table.quasi, release.cells, strict=True):
            paid = float(np.dot(self.price(column, cells)[cells.ids[: uses.size]], uses))
            losses.append((paid + release.n_suppressed) / release.table.n_rows)
        return np.array(losses)

    def score(self, release: Release) -> float:
        """The mean over all cells, columns weighted by their importance."""
        weights = [column.weight for column in release.table.quasi]
        return float(np.average(self.by_column(release), weights=weights))


@dataclass(frozen=True)
class Goal:
    """What a release must keep and what it should lose least of."""

    promises: tuple[PrivacyModel, ...]
    metric: Metric
    suppression_limit: float = 0.0

    def __post_init__(self) -> None:
        if not self.promises:
            raise InputError("No promise was asked for; give at least one, such as k = 5.")
        if not 0.0 <= self.suppression_limit <= 1.0:
            raise InputError(f"suppression_limit must be between 0 and 1, got {self.suppression_limit:g}.")

    @property
    def group_models(self) -> tuple[GroupModel, ...]:
        """The promises that are conditions on groups."""
        return tuple(p for p in self.promises if isinstance(p, GroupModel))

    @property
    def floor(self) -> int:
        """The smallest group that could keep every promise."""
        return max((model.floor for model in self.group_models), default=1)

    def accepts(self, table: Table, groups: Groups) -> Flags:
        """Which groups keep every promise on groups. O(members · models)."""
        fine = np.ones(len(groups), bool)
        for model in self.group_models:
            fine &= model.accepts(table, groups)
        return fine


class Algorithm(ABC):
    """Makes a release of a table that meets a goal."""

    name: ClassVar[str]
    summary: ClassVar[str]
    serves: ClassVar[tuple[type[PrivacyModel], ...]]
    """The kinds of promises it can be asked for."""

    def refuse(self, table: Table, goal: Goal) -> None:
        """Raise InputError where this algorithm cannot serve the goal on this table."""
        for promise in goal.promises:
            if not isinstance(promise, self.serves):
                raise InputError(f"The algorithm {self.name!r} cannot promise {promise}; choose another algorithm.")

    @abstractmethod
    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Make the release. Deterministic given ``randomness``."""
