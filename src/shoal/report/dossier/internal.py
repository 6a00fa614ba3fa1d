"""The internal edition: everything, for the people responsible for the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shoal.audit.findings import Audit
from shoal.report import audit_grids, grids
from shoal.report.audit_wording import COUNSEL, OUTCOMES, audit_headline, what_is_known
from shoal.report.audit_wording import LIMITS as AUDIT_LIMITS
from shoal.report.dossier import sections, threats
from shoal.report.dossier.document import Block, Document, Part
from shoal.report.dossier.forms import answers_grid, intruder_form, sign_off
from shoal.report.dossier.statement import Statement
from shoal.report.dossier.variables import Variable, looked_up_grid, variables_grid
from shoal.report.figures import counted, figure
from shoal.report.grids import Grid
from shoal.report.summary import Summary
from shoal.report.wording import (
    INTERNAL,
    LIMITS,
    headline,
    how_classes_spread,
    how_near_the_best,
    what_it_was_before,
    what_promises_mean,
    what_was_suppressed,
)


@dataclass(frozen=True)
class Facts:
    """Facts about a release besides its summary: its variables, its usefulness, its files and the notes."""

    summary: Summary
    statement: Statement
    variables: Sequence[Variable]
    usefulness: Mapping[str, float | None]
    meanings: Mapping[str, str]
    """The meaning of each measure of usefulness."""
    files: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    written: str = ""


def internal_document(facts: Facts) -> Document:
    """Build all sections."""
    summary, seen = facts.summary, facts.summary.public()
    written = [("Dossier written", facts.written), *facts.files.items()]
    files = Grid("Files", ["What", "Value"], [[name, value] for name, value in written if value])
    parts = [
        Part.of(sections.SUMMARY, f"{headline(seen)}.", what_promises_mean(seen)[:1], grids.checked_promises(summary)),
        Part.of(sections.DATA, answers_grid(facts.statement.answers("release")), _data(facts)),
        Part.of(
            sections.VARIABLES, variables_grid(facts.variables), looked_up_grid(facts.variables), grids.prepared(seen)
        ),
        Part.of(sections.THREATS, threats.models_grid(), threats.assumption(seen)),
        Part.of(
            sections.RISK,
            threats.risk_grid(summary),
            threats.rationale(summary),
            grids.risks(summary.before, seen.risk),
            [what_it_was_before(summary.before, seen.risk)] if summary.before else [],
            how_classes_spread(seen.risk),
        ),
        Part.of(sections.ATTACKS, _attacks(summary.audit, summary.not_audited)),
        Part.of(sections.INTRUDER, intruder_form()),
        Part.of(sections.UTILITY, _utility(facts)),
        Part.of(sections.LIMITS, _limits(facts)),
        Part.of(sections.MAKING, grids.making(seen), grids.internal_making(summary), files),
        Part.of(sections.SIGNING, sign_off(facts.statement)),
    ]
    parts.append(Part.of(sections.ANNEX, sections.annex(parts)))
    return Document(title_of(facts.statement), "internal", INTERNAL, tuple(parts))


def title_of(statement: Statement) -> str:
    """The title of the dossier."""
    return f"Anonymization dossier: {statement.title}" if statement.title else "Anonymization dossier"


def _data(facts: Facts) -> Grid:
    summary = facts.summary
    dropped = sum(not one.n_after for one in facts.variables)
    rows = [
        ["Source", summary.run.source],
        ["Rows", f"{summary.n_rows:,}"],
        ["Records published", f"{summary.published.n_records:,}"],
        ["Variables", f"{len(facts.variables):,}, of which {dropped:,} dropped"],
    ]
    return Grid("The data", ["Fact", "Value"], [row for row in rows if row[1]])


def _attacks(found: Audit | None, not_audited: str) -> list[Block]:
    if found is None:
        return [not_audited or "The release was not audited."]
    return [
        audit_headline(found),
        what_is_known(found),
        OUTCOMES,
        *audit_grids.by_outcome(found),
        audit_grids.not_run(found),
        *audit_grids.figures_grids(found),
        audit_grids.asked_for(found),
        COUNSEL,
    ]


def _utility(facts: Facts) -> list[Block]:
    summary = facts.summary
    rows = [
        [name, "–" if value is None else figure(value), facts.meanings.get(name, "")]
        for name, value in facts.usefulness.items()
    ]
    return [
        grids.losses(summary),
        grids.column_losses(summary),
        Grid(sections.ERRORS, ["Measure", "Error", "Meaning"], rows, (1,)),
        what_was_suppressed(summary.n_suppressed, summary.n_rows, summary.suppression_limit),
        *how_near_the_best(summary),
        grids.claims(summary),
    ]


def _limits(facts: Facts) -> list[Block]:
    noted = Grid("Notes of the run", ["No.", "Note"], [[str(n), text] for n, text in enumerate(facts.notes, 1)])
    falling = facts.summary.audit.falling if facts.summary.audit else ()
    residual = (
        f"{counted(len({risk.attack for risk in falling}), 'attack')} that no promise forbids succeeded. Approving "
        "the release accepts this; otherwise, require more promises."
    )
    return [LIMITS, AUDIT_LIMITS, *([residual] if falling else []), noted]
