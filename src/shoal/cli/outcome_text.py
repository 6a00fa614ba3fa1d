"""What is printed about a release that is nowhere in memory."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.text import Text

from shoal.cli.release_text import verdict_table
from shoal.cli.shown import Shown, show, show_json
from shoal.report.figures import seconds
from shoal.report.grids import Grid
from shoal.report.text_edition import rich_table

if TYPE_CHECKING:
    from shoal.engine.scale.elsewhere import Outcome


def show_outcome(outcome: Outcome, shown: Shown) -> None:
    """Promises, losses and figures; the same as JSON where programs read."""
    shown.notes(outcome.notes)
    if shown.json:
        said = asdict(outcome)
        said["algorithm"] = outcome.algorithm.name
        for verdict in said["verdicts"]:
            del verdict["worst"], verdict["worst_measures"]
        show_json(said)
    if shown.for_people:
        spent = seconds(sum(outcome.seconds.values()))
        rows = [[name, f"{loss:,.4g}"] for name, loss in outcome.losses.items()]
        rows += [[name, text] for name, text in outcome.figures.items()]
        if outcome.levels is not None:
            rows.append(["Levels", "/".join(map(str, outcome.levels))])
        show(
            Text(
                f"{outcome.n_records:,} of {outcome.n_rows:,} rows published, by {outcome.algorithm.name} in {spent}.",
                "bold",
            ),
            verdict_table(outcome.verdicts),
            rich_table(Grid("Figures", ["What", "Value"], rows, (1,))),
        )
    shown.notes([f"{outcome.target} is the release."])
