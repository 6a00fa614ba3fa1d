"""The dossier of a release: its facts, its two editions, its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from shoal import utility
from shoal.core.schema import Role
from shoal.engine.usefulness import usefulness_of
from shoal.engine.verified_release import VerifiedRelease
from shoal.errors import InputError
from shoal.io.inspect.profile import profile
from shoal.io.inspect.roles import suggest_by_content
from shoal.io.place import place_at
from shoal.io.transaction import Together
from shoal.report.dossier.document import Document
from shoal.report.dossier.docx import render_docx
from shoal.report.dossier.files import Edition, dossier_paths
from shoal.report.dossier.html import render_html
from shoal.report.dossier.internal import Facts, internal_document
from shoal.report.dossier.pdf import render_pdf
from shoal.report.dossier.public import public_document
from shoal.report.dossier.statement import Statement
from shoal.report.dossier.variables import MASKED, Variable

RENDERERS: Mapping[str, Callable[[Document], bytes]] = {".html": render_html, ".pdf": render_pdf, ".docx": render_docx}
"""The function that writes each file format."""

_REASONS: Mapping[Role, str] = {
    "identifier": "identifies a person directly",
    "person": "is the key of a person",
    "quasi-identifier": "may be known to an adversary",
    "sensitive": "must not be linked to a person",
    "other": "was judged harmless, or has no role",
    "sample weight": "says how many people of the population a row stands for",
}
_RECODINGS = {
    "tree": "generalized along its hierarchy",
    "range": "generalized to ranges",
    "sets": "generalized to sets of values",
    "suppress": "kept or suppressed",
}


def documents(
    result: VerifiedRelease, statement: Statement, output: Mapping[str, str] | None = None
) -> dict[Edition, Document]:
    """Both editions; ``output`` is the run record's entry about the written release."""
    written = dict(output or {})
    seen, audit = result.summary().public(), result.audited
    tried = [] if audit is None else list(dict.fromkeys(r.attack for r in audit.risks if r.outcome != "not run"))
    roles = {name: result.schema.role(name) for name in result.frame.columns}
    public = public_document(
        seen, result.frame, roles, statement, tried, written.get("sha256", ""), result.schema.masked
    )
    return {"internal": internal_document(_facts(result, statement, written)), "public": public}


def write_dossier(
    files: Together, folder: Path, result: VerifiedRelease, statement: Statement, output: Mapping[str, str] | None
) -> None:
    """Write all files of the dossier together with the run's other files; the internal ones are private."""
    made = documents(result, statement, output)
    for (edition, ending), path in dossier_paths(folder).items():
        files.path(path, private=edition == "internal").write_bytes(RENDERERS[ending](made[edition]))


def _facts(result: VerifiedRelease, statement: Statement, output: Mapping[str, str]) -> Facts:
    source = {} if result.source.place is None else place_at(result.source.place).recorded()
    told = {f"Original: {name}": value for name, value in source.items()}
    told |= {f"Release: {name}": value for name, value in output.items()}
    return Facts(
        summary=result.summary(),
        statement=statement,
        variables=[*_variables(result)],
        usefulness=_usefulness(result),
        meanings={name: measure.summary for name, measure in utility.ALL.items()},
        files=told,
        notes=result.notes,
        written=datetime.now(UTC).date().isoformat(),
    )


def _usefulness(result: VerifiedRelease) -> dict[str, float | None]:
    """The errors of analyses; empty if they cannot be computed for this release."""
    try:
        return usefulness_of(result.release, shows_people=result.shows_people)
    except InputError:
        return {}


def _variables(result: VerifiedRelease) -> Iterator[Variable]:
    losses = result.loss_by_column()
    for values in result.source.frame.iter_columns():
        role = result.schema.role(values.name)
        yield Variable(
            name=values.name,
            role=role,
            technique=_technique(result, values.name, role),
            reason=_reason(values, role),
            n_before=values.n_unique(),
            n_after=result.frame[values.name].n_unique() if values.name in result.frame.columns else 0,
            loss=losses.get(values.name, 0.0),
        )


def _technique(result: VerifiedRelease, name: str, role: Role) -> str:
    recodings = {column.name: column.recoding.name for column in result.release.table.quasi}
    if name in recodings:
        return _RECODINGS.get(recodings[name], f"recoded ({recodings[name]})")
    if name not in result.frame.columns:
        is_apart = result.values is not None and name in result.values.columns
        return "published in a table of its own" if is_apart else "dropped"
    if name in result.schema.masked:
        return MASKED
    return "replaced by fresh random keys" if role == "person" else "published as it is"


def _reason(values: pl.Series, role: Role) -> str:
    """Why a column has its role: the meaning of the role, and what its values and name suggest."""
    found = suggest_by_content(profile(values))
    return f"{_REASONS[role]}; {found.reason}" if found and found.role == role else _REASONS[role]
