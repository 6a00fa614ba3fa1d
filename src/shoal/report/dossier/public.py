"""The public edition: what may be told to anybody who has the release, based on the published table alone.

It is built from a ``PublicSummary``, the published table, the steward's public answers, and settings chosen before the
data was seen. It shows no number of people or records below the required class size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from shoal.core.schema import Role
from shoal.report import grids
from shoal.report.audit_wording import LIMITS as AUDIT_LIMITS
from shoal.report.dossier import sections, threats
from shoal.report.dossier.document import Document, Part
from shoal.report.dossier.forms import answers_grid
from shoal.report.dossier.internal import title_of
from shoal.report.dossier.statement import Statement
from shoal.report.dossier.variables import published_variables
from shoal.report.figures import counted
from shoal.report.grids import Grid
from shoal.report.published import PublicSummary
from shoal.report.risk import RecordRisk
from shoal.report.wording import LIMITS, headline, how_classes_spread, what_promises_mean

NOTE = (
    "Public edition. It contains only what follows from the published table, settings chosen before the data was seen, "
    "and statements of the data holder."
)


def public_document(
    seen: PublicSummary,
    frame: pl.DataFrame,
    roles: Mapping[str, Role],
    statement: Statement,
    attacks: Sequence[str] = (),
    hash_: str = "",
    masked: Sequence[str] = (),
) -> Document:
    """Build all sections.

    Args:
        seen: a description of the published table.
        frame: the published table.
        roles: the roles of its columns.
        statement: the steward's answers; only the public ones are used.
        attacks: the names of the attacks that were run.
        hash_: the hash of the published file.
        masked: the columns of free text that were masked.
    """
    tried = f"These attacks were tried before the release was published: {', '.join(attacks)}." if attacks else ""
    results = "Their results are in the internal edition, because they were computed with the original table."
    columns = f"The release has {counted(seen.n_records, 'record')}; its columns are listed in the next section."
    file = [["SHA-256 of the release", hash_]] if hash_ else []
    parts = [
        Part.of(sections.SUMMARY, f"{headline(seen)}.", grids.promises(seen), what_promises_mean(seen)[:1]),
        Part.of(sections.DATA, answers_grid(statement.public_answers()), columns),
        Part.of(sections.VARIABLES, published_variables(frame, roles, masked), grids.prepared(seen)),
        Part.of(sections.THREATS, threats.models_grid(), threats.assumption(seen)),
        Part.of("Risk", shown_risk(seen.risk, seen.asked.class_size or 1), how_classes_spread(seen.risk)),
        Part.of(sections.ATTACKS, [tried, results] if tried else ["No attack was tried."]),
        Part.of(sections.LIMITS, LIMITS, AUDIT_LIMITS),
        Part.of(sections.MAKING, grids.making(seen), Grid("File", ["What", "Value"], file)),
    ]
    return Document(title_of(statement), "public", NOTE, tuple(parts))


def shown_risk(risk: RecordRisk, least: int) -> Grid:
    """The risk figures, with numbers of records below ``least`` hidden."""
    grid = grids.risks(None, risk)
    rows = [[name, f"fewer than {least:,}" if 0 < _count(value) < least else value] for name, value in grid.rows]
    return replace(grid, rows=rows)


def _count(text: str) -> int:
    """The number of records in a cell; 0 if the cell shows a share."""
    digits = text.replace(",", "")
    return int(digits) if digits.isdecimal() else 0
