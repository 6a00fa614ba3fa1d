"""An audit as text, as JSON, and as an HTML page."""

from __future__ import annotations

import json

from rich.console import RenderableType
from rich.text import Text

from shoal.audit.findings import Audit
from shoal.report import audit_grids
from shoal.report.audit_wording import INTERNAL, LIMITS, audit_headline, what_is_known
from shoal.report.html_edition import page
from shoal.report.markup import element
from shoal.report.sections import audit_sections
from shoal.report.text_edition import rich_table, spaced, without_colors


def audit_parts(found: Audit) -> list[RenderableType]:
    """The parts shown in the terminal."""
    style = "bold red" if found.falling else "bold green"
    grids = [audit_grids.attacks(found), audit_grids.not_run(found), *audit_grids.figures_grids(found)]
    return [
        Text(audit_headline(found), style),
        Text(what_is_known(found)),
        *(rich_table(grid) for grid in grids if grid.rows),
        Text(LIMITS, "dim"),
    ]


def render_audit_text(found: Audit, width: int = 120) -> str:
    """The same without colors, for a file."""
    return without_colors(spaced(audit_parts(found)), width)


def render_audit_json(found: Audit) -> str:
    """All fields as JSON."""
    return json.dumps(found.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def render_audit_html(found: Audit) -> str:
    """The audit as a page."""
    return page(audit_headline(found), element("p", INTERNAL, class_="note secret"), *audit_sections(found))
