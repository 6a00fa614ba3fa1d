"""``shoal verify``: which promises a table keeps."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli.bundles import bundled
from shoal.cli.columns import Roles
from shoal.cli.labels import Labels
from shoal.cli.progress import reporting
from shoal.cli.promises import Promises
from shoal.cli.reading import File, Reading
from shoal.cli.shown import Shown, show, show_json
from shoal.cli.verify_text import verification_parts
from shoal.engine import Verification, verify


@bundled
def command(
    file: File,
    columns: Roles,
    promises: Promises,
    labels: Labels,
    reading: Reading,
    shown: Shown,
    sensitive_table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The second table where sensitive values are published apart (anatomy)."),
    ] = None,
    bucket: Annotated[str, typer.Option(help="The column that joins the two tables.")] = "bucket",
    original: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The table the release was made from, for promises about matches."),
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Everybody the rows were drawn from, for promises about a population."),
    ] = None,
) -> None:
    """Check which promises a table keeps, whoever made it.

    The table is taken as it stands: equal cells are equal, and missing is a value like any other. Promises about
    matches, such as (k,k)-anonymity, need the original, from which the labels are read. Exit status 1 where a promise
    does not hold; 2 where none is broken but one cannot be told.

    shoal verify release.csv --quasi age,zip,sex --sensitive disease --k 10 --l 3
    shoal verify release.csv --quasi age,zip,sex --concealment 5 --original patients.csv
    """
    words = {**columns.words(), **labels.words(), **reading.words(), "privacy": promises.models()}
    words |= {"sensitive_table": sensitive_table, "bucket": bucket, "original": original, "population": population}
    with reporting(shown.quiet) as progress:
        progress.stage("checking")
        found = verify(file, **words)
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
        "worst": [asdict(entry) for entry in found.worst],
    }
