"""``shoal patterns``: what a set of rules allows to be blanked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.algorithms.patterns.allowance import Allowance
from shoal.cli.bundles import bundled
from shoal.cli.columns import Columns
from shoal.cli.progress import reporting
from shoal.cli.reading import Reading
from shoal.cli.shown import Shown, show, show_json
from shoal.engine.listing_patterns import list_job_patterns, list_patterns
from shoal.errors import InputError
from shoal.report.pattern_list import patterns_json, patterns_text

_PANEL = "Patterns"
_WORDS = ("quasi_identifiers", "hierarchies", "kinds", "orders", "recodings", "weights")

TableOrJob = Annotated[
    Path, typer.Argument(metavar="FILE", help="The table, or a job file (.toml) that names it.", show_default=False)
]


@dataclass(frozen=True)
class Asked:
    """The rules, and how much of the list is shown."""

    algorithm: Annotated[
        str,
        typer.Option(
            metavar="NAME:RULES",
            help="As in anonymize: patterns:max_stars=2,never=sex,together=a+b|c+d,at_most_one=e+f,costs=age:2.",
            rich_help_panel=_PANEL,
        ),
    ] = "patterns"
    most: Annotated[int, typer.Option(min=0, help="Show so many patterns.", rich_help_panel=_PANEL)] = 50


@bundled
def command(file: TableOrJob, columns: Columns, asked: Asked, reading: Reading, shown: Shown) -> None:
    """List and count the patterns that a set of rules allows, before anything runs.

    A pattern says which quasi-identifiers a record keeps and which it stars; the rules are the options of the
    algorithm, in a job file its section [algorithm].

    shoal patterns people.csv --quasi age,zip,sex --algorithm patterns:max_stars=2,never=sex
    """
    with reporting(shown.quiet) as progress:
        progress.stage("listing patterns")
        found = _found(file, columns, asked, reading)
    if shown.json:
        show_json(patterns_json(_data(found)))
    if shown.for_people:
        show(patterns_text(_data(found), asked.most))


def _found(file: Path, columns: Columns, asked: Asked, reading: Reading) -> Allowance:
    if file.suffix.lower() == ".toml":
        if columns.quasi or asked.algorithm != "patterns":
            raise InputError("A job file says itself what its columns and rules are; leave the other options out.")
        return list_job_patterns(file)
    said = columns.words()
    return list_patterns(file, algorithm=asked.algorithm, **{word: said[word] for word in _WORDS}, **reading.words())


def _data(found: Allowance) -> dict[str, Any]:
    mask, patterns = found.mask, None
    if mask is not None:
        told = enumerate(zip(mask.stars.tolist(), mask.costs.tolist(), strict=True))
        patterns = [{"pattern": mask.text(p), "stars": stars, "cost": cost} for p, (stars, cost) in told]
    return {
        "columns": found.columns,
        "kept": found.kept,
        "with_outliers": found.with_outliers,
        "by_stars": found.by_stars,
        "patterns": patterns,
    }
