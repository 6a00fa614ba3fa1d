"""Where a release and its reports go; asked before the work starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError
from shoal.io.place import files_of, place_at
from shoal.io.places import Location
from shoal.io.write import check_target

REPORT_ENDINGS = (".html", ".json", ".txt")


@dataclass(frozen=True)
class Targets:
    """What to write: the release, two reports (the second may leave the house), solution space, recoding, data package.

    The release may go to a table of a database; one that exists is only overwritten where ``replace`` says so. It may
    go to an object store. The private record of the run then lies in ``folder``.
    """

    output: Location | None = None
    report: Path | None = None
    public_report: Path | None = None
    explore: Path | None = None
    save_recoding: Path | None = None
    datapackage: Path | None = None
    replace: bool = False
    folder: Path = Path()

    def check(self, sources: Iterable[Location]) -> None:
        """Refuse targets that cannot be written, before the work begins.

        Raises:
            InputError: a target is no good, would overwrite a source, or is given twice.
        """
        everything = list(sources)
        for place in (self.output, *everything):
            if place is not None:
                place_at(place).refuse()
        given = files_of(everything)
        reports = [path for path in (self.report, self.public_report) if path]
        if self.output:
            place_at(self.output).check(everything, replace=self.replace)
            check_target(self.record(), given, (".json",))
        if self.explore:
            check_target(self.explore, given)
        for path in (self.save_recoding, self.datapackage):
            if path:
                check_target(path, given, (".json",))
        for path in reports:
            check_target(path, given, REPORT_ENDINGS)
        asked = [
            *self.files(),
            *reports,
            *(path for path in (self.explore, self.save_recoding, self.datapackage) if path),
        ]
        targets = [path.resolve() for path in asked]
        for path in targets:
            if targets.count(path) > 1:
                raise InputError(f"Two outputs would be written to {str(path)!r}; give them different names.")

    def files(self) -> list[Path]:
        """The release, where it is a file, and the record of its run."""
        if self.output is None:
            return []
        path = place_at(self.output).path
        return [self.record()] if path is None else [path, self.record()]

    def first(self) -> Path | None:
        """The file that tells whether two runs write the same things; None where nothing is to be written."""
        others = (self.report, self.public_report, self.explore, self.save_recoding, self.datapackage)
        return next((path for path in (*self.files(), *others) if path), None)

    def record(self) -> Path:
        """Where the private record of the run goes."""
        assert self.output is not None
        return place_at(self.output).record_path(self.folder)

    def told(self, tables: Iterable[str] = ("",)) -> list[str]:
        """What was written, in a sentence each; ``tables`` says what those of the release are called after."""
        told = []
        if self.output:
            told = [
                f"{place_at(self.output).shown} is the release.",
                *(f"{place_at(self.output).beside(name)} is {_told_of(name)}." for name in tables if name),
                f"{self.record()} is the private record of this run, readable by you alone.",
            ]
        told += [f"{self.explore} is the solution space, readable by you alone."] if self.explore else []
        if self.save_recoding:
            told.append(f"{self.save_recoding} is the recoding, readable by you alone: shoal apply takes it.")
        told += [f"{self.report} is the internal report, readable by you alone."] if self.report else []
        told += [f"{self.public_report} is the report that may go out."] if self.public_report else []
        told += [f"{self.datapackage} describes the release for programs, and may go out."] if self.datapackage else []
        return told or ["Nothing was written; say with -o where the release should go."]


def _told_of(name: str) -> str:
    known = {"sensitive": "its second table, with the sensitive values", "codes": "its codebook"}
    return known.get(name, "the same table drawn again")
