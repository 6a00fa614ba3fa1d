"""``shoal patterns``: the patterns of starred cells that a set of rules allows."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from shoal.algorithms.patterns.mask import Allowance
from shoal.cli.options import Said, bundled, options_of
from shoal.cli.output_mode import Shown, show, show_json
from shoal.cli.progress import reporting
from shoal.engine.listing_patterns import list_job_patterns, list_patterns
from shoal.engine.vocabulary import PatternWords
from shoal.errors import InputError
from shoal.io.location import Location, location_of
from shoal.io.place import place_at
from shoal.report.pattern_list import patterns_json, patterns_text

TableOrJob = Annotated[
    Any,
    typer.Argument(metavar="FILE", help="The table, or a job file (.toml) that names it.", show_default=False),
    location_of,
]


Options = Annotated[Said, options_of(PatternWords)]
Most = Annotated[int, typer.Option(min=0, help="How many patterns to show.")]


@bundled
def command(file: TableOrJob, options: Options, shown: Shown, most: Most = 50) -> None:
    """List and count the patterns that a set of rules allows, before you run it.

    A pattern says which quasi-identifiers a record keeps and which it stars; the rules are the options of the
    algorithm, in a job file its section [algorithm].

    shoal patterns people.csv --quasi age,zip,sex --algorithm patterns:max_stars=2,never=sex
    """
    with reporting(shown.quiet) as progress:
        progress.stage("listing patterns")
        found = _found(file, options.words())
    if shown.json:
        show_json(patterns_json(_data(found)))
    if shown.for_people:
        show(patterns_text(_data(found), most))


def _found(file: Location, said: dict[str, Any]) -> Allowance:
    job = place_at(file).path
    if job is not None and job.suffix.lower() == ".toml":
        if said:
            raise InputError("The job file already sets the columns and the rules; leave out the other options.")
        return list_job_patterns(job)
    return list_patterns(file, **said)


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
