"""Where a release and its reports go; asked before the work starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.errors import InputError
from shoal.io.write import check_target

if TYPE_CHECKING:
    from shoal.engine.result import Result

REPORT_ENDINGS = (".html", ".json", ".txt")


@dataclass(frozen=True)
class Targets:
    """The files to write: the release, two reports (the second may leave the house), solution space and recoding."""

    output: Path | None = None
    report: Path | None = None
    public_report: Path | None = None
    explore: Path | None = None
    save_recoding: Path | None = None

    def check(self, sources: Iterable[Path]) -> None:
        """Refuse targets that cannot be written, before the work begins.

        Raises:
            InputError: a target is no good, would overwrite a source, or is given twice.
        """
        given = list(sources)
        reports = [path for path in (self.report, self.public_report) if path]
        if self.output:
            check_target(self.output, given)
            check_target(record_path(self.output), given, (".json",))
        if self.explore:
            check_target(self.explore, given)
        if self.save_recoding:
            check_target(self.save_recoding, given, (".json",))
        for path in reports:
            check_target(path, given, REPORT_ENDINGS)
        asked = [*self.files(), *reports, *(path for path in (self.explore, self.save_recoding) if path)]
        targets = [path.resolve() for path in asked]
        for path in targets:
            if targets.count(path) > 1:
                raise InputError(f"Two outputs would be written to {str(path)!r}; give them different names.")

    def files(self) -> list[Path]:
        """The release and the record of its run."""
        return [self.output, record_path(self.output)] if self.output else []

    def write(self, result: Result) -> None:
        """Write what was asked for, each file as a whole or not at all; where the release is, all the rest is too."""
        if self.save_recoding:
            result.save_recoding(self.save_recoding)
        if self.explore:
            result.explore(self.explore)
        if self.report:
            result.report(self.report, explore=self.explore is not None)
        if self.public_report:
            result.report(self.public_report, public=True)
        if self.output:
            result.write(self.output)


def record_path(release: Path) -> Path:
    """Where the private run record of a release goes: ``name.run.json`` beside it."""
    return release.with_suffix(".run.json")
