"""``shoal compare``: algorithms side by side on one table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.options import File, Said, bundled, options_of
from shoal.cli.output_mode import Shown, show, show_json
from shoal.cli.progress import reporting
from shoal.cli.promises import Promises
from shoal.core.contracts import PrivacyModel
from shoal.engine.comparing import ENDINGS, compare
from shoal.engine.vocabulary import COMPARISON, CompareWords
from shoal.errors import InputError
from shoal.io.write import check_target
from shoal.report.comparison import comparison_json, comparison_parts

Options = Annotated[Said, options_of(CompareWords, without=("goals",))]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report", "-o", metavar="FILE", help=f"For you alone: {', '.join(ENDINGS)}.", rich_help_panel=COMPARISON
    ),
]


@bundled
def command(file: File, options: Options, promises: Promises, shown: Shown, report: Report = None) -> None:
    """Run several algorithms on one table, and compare loss, risk and time.

    Each runs in a process of its own. A promise with several numbers is tried with each: --k 5,10,25.

    shoal compare people.csv --quasi age,zip,sex --k 5,10 --algorithms all --report comparison.html
    """
    goals = goals_of(promises.alternatives())
    words = options.words()
    if report:
        check_target(report, [file, *CompareWords.said(words).named_files()], ENDINGS)
    with reporting(shown.quiet) as progress:
        found = compare(file, goals=goals, **words, progress=progress)
        if report:
            found.report(report)
    if shown.json:
        show_json(json.loads(comparison_json(found.entries)))
    elif shown.for_people:
        show(*comparison_parts(found.entries))
    if report:
        shown.notes([f"{report} is the comparison, for you alone."])
    if not any(entry.is_done for entry in found.entries):
        raise typer.Exit(1)


def goals_of(alternatives: Sequence[Sequence[PrivacyModel]]) -> list[tuple[PrivacyModel, ...]]:
    """All combinations of one privacy model from each list."""
    if not alternatives:
        raise InputError("No promise was given; use --k 5,10, for instance.")
    return list(product(*alternatives))
