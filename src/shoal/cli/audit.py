"""``shoal audit``: what an adversary learns from a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.options import Original, Release, Said, bundled, options_of
from shoal.cli.output_mode import Shown, show, show_data
from shoal.cli.progress import reporting
from shoal.engine.auditing import audit_release
from shoal.engine.targets import REPORT_ENDINGS
from shoal.engine.vocabulary import AuditWords
from shoal.io.atomic import write_private
from shoal.io.write import check_target
from shoal.report.audit_editions import audit_parts, render_audit_html, render_audit_json, render_audit_text

_EDITIONS = {".html": render_audit_html, ".json": render_audit_json, ".txt": render_audit_text}

Options = Annotated[Said, options_of(AuditWords)]
Report = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Write the audit, for you alone: .html, .json or .txt.")
]


@bundled
def command(
    original: Original,
    release: Release,
    options: Options,
    shown: Shown,
    report: Report = None,
) -> None:
    """Attack a release, whichever tool made it, and report what an adversary learns.

    Labels are read as they are printed: values, ranges such as [17..30] or 17-30, sets such as {a, b}, masks such as
    021**, stars, and the labels of hierarchies you give. The exit status is 1 if an attack succeeds.

    shoal audit original.csv release.csv --quasi age,zip,sex --sensitive disease --hierarchy zip=mask --k 5
    """
    said = options.words()
    if report is not None:
        check_target(report, [original, release, *AuditWords.said(said).named_files()], REPORT_ENDINGS)
    with reporting(shown.quiet) as progress:
        found = audit_release(original, release, progress=progress, **said)
    shown.notes(found.notes)
    if report is not None:
        write_private(_EDITIONS[report.suffix.lower()](found), report)
        shown.notes([f"{report} is the audit, readable by you alone."])
    if shown.json:
        show_data(render_audit_json(found))
    if shown.for_people:
        show(*audit_parts(found))
    if not found.withstands:
        raise typer.Exit(1)
