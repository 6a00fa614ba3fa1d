"""An audit for the terminal, for programs, and as a page or a section of the report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import StringIO

from rich.console import Console, RenderableType
from rich.text import Text

from shoal.audit.findings import Audit
from shoal.report import audit_grids
from shoal.report.audit_wording import INTERNAL, LIMITS, audit_headline, what_is_known
from shoal.report.grids import Grid
from shoal.report.html_edition import _page as page
from shoal.report.markup import Markup, element, join
from shoal.report.sections import paragraphs, section, table
from shoal.report.text_edition import rich_table


def audit_parts(found: Audit) -> list[RenderableType]:
    """What the terminal shows."""
    style = "bold red" if found.falling else "bold green"
    grids = [audit_grids.attacks(found), audit_grids.not_run(found), *_figures(found)]
    return [
        Text(audit_headline(found), style),
        Text(what_is_known(found)),
        *(rich_table(grid) for grid in grids if grid.rows),
        Text(LIMITS, "dim"),
    ]


def render_audit_text(found: Audit, width: int = 120) -> str:
    """The same without colours, for a file."""
    console = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        for part in audit_parts(found):
            console.print(part)
            console.print()
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def render_audit_json(found: Audit) -> str:
    """All fields."""
    return json.dumps(found.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def render_audit_html(found: Audit) -> str:
    """A page of its own."""
    return page(audit_headline(found), element("p", INTERNAL, class_="note secret"), *audit_sections(found))


def audit_sections(found: Audit) -> list[Markup]:
    """The sections that an internal report has about an audit."""
    grids = audit_grids
    return [
        section(
            "What an adversary gets",
            paragraphs([audit_headline(found), what_is_known(found)]),
            table(grids.attacks(found)),
            table(grids.not_run(found)),
            table(grids.stories(found)),
            paragraphs([LIMITS]),
        ),
        section("Figures of risk", join(table(grid) for grid in _figures(found)), table(grids.asked_for())),
    ]


def _figures(found: Audit) -> Sequence[Grid]:
    figures = found.figures
    return [
        audit_grids.exposures(figures),
        audit_grids.classes(figures),
        audit_grids.diversity(figures),
        audit_grids.opinion(found),
    ]
