"""The interface of backends, and the outcome of runs whose release is not in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

import polars as pl

from shoal.core.contracts import Algorithm, Goal, Verdict
from shoal.core.schema import Schema
from shoal.core.table import QuasiColumn, Table
from shoal.engine.datapackage import Described
from shoal.engine.plan import Plan, Request
from shoal.engine.record import names_beside, run_record
from shoal.engine.targets import describes
from shoal.engine.words import Where
from shoal.io.location import Location
from shoal.io.preparation import Preparation
from shoal.report.as_it_is import AsItIs
from shoal.report.published import PolicyFollowed

Made_co = TypeVar("Made_co", covariant=True)


class Backend(Protocol[Made_co]):
    """A place where runs happen. ``running.run`` calls its methods in this order."""

    @property
    def where(self) -> Where:
        """Which backend it is; settings say on which they apply."""

    def read(self, request: Request) -> Request:
        """Open and examine the rows; returns the request adapted to this table."""

    def table(self, request: Request) -> Table:
        """The table that a plan is made for: the coded rows, or counts of rows that are elsewhere."""

    def publish(self, plan: Plan, request: Request) -> Made_co:
        """Make the release, check it, and write it where the backend keeps it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """The result of a run whose release is not in memory but in a file, in a folder, or on a cluster.

    ``frame`` is the Spark DataFrame, if any, kept on the cluster's disks until ``frame.unpersist()``. What a backend
    does not compute is None or empty. ``as_it_is`` names the columns without a recoding and counts the records that are
    unique with them. ``cells`` has the forms of columns that are not printed as labels, ``printed`` the columns that
    each became, ``codebook`` the meaning of codes, and ``tables`` the suffixes of the release's files, of which the
    first is empty. ``package`` is the path of the data package, if any.
    """

    verdicts: tuple[Verdict, ...]
    losses: dict[str, float]
    n_rows: int
    n_records: int
    algorithm: Algorithm
    reason: str
    goal: Goal
    schema: Schema = field(repr=False)
    quasi: tuple[QuasiColumn, ...] = field(default=(), repr=False)
    published: tuple[str, ...] = field(default=(), repr=False)
    levels: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict, repr=False)
    seed: int | None = field(default=None, repr=False)
    policy: PolicyFollowed | None = None
    target: str = ""
    frame: Any = field(default=None, repr=False)
    n_classes: int | None = None
    smallest_class: int | None = None
    peak_memory: int | None = None
    risks: dict[str, float] = field(default_factory=dict)
    cells: Mapping[str, str] = field(default_factory=dict)
    printed: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    codebook: pl.DataFrame | None = field(default=None, repr=False)
    tables: tuple[str, ...] = ("",)
    preparation: Preparation = field(default_factory=Preparation)
    as_it_is: AsItIs | None = None
    package: Path | None = None

    @property
    def figures(self) -> dict[str, str]:
        """Further figures to show, as texts."""
        told = {f"Chance of finding a person, {name}": f"{risk:.4g}" for name, risk in self.risks.items()}
        if self.n_classes is not None:
            told["Classes"] = f"{self.n_classes:,}, the smallest of {self.smallest_class:,} records"
        if self.peak_memory is not None:
            told["Peak memory"] = f"{self.peak_memory / (1 << 30):.2f} GiB"
        return told

    @property
    def told(self) -> list[str]:
        """One sentence about each file that was written."""
        stem, dot, ending = self.target.rpartition(".")
        others = {name: f"{stem}.{name}{dot}{ending}" for name in self.tables if name}
        more = (
            f"{path} is {'its codebook' if name == 'codes' else 'another draw of the same table'}."
            for name, path in others.items()
        )
        described = [] if self.package is None else [describes(self.package)]
        return [f"{self.target} is the release.", *more, *described]

    @property
    def described(self) -> Described:
        """The facts about the columns for the data package."""
        return Described(
            schema=self.schema, quasi=self.quasi, published=self.published, preparation=self.preparation,
            printed=self.printed, forms=self.cells, levels=self.levels,
        )  # fmt: skip

    def record(self, source: Location, written: Location, path: Path | None = None) -> str:
        """The private run record; ``path`` is where the file is before it gets its final name."""
        more = {} if self.peak_memory is None else {"peak_memory": self.peak_memory}
        return run_record(
            self, source, written, path, seed=self.seed, levels=self.levels, losses=self.losses, rows=self.n_rows,
            records=self.n_records, preparation=self.preparation.recorded(), cells=dict(self.cells),
            beside=names_beside(written, self.tables, self.package), **more,
        )  # fmt: skip
