"""The report for the terminal and for plain text files."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from shoal.audit.findings import Audit
from shoal.report import audit_grids, grids
from shoal.report.audit_wording import COUNSEL, LIMITS, OUTCOMES, audit_headline, what_is_known
from shoal.report.before_after import before_after_table
from shoal.report.figures import cut
from shoal.report.grids import Bad, Good, Grid
from shoal.report.published import PublicSummary
from shoal.report.summary import Summary
from shoal.report.wording import (
    INTERNAL,
    PUBLIC,
    headline,
    how_classes_spread,
    how_near_the_best,
    loss_headline,
    what_it_was_before,
    what_promises_mean,
    what_was_suppressed,
)


def render_text(summary: Summary, *, public: bool = False) -> RenderableType:
    """The report as a renderable of rich. The public one is built from ``summary.public()`` alone."""
    return Group(*spaced(public_text(summary.public()) if public else internal_text(summary)))


def render_plain(summary: Summary, *, public: bool = False, width: int = 110) -> str:
    """The same without colors, for a file."""
    return without_colors([render_text(summary, public=public)], width)


def without_colors(parts: Iterable[RenderableType], width: int) -> str:
    """What rich prints, as plain text of this width."""
    console = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def public_text(seen: PublicSummary) -> list[RenderableType]:
    """The parts of the report that may accompany the release."""
    return [
        Text(headline(seen), "bold"),
        Text(PUBLIC, "dim"),
        *_tables([grids.promises(seen)]),
        *map(Text, what_promises_mean(seen)),
        *_tables([grids.risks(None, seen.risk)]),
        Text(how_classes_spread(seen.risk)),
        *_tables([grids.sample(seen), *grids.worst_classes(seen), grids.prepared(seen), grids.making(seen)]),
    ]


def internal_text(summary: Summary) -> list[RenderableType]:
    """The parts of the report for the data owner."""
    seen, before = summary.public(), summary.before
    return [
        Text(headline(seen) + loss_headline(summary), "bold"),
        Text(INTERNAL, "red"),
        *_tables([grids.checked_promises(summary)]),
        *map(Text, what_promises_mean(seen)),
        *([Text(what_it_was_before(before, seen.risk))] if before else []),
        *_tables([grids.risks(before, seen.risk)]),
        Text(how_classes_spread(seen.risk)),
        *_audit(summary.audit, summary.not_audited),
        *_tables([grids.losses(summary)]),
        Text(what_was_suppressed(summary.n_suppressed, summary.n_rows, summary.suppression_limit)),
        *map(Text, how_near_the_best(summary)),
        *_tables([grids.claims(summary), grids.column_losses(summary), grids.sample(seen)]),
        *([before_after_table(summary.pairs, summary.run.identifiers)] if summary.pairs else []),
        *_tables(
            [*grids.worst_classes(seen), grids.prepared(seen), grids.making(seen), grids.internal_making(summary)]
        ),
    ]


def _audit(found: Audit | None, not_audited: str) -> list[RenderableType]:
    """The results of the attacks, or why there was no audit."""
    if found is None:
        return [Text(not_audited, "red")] if not_audited else []
    shown = [*audit_grids.by_outcome(found), *audit_grids.figures_grids(found), audit_grids.asked_for(found)]
    said = [Text(audit_headline(found), "bold"), Text(what_is_known(found)), Text(OUTCOMES)]
    return [*said, *_tables(shown), Text(COUNSEL), Text(LIMITS, "dim")]


def rich_table(grid: Grid) -> Table:
    """Convert a grid to a rich table. Every cell is a Text, because rich would interpret ``[low..high]`` as markup."""
    table = Table(title=Text(grid.caption), title_justify="left", title_style="bold")
    for i, head in enumerate(grid.heads):
        right = i in frozenset(grid.numeric)
        lines = "\n".join(cut(line, 24) for line in head.split("\n"))
        table.add_column(Text(lines), justify="right" if right else "left", no_wrap=right)
    for row in grid.rows:
        table.add_row(*map(_toned, row))
    return table


def _tables(shown: Iterable[Grid]) -> list[Table]:
    return [rich_table(grid) for grid in shown if grid.rows]


def _toned(text: str) -> Text:
    return Text(text, "green" if isinstance(text, Good) else "bold red" if isinstance(text, Bad) else "")


def spaced(parts: Iterable[RenderableType]) -> list[RenderableType]:
    """An empty line after each part."""
    return [line for part in parts for line in (part, Text())]
