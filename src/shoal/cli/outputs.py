"""Where a release and its reports go."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.engine.targets import Targets, record_path, values_path
from shoal.io.databases.address import Address
from shoal.io.places import Place, place_of

_PANEL = "Output"


@dataclass(frozen=True)
class Outputs:
    """The files to write; without a release to write, a run only tells what it would come to."""

    output: Annotated[
        Any,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            parser=place_of,
            help="The release: .csv, .tsv, .parquet, .arrow, .feather or .xlsx, or a new table of a database. "
            "A private .run.json lies beside it.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    replace: Annotated[
        bool, typer.Option("--replace", help="Overwrite the output table if it exists.", rich_help_panel=_PANEL)
    ] = False
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A report for you alone: .html, .json or .txt.", rich_help_panel=_PANEL),
    ] = None
    public_report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A report that may go out with the release.", rich_help_panel=_PANEL),
    ] = None

    explore: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Every choice of one hierarchy level per column, with its loss and risk: .csv, .parquet, …; "
            "the report then draws them.",
            rich_help_panel=_PANEL,
        ),
    ] = None

    save_recoding: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help="The recoding of a full-domain release, for shoal apply on later rows. For you alone.",
            rich_help_panel=_PANEL,
        ),
    ] = None

    def targets(self) -> Targets:
        """The same for the engine."""
        return Targets(
            self.output, self.report, self.public_report, self.explore, self.save_recoding, replace=self.replace
        )

    def told(self, *, in_two: bool = False) -> list[str]:
        """What was written, in a sentence each; ``in_two`` where the release is two tables."""
        if not any((self.output, self.report, self.public_report, self.explore, self.save_recoding)):
            return ["Nothing was written; say with -o where the release should go."]
        told = []
        if self.output:
            told = [
                f"{_shown(self.output)} is the release.",
                *([f"{values_path(self.output)} is its second table, with the sensitive values."] if in_two else []),
                f"{record_path(self.output)} is the private record of this run, readable by you alone.",
            ]
        told += [f"{self.explore} is the solution space, readable by you alone."] if self.explore else []
        told += (
            [f"{self.save_recoding} is the recoding, readable by you alone: shoal apply takes it."]
            if self.save_recoding
            else []
        )
        told += [f"{self.report} is the internal report, readable by you alone."] if self.report else []
        return told + ([f"{self.public_report} is the report that may go out."] if self.public_report else [])


def _shown(place: Place) -> str:
    return place.shown if isinstance(place, Address) else str(place)
