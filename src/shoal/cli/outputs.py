"""Where a release and its reports go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from shoal.engine import Result
from shoal.engine.targets import check_release_target, check_report_target, record_path
from shoal.errors import InputError

_PANEL = "Output"


@dataclass(frozen=True)
class Outputs:
    """The files to write; without a release to write, a run only tells what it would come to."""

    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The release: .csv, .tsv, .parquet, .arrow, .feather or .xlsx. A private .run.json lies beside it.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A report for you alone: .html, .json or .txt.", rich_help_panel=_PANEL),
    ] = None
    public_report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A report that may go out with the release.", rich_help_panel=_PANEL),
    ] = None

    def check(self, sources: Sequence[Path]) -> None:
        """Refuse targets that cannot be written, before the work begins.

        Raises:
            InputError: a target is no good, would overwrite a source, or is given twice.
        """
        releases = [self.output, record_path(self.output)] if self.output else []
        reports = [path for path in (self.report, self.public_report) if path]
        if self.output:
            check_release_target(self.output, sources)
        for path in reports:
            check_report_target(path, sources)
        targets = [path.resolve() for path in (*releases, *reports)]
        for path in targets:
            if targets.count(path) > 1:
                raise InputError(f"Two outputs would be written to {str(path)!r}; give them different names.")

    def write(self, result: Result) -> None:
        """Write what was asked for, each file as a whole or not at all; where the release is, all the rest is too."""
        if self.report:
            result.report(self.report)
        if self.public_report:
            result.report(self.public_report, public=True)
        if self.output:
            result.write(self.output)

    def told(self) -> list[str]:
        """What was written, in a sentence each."""
        if not (self.output or self.report or self.public_report):
            return ["Nothing was written; say with -o where the release should go."]
        told = []
        if self.output:
            told = [f"{self.output} is the release.", f"{record_path(self.output)} is the private record of this run."]
        told += [f"{self.report} is the report for you alone."] if self.report else []
        return told + ([f"{self.public_report} is the report that may go out."] if self.public_report else [])
