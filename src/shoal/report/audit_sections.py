"""The sections about an audit, for the internal report or a separate page."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.audit.findings import Audit
from shoal.report import audit_grids
from shoal.report.audit_wording import LIMITS, OUTCOMES, audit_headline, what_counsel_says, what_is_known
from shoal.report.grids import Grid
from shoal.report.markup import Markup, join
from shoal.report.sections import paragraphs, section, table


def audit_sections(found: Audit | None, not_audited: str = "") -> list[Markup]:
    """The results of the attacks, and the figures to report; without an audit, the reason why."""
    if found is None:
        return [section("Attacks", paragraphs([not_audited]))] if not_audited else []
    return [
        section(
            "Attacks",
            paragraphs([audit_headline(found), what_is_known(found), OUTCOMES]),
            join(map(table, audit_grids.by_outcome(found))),
            table(audit_grids.not_run(found)),
            paragraphs([LIMITS]),
        ),
        section(
            "Risk figures",
            join(map(table, figures_grids(found))),
            table(audit_grids.asked_for(found)),
            paragraphs([what_counsel_says()]),
        ),
    ]


def figures_grids(found: Audit) -> Sequence[Grid]:
    """The tables of the risk figures."""
    figures = found.figures
    return [
        audit_grids.opinion(found),
        audit_grids.exposures(figures),
        audit_grids.classes(figures),
        audit_grids.diversity(figures),
        *([] if figures.sample is None else [audit_grids.sample(figures.sample)]),
        *([] if figures.special is None else [audit_grids.special(figures.special)]),
    ]
