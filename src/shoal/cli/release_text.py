"""The output about a release: privacy models, risks, losses, and rows before and after."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from shoal.cli.output_mode import Shown, show, show_data, show_json
from shoal.engine.backends.contract import Outcome
from shoal.engine.result import Result
from shoal.engine.targets import Targets
from shoal.report import grids
from shoal.report.audit_wording import audit_headline
from shoal.report.before_after import before_after_table
from shoal.report.figures import figure, seconds
from shoal.report.grids import Grid, verdict_grid
from shoal.report.json_edition import render_json
from shoal.report.summary import Summary
from shoal.report.text_edition import rich_table
from shoal.report.wording import headline, how_near_the_best, what_it_was_before, what_was_suppressed

if TYPE_CHECKING:
    from shoal.engine.linked.result import LinkedRelease


def show_run(result: Result | Outcome, shown: Shown, targets: Targets) -> None:
    """Print the result of a run and the files it wrote."""
    if not isinstance(result, Result):
        show_outcome(result, shown)
        return
    show_release(result, shown)
    shown.notes(targets.told(result.tables))


def show_release(result: Result, shown: Shown) -> None:
    """Print the figures of a release in the requested form."""
    shown.notes(result.notes)
    if shown.json:
        show_data(render_json(result.summary()))
    if shown.for_people:
        show(*_parts(result, result.summary()))


def _parts(result: Result, summary: Summary) -> list[RenderableType]:
    seen, before = summary.public(), summary.before
    spent = sum(result.seconds.values())
    algorithm = result.choice.algorithm
    return [
        Text(f"{headline(seen)}, by {algorithm.name} in {seconds(spent)}.", "bold"),
        *([Text(f"{result.choice.reason}.")] if result.choice.is_automatic else []),
        *([Text(f"Policy: {result.policy.told}.")] if result.policy else []),
        rich_table(verdict_grid(result.verdicts)),
        *([before_after_table(summary.pairs, summary.run.identifiers)] if summary.pairs else []),
        rich_table(grids.risks(before, seen.risk)),
        *([Text(what_it_was_before(before, seen.risk))] if before else []),
        rich_table(grids.losses(summary)),
        Text(what_was_suppressed(summary.n_suppressed, summary.n_rows, summary.suppression_limit)),
        *map(Text, how_near_the_best(summary)),
        rich_table(grids.claims(summary)),
        Text(audit_headline(summary.audit) if summary.audit else summary.not_audited),
    ]


def show_linked(release: LinkedRelease, shown: Shown) -> None:
    """Print the result of a run on linked tables: privacy models, and the loss of each table."""
    shown.notes(release.notes)
    losses = release.losses()
    if shown.json:
        show_json(release.figures())
    if shown.for_people:
        metric = release.goal.metric.name
        rows = [
            [name, f"{one.release.table.n_rows:,}", f"{one.release.n_records:,}", figure(losses[name])]
            for name, one in release.tables.items()
        ]
        show(
            Text(f"{len(release.tables)} tables published with fresh keys in {seconds(release.seconds)}.", "bold"),
            *([Text(f"Policy: {release.policy.told}.")] if release.policy else []),
            rich_table(verdict_grid(release.verdicts)),
            rich_table(Grid("Tables", ["Table", "Rows", "Records", metric], rows, (1, 2, 3))),
            Text(
                f"{release.n_suppressed:,} of {release.n_rows:,} rows left out, {release.n_unusual:,} of them because "
                "too few people have that many rows."
            ),
        )
    shown.notes(f"{one.words.output} is the release of {name}." for name, one in release.tables.items())


def show_outcome(outcome: Outcome, shown: Shown) -> None:
    """Print privacy models, losses and figures, as text or as JSON."""
    shown.notes(outcome.notes)
    if shown.json:
        told = ("target", "losses", "n_rows", "n_records", "levels", "seconds", "notes", "figures")
        verdicts = [asdict(verdict) for verdict in outcome.verdicts]
        for verdict in verdicts:
            del verdict["worst"], verdict["worst_measures"]
        said = {name: getattr(outcome, name) for name in told}
        show_json({**said, "algorithm": outcome.algorithm.name, "verdicts": verdicts})
    if shown.for_people:
        spent = seconds(sum(outcome.seconds.values()))
        rows = [[name, f"{loss:,.4g}"] for name, loss in outcome.losses.items()]
        rows += [[name, text] for name, text in outcome.figures.items()]
        if outcome.levels is not None:
            rows.append(["Levels", "/".join(map(str, outcome.levels))])
        show(
            Text(
                f"{outcome.n_records:,} of {outcome.n_rows:,} rows published, by {outcome.algorithm.name} in {spent}.",
                "bold",
            ),
            rich_table(verdict_grid(outcome.verdicts)),
            rich_table(Grid("Figures", ["What", "Value"], rows, (1,))),
        )
    shown.notes(outcome.told)
