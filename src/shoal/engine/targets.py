"""Where a release and its reports go; checked before the work starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from shoal.errors import InputError
from shoal.io.location import Location
from shoal.io.place import files_of, place_at
from shoal.io.text_layout import TextLayout
from shoal.io.write import check_target
from shoal.report.dossier.files import ENDINGS, dossier_paths, formats, missing_formats
from shoal.report.dossier.statement import Statement

REPORT_ENDINGS = (".html", ".json", ".txt")


@dataclass(frozen=True)
class Targets:
    """What to write: the release, an internal and a public report, solution space, recoding, data package.

    A release that is a file has its data package beside it, unless another path is given for it or it is left out.
    ``dossier`` is a folder for the dossier, whose facts are in ``statement``. The release may go to a database table;
    an existing one is only overwritten with ``replace``. It may also go to an object store. The private run record is
    then in ``folder``.
    """

    output: Location | None = None
    report: Path | None = None
    public_report: Path | None = None
    explore: Path | None = None
    save_recoding: Path | None = None
    datapackage: Path | None = None
    is_described: bool = True
    dossier: Path | None = None
    statement: Statement = field(default_factory=Statement)
    replace: bool = False
    folder: Path = Path()
    layout: TextLayout = field(default_factory=TextLayout)

    def check(self, sources: Iterable[Location]) -> None:
        """Refuse targets that cannot be written, overwrite a source or are given twice, before the work begins."""
        everything = list(sources)
        for place in (self.output, *everything):
            if place is not None:
                place_at(place).refuse()
        given = files_of(everything)
        if self.output:
            self.layout.check(Path(place_at(self.output).name).suffix.lower() if place_at(self.output).path else "")
            place_at(self.output).check(everything, replace=self.replace)
            check_target(self.record(), given, (".json",))
        if self.explore:
            check_target(self.explore, given)
        for paths, endings in (
            ((self.save_recoding, self.package), (".json",)),
            ((self.report, self.public_report), REPORT_ENDINGS),
        ):
            for path in filter(None, paths):
                check_target(path, given, endings)
        if self.dossier:
            _check_folder(self.dossier, given)
        targets = [path.resolve() for path in (*self.files(), self.package, *self.beside()) if path]
        for path in targets:
            if targets.count(path) > 1:
                raise InputError(f"Two outputs would be written to {str(path)!r}; give them different names.")

    def files(self) -> list[Path]:
        """The release, if it is a file, and its run record."""
        if self.output is None:
            return []
        path = place_at(self.output).path
        return [self.record()] if path is None else [path, self.record()]

    @property
    def package(self) -> Path | None:
        """The path of the data package; None if there is none."""
        if self.datapackage is not None or self.output is None or not self.is_described:
            return self.datapackage
        return place_at(self.output).package_path

    def beside(self) -> list[Path]:
        """All other files except the data package: reports, solution space, recoding, dossier."""
        others = (self.report, self.public_report, self.explore, self.save_recoding)
        dossier = dossier_paths(self.dossier).values() if self.dossier else ()
        return [path for path in (*others, *dossier) if path]

    def first(self) -> Path | None:
        """The file that identifies what a run writes; None if nothing is to be written."""
        return next((path for path in (*self.files(), *self.beside(), self.package) if path), None)

    def record(self) -> Path:
        """The path of the private run record."""
        assert self.output is not None
        return place_at(self.output).record_path(self.folder)

    def told(self, tables: Iterable[str] = ("",)) -> list[str]:
        """One sentence about each file that was written; ``tables`` has the suffixes of the release's tables."""
        told = []
        if self.output:
            told = [
                f"{place_at(self.output).shown} is the release.",
                *(f"{place_at(self.output).beside(name)} is {_TABLES.get(name, _DRAW)}." for name in tables if name),
                f"{self.record()} is the private record of this run, readable by you alone.",
            ]
        told += [f"{path} {what}" for name, what in _TOLD.items() if (path := getattr(self, name))]
        told += [describes(self.package)] if self.package else []
        if self.dossier:
            told.append(f"{self.dossier} has the dossier: internal.*, readable by you alone, and public.*.")
            told += [missing] if (missing := missing_formats()) else []
        return told or ["Nothing was written; name the output with -o."]


_TABLES = {"sensitive": "its second table, with the sensitive values", "codes": "its codebook"}
_DRAW = "another draw of the same table"

_TOLD = {
    "explore": "is the solution space, readable by you alone.",
    "save_recoding": "is the recoding, readable by you alone: shoal apply takes it.",
    "report": "is the internal report, readable by you alone.",
    "public_report": "is the public report.",
}


def describes(package: Path) -> str:
    """The sentence about a data package."""
    return f"{package} describes the release for programs and may be published with it."


def _check_folder(folder: Path, given: Iterable[Path]) -> None:
    """Refuse a folder that cannot be created, or whose files cannot be written."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"The dossier {str(folder)!r} is a file; give the name of a folder.")
    if not folder.parent.is_dir():
        raise InputError(f"The folder {str(folder.parent)!r} of the dossier does not exist; make it first.")
    for path in dossier_paths(folder).values() if folder.is_dir() else ():
        check_target(path, given, (path.suffix,))
    for path in dossier_paths(folder, ENDINGS).values():
        if path.exists() and path.suffix not in formats():
            raise InputError(
                f"{str(path)!r} is from an earlier dossier and cannot be replaced: {missing_formats()} Or remove it."
            )
