"""``shoal verify``: which promises a table keeps."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Annotated, Any

import typer

from shoal.cli.bundles import bundled
from shoal.cli.options import Said, options_of
from shoal.cli.progress import reporting
from shoal.cli.promises import Promises
from shoal.cli.reading import File
from shoal.cli.shown import Shown, show, show_json
from shoal.cli.verify_text import verification_parts
from shoal.engine import Verification, verify
from shoal.engine.vocabulary import VerifyWords

Options = Annotated[Said, options_of(VerifyWords, without=("privacy",))]


@bundled
def command(file: File, options: Options, promises: Promises, shown: Shown) -> None:
    """Check which promises a table keeps, whoever made it.

    The table is taken as it stands: equal cells are equal, and missing is a value like any other. Promises about
    matches, such as (k,k)-anonymity, need the original, from which the labels are read. Exit status 1 where a promise
    does not hold; 2 where none is broken but one cannot be told.

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
        raise typer.Exit(1 if found.is_broken else 2)


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
