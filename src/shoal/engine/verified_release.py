"""A verified release, how it was made, and its reports."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal import algorithms, metrics
from shoal.algorithms.best import Best
from shoal.algorithms.clustering import Refined
from shoal.core.contracts import Algorithm, CellMetric, Goal, Verdict
from shoal.core.node import chosen_levels
from shoal.core.plugins import attribute_at
from shoal.core.release import ClaimVerdict, Release
from shoal.core.schema import Schema
from shoal.engine.algorithm_choice import Choice
from shoal.engine.datapackage import Described
from shoal.engine.release_check import Beside
from shoal.engine.source import Loaded
from shoal.io.cell_forms.printing import Printed, drawn_tables
from shoal.io.encode import without_missing
from shoal.io.inspect.person_keys import columns_that_tell, person_keys
from shoal.io.location import Location
from shoal.io.place import place_at
from shoal.io.preparation import Preparation
from shoal.report.as_it_is import AsItIs
from shoal.report.published import PolicyFollowed
from shoal.report.summary import RunFacts, Summary, summarize

if TYPE_CHECKING:
    from shoal.algorithms.lattice.exploration import Exploration
    from shoal.algorithms.relaxation import Floor
    from shoal.audit.findings import Audit
    from shoal.engine.held_rows import Held

_RENDERERS = {
    ".html": "shoal.report.html_edition:render_html",
    ".json": "shoal.report.json_edition:render_json",
    ".txt": "shoal.report.text_edition:render_plain",
}
"""The renderers of reports, by the ending of the file."""


@dataclass(frozen=True, eq=False)
class VerifiedRelease:
    """A verified release: the table to publish, the promises it keeps, and its information loss.

    ``frame`` and everything that ``write`` and the public report put into files may be published; ``release`` has the
    owner of every record and must not be. ``values`` is the second table of a release in buckets. ``audited`` is the
    audit that was run when it was made, or ``not_audited`` says why there was none; ``claims`` are the verdicts on the
    algorithm's own guarantees. ``beside`` has the original key of each record's person and its sample weight, if these
    count, and must not be published; nor must ``before``: original ids and dates that are published as pseudonyms or
    shifted. ``as_it_is`` names the columns without a recoding and counts the records that are unique with them.
    ``missing_codes`` has, for columns of SPSS, Stata or SAS files that are published unchanged, the code of each
    record's missing value, which is written to such files.
    """

    release: Release = field(repr=False)
    frame: pl.DataFrame = field(repr=False)
    verdicts: tuple[Verdict, ...]
    goal: Goal
    choice: Choice
    schema: Schema = field(repr=False)
    notes: tuple[str, ...]
    seconds: dict[str, float] = field(repr=False)
    source: Loaded = field(repr=False)
    seed: int | None = field(default=None, repr=False)
    floor: Floor | None = None
    claims: tuple[ClaimVerdict, ...] = ()
    audited: Audit | None = field(default=None, repr=False)
    not_audited: str = field(default="", repr=False)
    values: pl.DataFrame | None = field(default=None, repr=False)
    waiting: Held | None = field(default=None, repr=False)
    printed: Printed | None = field(default=None, repr=False)
    beside: Beside = field(default_factory=Beside, repr=False)
    policy: PolicyFollowed | None = None
    preparation: Preparation = field(default_factory=Preparation)
    before: pl.DataFrame | None = field(default=None, repr=False)
    as_it_is: AsItIs | None = field(default=None, repr=False)
    missing_codes: Mapping[str, pl.Series] = field(default_factory=dict, repr=False)

    @property
    def keys(self) -> pl.Series | None:
        """The original key of each record's person, if people are counted."""
        return self.beside.keys

    @cached_property
    def likely_keys(self) -> pl.Series | None:
        """The identifier or pseudonym that looks most like a person's key, row by row; None if no column does.

        Asked for once, for the note and for the audit: it looks at every row. O(rows · columns).
        """
        frame, _, _ = without_missing(self.source.frame, self.schema)
        if frame.height != self.release.table.n_rows:
            return None
        keys, known = columns_that_tell(self.schema, self.preparation.secrets, frame.columns)
        found = person_keys(frame.select(known), keys)
        return frame[found[0].name] if found else None

    @property
    def shows_people(self) -> bool:
        """Whether a published pseudonym links the records of each person."""
        return self.schema.person is not None and self.schema.person in self.frame.columns

    @property
    def held(self) -> pl.DataFrame | None:
        """The original rows that ``shoal.apply`` held back; None if it was not asked to hold any."""
        return None if self.waiting is None else self.waiting.rows

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm that made the release."""
        return self.choice.algorithm

    @property
    def formed(self) -> dict[str, str]:
        """The quasi-identifiers that are not printed as labels, and their forms."""
        return {} if self.printed is None else dict(self.printed.forms)

    @property
    def described(self) -> Described:
        """The description of the columns in the data package."""
        table = self.release.table
        means = [c.name for c, cells in zip(table.quasi, self.release.cells, strict=True) if cells.printed is not None]
        printed = {} if self.printed is None else self.printed.columns
        return Described(
            schema=self.schema, quasi=table.quasi, published=table.order, preparation=self.preparation, printed=printed,
            forms=self.formed, levels=chosen_levels(self.release), aggregated=means,
        )  # fmt: skip

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """All tables to publish, by the suffix of their file names; the release itself has none.

        The others are further draws of sampled cells, the sensitive values of buckets, and the codebook of codes.
        """
        drawn = {"": self.frame} if self.printed is None else dict(drawn_tables(self.printed))
        values = {} if self.values is None else {"sensitive": self.values}
        codebook = None if self.printed is None else self.printed.codebook
        return {**drawn, **values, **({} if codebook is None else {"codes": codebook})}

    def to_frame(self) -> Any:
        """The published table, as the kind of frame that was given (polars for a path)."""
        return self.source.restore(self.tables[""])

    def to_frames(self) -> tuple[Any, ...]:
        """All tables to publish: one, or also further draws, the sensitive values of buckets, the codebook."""
        return tuple(self.source.restore(frame) for frame in self.tables.values())

    def metrics(self) -> dict[str, float]:
        """The information loss by every metric."""
        return {name: metric().score(self.release) for name, metric in metrics.ALL.items()}

    def losses(self) -> dict[str, float]:
        """The information loss by the metrics that reports show and by the metric of the goal."""
        shown = {name: metrics.ALL[name]() for name in metrics.HEADLINE} | {self.goal.metric.name: self.goal.metric}
        return {name: metric.score(self.release) for name, metric in shown.items()}

    def loss_by_column(self, metric: CellMetric | None = None) -> dict[str, float]:
        """The information loss of each quasi-identifier, by LM or the metric given."""
        losses = (metric or metrics.LM()).by_column(self.release)
        return {column.name: float(loss) for column, loss in zip(self.release.table.quasi, losses, strict=True)}

    @cached_property
    def exploration(self) -> Exploration:
        """Every node of the lattice (one level per column) with its loss and risk. May take a while.

        Raises:
            InputError: the metric cannot judge nodes, or the lattice has more than a million of them.
        """
        lattice = algorithms.Lattice()
        lattice.refuse(self.release.table, self.goal)
        return lattice.explore(self.release.table, self.goal)

    def summary(self, *, explore: bool = False) -> Summary:
        """The content of the reports, computed once; with ``explore``, also the other nodes of the lattice."""
        if not explore:
            return self._summary
        from shoal.engine.solution_space import solutions  # imported here and below only when needed

        chosen = chosen_levels(self.release)
        return replace(self._summary, solutions=solutions(self.exploration, chosen, self.goal.metric.name))

    @cached_property
    def _summary(self) -> Summary:
        return summarize(
            self.release,
            self.frame,
            self.verdicts,
            goal=self.goal,
            run=RunFacts(
                algorithm=self.choice.algorithm.name,
                reason=self.choice.reason,
                parameters=options_of(self.choice.algorithm),
                seconds=self.seconds,
                versions=versions(),
                source=place_at(self.source.place).name if self.source.place else "",
                identifiers=(*self.schema.identifiers, *filter(None, (self.schema.person, self.schema.sample_weight))),
                policy=self.policy,
            ),
            scores=self.losses(),
            column_losses={metric.name: metric.by_column(self.release) for metric in (metrics.LM(), metrics.GCP())},
            audit=self.audited,
            not_audited=self.not_audited,
            floor=self.floor,
            claims=self.claims,
            prepared=self.preparation,
            as_it_is=self.as_it_is,
        )

    def rendered(self, target: Path, *, public: bool = False, explore: bool = False) -> str:
        """The text of a report, in the format given by the ending of ``target``."""
        render: Callable[..., str] = attribute_at(_RENDERERS[target.suffix.lower()])
        return render(self.summary(explore=explore and not public), public=public)

    def _repr_html_(self) -> str:
        """For notebooks: promises, loss, and a few records as published."""
        from shoal.report.html_edition import notebook_view

        return notebook_view(self.summary())

    @property
    def inputs(self) -> list[Location]:
        """The files or database tables that the release was made from; none for a frame."""
        return [self.source.place] if self.source.place else []


def versions() -> dict[str, str]:
    """The versions that a result may depend on."""
    packages = ("shoal", "numba", "numpy", "polars", "pyarrow")
    return {"python": platform.python_version(), **{package: version(package) for package in packages}}


def options_of(plug_in: object) -> dict[str, Any]:
    """The parameters of an algorithm or a model; for a refined one, those of its start and of its refinements."""
    if isinstance(plug_in, Best):
        return {"candidates": [{"name": one.name, **options_of(one)} for one in plug_in.candidates]}
    if isinstance(plug_in, Refined):
        followed = [{"name": refinement.name, **options_of(refinement)} for refinement in plug_in.refinements]
        return {**options_of(plug_in.start), "refine": followed, "refine_seconds": plug_in.seconds}
    if not is_dataclass(plug_in) or isinstance(plug_in, type):
        return {}
    said = [one.name for one in fields(plug_in) if one.init]
    return {name: value for name, value in asdict(plug_in).items() if name in said and not callable(value)}
