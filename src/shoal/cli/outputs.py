"""Where a release and its reports go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from shoal.engine import Result
from shoal.errors import InputError
from shoal.io.write import check_target

_PANEL = "Output"
_REPORTS = (".html", ".json", ".txt")


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
        reports = [path for path in (self.report, self.public_report) if path]
        for path in [self.output] if self.output else []:
            check_target(path, sources)
        for path in reports:
            check_target(path, sources, _REPORTS)
        targets = [path.resolve() for path in (*self.files(), *reports)]
        for path in targets:
            if targets.count(path) > 1:
                raise InputError(f"Two outputs would be written to {str(path)!r}; give them different names.")

    def files(self) -> list[Path]:
        """The release and the record of its run."""
        return [self.output, self.output.with_suffix(".run.json")] if self.output else []

    def write(self, result: Result) -> None:
        """Write what was asked for, each file as a whole or not at all."""
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
        told = [f"{self.output} is the release."] if self.output else []
        told += [f"{self.output.with_suffix('.run.json')} is the private record of this run."] if self.output else []
        told += [f"{self.report} is the report for you alone."] if self.report else []
        return told + ([f"{self.public_report} is the report that may go out."] if self.public_report else [])
