"""``shoal usefulness``: what a release is still good for."""

from __future__ import annotations

from typing import Annotated

from shoal.cli.bundles import bundled
from shoal.cli.options import Said, options_of
from shoal.cli.progress import reporting
from shoal.cli.reading import Original, Release
from shoal.cli.shown import Shown, show, show_json
from shoal.engine.usefulness import chosen_measures, usefulness
from shoal.engine.vocabulary import UsefulnessWords
from shoal.report.grids import Grid
from shoal.report.text_edition import rich_table
from shoal.utility import analyses

Options = Annotated[Said, options_of(UsefulnessWords)]


@bundled
def command(original: Original, release: Release, options: Options, shown: Shown) -> None:
    """Measure the errors of a release, whichever tool made it: queries, distributions, correlations.

    0 means that nothing was lost. Labels are interpreted as by shoal audit.

    shoal usefulness original.csv release.csv --quasi age,zip,sex --hierarchy zip=mask
    """
    said = options.words()
    told = {name: measure.summary for name, measure in chosen_measures(said.get("measures")).items()}
    told |= {f"{form}: {name}": one.summary for form in said.get("forms", ()) for name, one in analyses.ALL.items()}
    with reporting(shown.quiet):
        found = usefulness(original, release, **said)
    if shown.json:
        show_json(found)
    elif shown.for_people:
        rows = [[name, "–" if value is None else f"{value:.4f}", told[name]] for name, value in found.items()]
        show(
            rich_table(
                Grid("What the release is still good for", ("measure", "error", "what it says"), rows, numeric=(1,))
            )
        )
