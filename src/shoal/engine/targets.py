"""Where a release and its reports go; asked before the work starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError
from shoal.io.databases import Address, check_table
from shoal.io.places import Place, Remote, refuse_remote, shown
from shoal.io.stores import check_store
from shoal.io.write import check_target

REPORT_ENDINGS = (".html", ".json", ".txt")


@dataclass(frozen=True)
class Targets:
    """What to write: the release, two reports (the second may leave the house), solution space, recoding, data package.

    The release may go to a table of a database; one that exists is only overwritten where ``replace`` says so. It may
    go to an object store. The private record of the run then lies in ``folder``.
    """

    output: Place | None = None
    report: Path | None = None
    public_report: Path | None = None
    explore: Path | None = None
    save_recoding: Path | None = None
    datapackage: Path | None = None
    replace: bool = False
    folder: Path = Path()

    def check(self, sources: Iterable[Place]) -> None:
        """Refuse targets that cannot be written, before the work begins.

        Raises:
            InputError: a target is no good, would overwrite a source, or is given twice.
        """
        everything = list(sources)
        for place in (self.output, *everything):
            refuse_remote(place)
        tables = [source for source in everything if isinstance(source, Address)]
        given = [source for source in everything if isinstance(source, Path)]
        given += [table.file for table in tables if table.file is not None]
        reports = [path for path in (self.report, self.public_report) if path]
        if isinstance(self.output, Remote):
            check_store(self.output, writing=True)
        elif isinstance(self.output, Address):
            check_table(self.output, tables, replace=self.replace)
        elif self.output:
            check_target(self.output, given)
        if self.output:
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
        return [self.output, self.record()] if isinstance(self.output, Path) else [self.record()]

    def first(self) -> Path | None:
        """The file that tells whether two runs write the same things; None where nothing is to be written."""
        others = (self.report, self.public_report, self.explore, self.save_recoding, self.datapackage)
        return next((path for path in (*self.files(), *others) if path), None)

    def record(self) -> Path:
        """Where the private record of the run goes."""
        assert self.output is not None
        return record_path(self.output, self.folder)

    def told(self, tables: Iterable[str] = ("",)) -> list[str]:
        """What was written, in a sentence each; ``tables`` says what those of the release are called after."""
        told = []
        if self.output:
            told = [
                f"{shown(self.output)} is the release.",
                *(f"{beside(self.output, name)} is {_told_of(name)}." for name in tables if name),
                f"{self.record()} is the private record of this run, readable by you alone.",
            ]
        told += [f"{self.explore} is the solution space, readable by you alone."] if self.explore else []
        if self.save_recoding:
            told.append(f"{self.save_recoding} is the recoding, readable by you alone: shoal apply takes it.")
        told += [f"{self.report} is the internal report, readable by you alone."] if self.report else []
        told += [f"{self.public_report} is the report that may go out."] if self.public_report else []
        told += [f"{self.datapackage} describes the release for programs, and may go out."] if self.datapackage else []
        return told or ["Nothing was written; say with -o where the release should go."]


def record_path(release: Place, folder: Path = Path()) -> Path:
    """Where the private run record of a release goes: ``name.run.json`` beside it, of one elsewhere in ``folder``."""
    if isinstance(release, Remote):
        return folder / Path(release.name).with_suffix(".run.json")
    if isinstance(release, Address):
        return folder / f"{release.record_name}.run.json"
    return release.with_suffix(".run.json")


def beside(release: Place, name: str) -> Path:
    """Where a further table of a release goes: ``name.sensitive.csv`` beside ``name.csv``.

    Raises:
        InputError: the release is not a file.
    """
    if not isinstance(release, Path):
        raise InputError("A release in several tables is written to files, not to a database; give a file's name.")
    return release.with_suffix(f".{name}{release.suffix}" if name else release.suffix)


def _told_of(name: str) -> str:
    known = {"sensitive": "its second table, with the sensitive values", "codes": "its codebook"}
    return known.get(name, "the same table drawn again")
