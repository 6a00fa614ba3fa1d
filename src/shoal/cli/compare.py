"""``shoal compare``: algorithms side by side on one table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal import algorithms, metrics, utility
from shoal.cli.bundles import bundled
from shoal.cli.columns import Columns
from shoal.cli.progress import reporting
from shoal.cli.promises import Promises
from shoal.cli.reading import File, Reading
from shoal.cli.shown import Shown, show, show_json
from shoal.core.contracts import PrivacyModel
from shoal.core.suppression_limit import parse_limit
from shoal.engine.comparing import ENDINGS, compare
from shoal.errors import InputError
from shoal.io.write import check_target
from shoal.report.comparison import comparison_json, comparison_parts

_PANEL = "Comparison"


@dataclass(frozen=True)
class Contest:
    """What is compared, and for how long."""

    algorithms: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="all, or names with commas between them, options as in mondrian:relaxed,lattice.",
            rich_help_panel=_PANEL,
        ),
    ] = "all"
    time_limit: Annotated[
        str, typer.Option(metavar="60s", help="When to stop each run: 60, 60s, 2m.", rich_help_panel=_PANEL)
    ] = "60s"
    processes: Annotated[
        int | None,
        typer.Option(min=1, help="How many run at once; one per processor unless said.", rich_help_panel=_PANEL),
    ] = None
    target: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="A published column that a model is trained to guess.", rich_help_panel=_PANEL
        ),
    ] = None
    utility: Annotated[
        bool, typer.Option(help="Measure errors of queries, marginals and correlations, too.", rich_help_panel=_PANEL)
    ] = True
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help=f"Only this measure of utility: {', '.join(utility.ALL)}; options as in count-queries:dimensions=3.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    suppression_limit: Annotated[
        str,
        typer.Option(
            metavar="5%", help="How many rows may be left out: 5%, 0.05 or '29 rows'.", rich_help_panel=_PANEL
        ),
    ] = "0"
    metric: Annotated[
        str, typer.Option(help=f"What to lose least of: {', '.join(metrics.ALL)}.", rich_help_panel=_PANEL)
    ] = "lm"
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", "-o", metavar="FILE", help=f"For you alone: {', '.join(ENDINGS)}.", rich_help_panel=_PANEL
        ),
    ] = None

    def words(self) -> dict[str, Any]:
        """The same in the words of the library."""
        return {
            "algorithms": "all" if self.algorithms == "all" else spelled(self.algorithms),
            "time_limit": self.time_limit,
            "processes": self.processes,
            "target": self.target,
            "utility": self.measure or self.utility,
            "suppression_limit": parse_limit(self.suppression_limit),
            "metric": self.metric,
        }


@bundled
def command(file: File, columns: Columns, promises: Promises, contest: Contest, reading: Reading, shown: Shown) -> None:
    """Run algorithms side by side on one table, and see what each loses, risks and costs.

    Each runs in a process of its own. A promise with several numbers is tried with each: --k 5,10,25.

    shoal compare people.csv --quasi age,zip,sex --k 5,10 --algorithms all --report comparison.html
    """
    goals = goals_of(promises.alternatives())
    if contest.report:
        check_target(contest.report, [file, *columns.files()], ENDINGS)
    words = {**columns.words(), **contest.words(), **reading.words()}
    with reporting(shown.quiet) as progress:
        found = compare(file, goals=goals, **words, progress=progress)
        if contest.report:
            found.report(contest.report)
    if shown.json:
        show_json(json.loads(comparison_json(found.entries)))
    elif shown.for_people:
        show(*comparison_parts(found.entries))
    if contest.report:
        shown.notes([f"{contest.report} is the comparison, for you alone: nobody else may read the file."])
    if not any(entry.is_done for entry in found.entries):
        raise typer.Exit(1)


def goals_of(alternatives: Sequence[Sequence[PrivacyModel]]) -> list[tuple[PrivacyModel, ...]]:
    """One promise of each list, in every combination.

    Raises:
        InputError: there are none.
    """
    if not alternatives:
        raise InputError("No promise was asked for; say for instance --k 5,10.")
    return list(product(*alternatives))


def spelled(said: str) -> list[str]:
    """Names with commas between them; options may have commas, too.

    >>> spelled("mondrian:relaxed=true,strict=false,lattice")
    ['mondrian:relaxed=true,strict=false', 'lattice']
    """
    found: list[str] = []
    for part in said.split(","):
        is_option = found and ":" in found[-1] and part.partition(":")[0].strip() not in algorithms.ALL
        if is_option:
            found[-1] += f",{part}"
        else:
            found.append(part.strip())
    return found
