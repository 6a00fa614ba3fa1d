"""``shoal usefulness``: what a release is still good for."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal import utility
from shoal.cli import words
from shoal.cli.bundles import bundled
from shoal.cli.columns import Quasi
from shoal.cli.labels import Labels, Original, Release
from shoal.cli.progress import reporting
from shoal.cli.reading import Reading
from shoal.cli.shown import Shown, show, show_json
from shoal.engine.usefulness import chosen_measures, usefulness
from shoal.report.grids import Grid
from shoal.report.text_edition import rich_table

Measures = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help=f"Only this one: {', '.join(utility.ALL)}; with options as in count-queries:dimensions=3. Repeatable.",
    ),
]


@bundled
def command(
    original: Original,
    release: Release,
    labels: Labels,
    reading: Reading,
    shown: Shown,
    quasi: Quasi = None,
    measure: Measures = None,
) -> None:
    """Say how wrong answers from a release are, whoever made it: queries, distributions, correlations.

    0 says that nothing was lost. Labels are read as they are printed, as by shoal audit.

    shoal usefulness original.csv release.csv --quasi age,zip,sex --hierarchy zip=mask
    """
    chosen = chosen_measures(measure)
    said = {"quasi_identifiers": words.names("--quasi", quasi), **labels.words(), **reading.words()}
    with reporting(shown.quiet):
        found = usefulness(original, release, measures=measure, **said)
    if shown.json:
        show_json(found)
    elif shown.for_people:
        rows = [[name, "–" if value is None else f"{value:.4f}", chosen[name].summary] for name, value in found.items()]
        show(
            rich_table(
                Grid("What the release is still good for", ("measure", "error", "what it says"), rows, numeric=(1,))
            )
        )
