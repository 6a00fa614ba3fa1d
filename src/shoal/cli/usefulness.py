"""``shoal usefulness``: measure the errors of analyses on a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.options import Original, Release, Said, bundled, options_of
from shoal.cli.output_mode import Shown, show, show_json
from shoal.cli.progress import reporting
from shoal.engine.usefulness import ENDINGS, usefulness
from shoal.engine.vocabulary import UsefulnessWords
from shoal.io.write import check_target
from shoal.report.text_edition import rich_table
from shoal.report.usefulness_page import forms_grid, measures_grid

Options = Annotated[Said, options_of(UsefulnessWords)]
Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Tables and plots, for you alone: .html, or the figures as .json."),
]


@bundled
def command(original: Original, release: Release, options: Options, shown: Shown, report: Report = None) -> None:
    """Measure the errors of a release, whichever tool made it: queries, distributions, correlations.

    0 means that nothing was lost. Labels are interpreted as by shoal audit.

    shoal usefulness original.csv release.csv --quasi age,zip,sex --hierarchy zip=mask --forms center,sampled
    """
    said = options.words()
    if report is not None:
        check_target(report, [original, release, *UsefulnessWords.said(said).named_files()], ENDINGS)
    with reporting(shown.quiet):
        found = usefulness(original, release, **said)
    if report is not None:
        found.report(report)
        shown.notes([f"{report} has the tables and plots, readable by you alone."])
    if shown.json:
        show_json(found)
    elif shown.for_people:
        show(*(rich_table(grid) for grid in (measures_grid(found), forms_grid(found)) if grid.rows))
