"""``shoal verify``: check which privacy models a table satisfies."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from shoal.cli.options import File, Said, bundled, options_of
from shoal.cli.output_mode import Shown, show, show_json
from shoal.cli.progress import reporting
from shoal.cli.promises import Promises
from shoal.engine.verification_text import verification_headline, worst_grids
from shoal.engine.verifying import Verification, verify
from shoal.engine.vocabulary import VerifyWords
from shoal.errors import InputError
from shoal.report.grids import verdict_grid
from shoal.report.text_edition import rich_table

Options = Annotated[Said, options_of(VerifyWords, without=("privacy",))]


@bundled
def command(file: File, options: Options, promises: Promises, shown: Shown) -> None:
    """Check which promises a table keeps, whichever tool made it.

    The table is taken as printed: equal cells are equal, and missing is a value like any other. Promises about
    matches, such as (k,k)-anonymity, need the original in order to interpret the labels. The exit status is 1 if a
    promise does not hold, and 2 if none is broken but one cannot be decided.

    shoal verify release.csv --quasi age,zip,sex --sensitive disease --k 10 --l 3
    shoal verify release.csv --quasi age,zip,sex --concealment 5 --original patients.csv
    """
    with reporting(shown.quiet) as progress:
        progress.stage("checking")
        found = verify(file, privacy=promises.models(), **options.words())
    shown.notes(found.notes)
    if shown.json:
        show_json(_as_data(found))
    if shown.for_people:
        show(*verification_parts(found))
    if not found.holds:
        if not found.is_broken:
            raise InputError(f"{found.untold[0].promise}: {found.untold[0].why}")
        raise typer.Exit(1)


def _as_data(found: Verification) -> dict[str, Any]:
    """Plain dicts, lists, texts and finite numbers."""
    verdicts = [asdict(verdict) for verdict in found.verdicts]
    for verdict in verdicts:
        verdict["achieved"] = verdict["achieved"] if math.isfinite(verdict["achieved"]) else None
        del verdict["worst"], verdict["worst_measures"]
    return {
        "holds": found.holds,
        "n_records": found.n_records,
        "verdicts": verdicts,
        "untold": [asdict(untold) for untold in found.untold],
        "notes": list(found.notes),
        "worst": [asdict(entry) for entry in found.worst],
    }


def verification_parts(found: Verification) -> list[RenderableType]:
    """Verdicts, the worst classes of each model, what could not be decided, and the conclusion."""
    style = "bold red" if found.is_broken else "bold yellow" if found.untold else "bold green"
    line = Text(verification_headline(found), style)
    worst = [rich_table(grid) for grid in worst_grids(found)]
    untold = [Text(f"{one.promise}: {one.why}", "yellow") for one in found.untold]
    return [*([rich_table(verdict_grid(found.verdicts))] if found.verdicts else []), *worst, *untold, line]
