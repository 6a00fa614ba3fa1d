"""What ``anonymize`` gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal import metrics
from shoal.algorithms.floor import Floor
from shoal.algorithms.lattice import Lattice
from shoal.algorithms.lattice.exploration import Exploration
from shoal.core.contracts import CellMetric, Goal, Verdict
from shoal.core.release import ClaimVerdict, Release
from shoal.core.schema import Schema
from shoal.engine.choice import Choice
from shoal.engine.exploring import solutions
from shoal.engine.levels import chosen_levels
from shoal.engine.record import options_of, versions
from shoal.engine.source import Loaded
from shoal.engine.targets import Targets
from shoal.errors import InputError
from shoal.io.atomic import write_private, write_text
from shoal.io.databases import Address
from shoal.io.places import Place, name_of, place_of
from shoal.report.html_edition import notebook_view, render_html
from shoal.report.json_edition import render_json
from shoal.report.summary import Run, Summary, summarize
from shoal.report.text_edition import render_plain

if TYPE_CHECKING:
    from shoal.audit.findings import Audit
    from shoal.engine.holding import Held
    from shoal.utility import Utility


@dataclass(frozen=True, eq=False)
class Result:
    """A verified release: the table to publish, what it promises and what it lost.

    ``frame`` and everything that ``write`` and the public report put into files may leave the house; ``release``
    knows the owner of every record and must not. ``values`` is the second table of a release in buckets. ``audited``
    is what the audit found that was run when it was made, or ``not_audited`` why none was; ``claims`` what came of the
    algorithm's own guarantees.
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

    @property
    def held(self) -> pl.DataFrame | None:
        """The rows that ``shoal.apply`` held back, originals and all; None where it was not asked to."""
        return None if self.waiting is None else self.waiting.rows

    def to_frame(self) -> Any:
        """The published table, as the kind of frame that came in (polars where a path was given)."""
        return self.source.restore(self.frame)

    def to_frames(self) -> tuple[Any, ...]:
        """All tables to publish: one, or where values are tied to records by buckets the second one too."""
        return tuple(self.source.restore(frame) for frame in (self.frame, self.values) if frame is not None)

    def metrics(self) -> dict[str, float]:
        """What was lost, by every metric."""
        return {name: metric().score(self.release) for name, metric in metrics.ALL.items()}

    def losses(self) -> dict[str, float]:
        """What was lost, by the metrics that reports show and by the goal's own."""
        shown = {name: metrics.ALL[name]() for name in metrics.HEADLINE} | {self.goal.metric.name: self.goal.metric}
        return {name: metric.score(self.release) for name, metric in shown.items()}

    def usefulness(
        self, target: str | None = None, measures: Sequence[str | Utility] | None = None
    ) -> dict[str, float | None]:
        """How wrong answers from the release are: queries, marginals, pairs, correlations; 0 is best.

        With a ``target``, a column that is published as it is, also how much less a model learns to guess it
        (needs scikit-learn). ``measures`` says which, as in ``["count-queries:dimensions=3"]``; every one unless said.
        None where there is no column to ask about.
        """
        from shoal.engine.usefulness import usefulness_of  # not needed for a release

        return usefulness_of(self.release, target, measures)

    def loss_by_column(self, metric: CellMetric | None = None) -> dict[str, float]:
        """What was lost in each quasi-identifier, by LM unless another metric is given."""
        losses = (metric or metrics.LM()).by_column(self.release)
        return {column.name: float(loss) for column, loss in zip(self.release.table.quasi, losses, strict=True)}

    @cached_property
    def exploration(self) -> Exploration:
        """Every node of the lattice: what publishing one level per column would lose and risk. May take a while.

        Raises:
            InputError: the metric cannot judge nodes, or the lattice has more than a million of them.
        """
        lattice = Lattice()
        lattice.refuse(self.release.table, self.goal)
        return lattice.explore(self.release.table, self.goal)

    def explore(self, target: str | Path) -> None:
        """Write the whole solution space of a full-domain search, one node a row; readable by you alone."""
        Targets(explore=Path(target)).write(self)

    def audit(
        self, *, attacks: Sequence[str] | None = None, thorough: bool = False, population: int | None = None
    ) -> Audit:
        """What an adversary gets out of the release, from its printed labels alone.

        Args:
            attacks: the names of attacks to run, with options as in "corruption:corrupted=3"; all but the slow ones
                where not given.
            thorough: run everything, also what takes minutes.
            population: how many people the rows were drawn from, for estimates of how many of them are unique.
        """
        from shoal.engine.auditing import audit_result  # attacks are only loaded when they are run

        return audit_result(self, attacks=attacks, pace="thorough" if thorough else "usual", population=population)

    def summary(self, *, explore: bool = False) -> Summary:
        """Everything that reports say, worked out once; with ``explore`` also what else could have been published."""
        if not explore:
            return self._summary
        chosen = chosen_levels(self.release)
        return replace(self._summary, solutions=solutions(self.exploration, chosen, self.goal.metric.name))

    @cached_property
    def _summary(self) -> Summary:
        return summarize(
            self.release,
            self.frame,
            self.verdicts,
            goal=self.goal,
            run=Run(
                algorithm=self.choice.algorithm.name,
                reason=self.choice.reason,
                parameters=options_of(self.choice.algorithm),
                seconds=self.seconds,
                versions=versions(),
                source=name_of(self.source.place) if self.source.place else "",
                identifiers=self.schema.identifiers,
            ),
            scores=self.losses(),
            column_losses={metric.name: metric.by_column(self.release) for metric in (metrics.LM(), metrics.GCP())},
            audit=self.audited,
            not_audited=self.not_audited,
            floor=self.floor,
            claims=self.claims,
        )

    def report(self, target: str | Path, *, public: bool = False, explore: bool = False) -> None:
        """Write the report as HTML, JSON or text, by the ending of ``target``.

        The public edition says nothing about the original and may leave the house; the other must not, and only
        you may read it. With ``explore`` it also draws the lattice that a full-domain release is chosen from.
        """
        path = Path(target)
        Targets(report=path).check(self.inputs)
        write = write_text if public else write_private
        write(self.rendered(path, public=public, explore=explore), path)

    def rendered(self, target: Path, *, public: bool = False, explore: bool = False) -> str:
        """The text of a report, by the ending of ``target``."""
        render = {".html": render_html, ".json": render_json, ".txt": render_plain}[target.suffix.lower()]
        return render(self.summary(explore=explore and not public), public=public)

    def write(
        self,
        target: str | Path | Address,
        *,
        replace: bool = False,
        folder: str | Path = ".",
        hold: str | Path | None = None,
    ) -> None:
        """Write the release, and the private run record beside it (``name.run.json``, readable by you alone).

        A release in two tables has its second beside the first, as ``name.sensitive.csv``.

        Args:
            target: a file, or a table of a database as in ``postgresql://host/database#table``.
            replace: whether a table that exists may be overwritten; files always are.
            folder: where the record of a table's run goes.
            hold: where the rows that ``shoal.apply`` held back go, with the release or not at all.
        """
        place = target if isinstance(target, Address) else place_of(target)
        where = Targets(output=place, replace=replace, folder=Path(folder))
        where.write(self, None if hold is None else Path(hold))

    def save_recoding(self, target: str | Path) -> None:
        """Write the recoding of a full-domain release, for ``shoal.apply`` on later rows; readable by you alone.

        Raises:
            InputError: the release has not one level per column.
        """
        Targets(save_recoding=Path(target)).write(self)

    def save_held(self, target: str | Path) -> None:
        """Write the rows that ``shoal.apply`` held back, originals and all; readable by you alone."""
        from shoal.engine.holding import write_held  # it imports what imports this

        if self.waiting is None:
            raise InputError("No row was held back; only shoal.apply with hold= does so.")
        write_held(self.waiting, Path(target))

    def _repr_html_(self) -> str:
        """For notebooks: promises, loss, and a few records as published."""
        return notebook_view(self.summary())

    @property
    def inputs(self) -> list[Place]:
        """What the release was made from, where that is not a frame."""
        return [self.source.place] if self.source.place else []
