"""The location of an input or output table: read it, check that it can be written, write it, show it, record it.

``place_at`` is the only function that distinguishes the kinds of locations.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from shoal.errors import InputError
from shoal.io.databases import Address, check_table, read_table, write_table
from shoal.io.dictionaries import dictionary_of, forget_dictionaries, has_few_values
from shoal.io.location import Location, Remote, location_of, refuse_ignored
from shoal.io.read import ReadTable, file_hash, read_frame
from shoal.io.read_back import read_back, read_text_back
from shoal.io.stats_read import CodeMeaning
from shoal.io.stores import check_store, read_store, write_store
from shoal.io.text_layout import TextLayout
from shoal.io.write import FORMATS, LABELLED, check_target


@dataclass(frozen=True, eq=False)
class Order:
    """How to write a table: a file's temporary path until it is renamed, and options for databases and checks.

    ``unjudged`` are columns that are not read back; ``codes`` holds the codes of missing values per record.
    """

    path_for: Callable[[Path], Path]
    types: Mapping[str, str]
    meanings: Mapping[str, CodeMeaning]
    replace: bool
    unjudged: Collection[str]
    layout: TextLayout = field(default_factory=TextLayout)
    codes: Mapping[str, pl.Series] = field(default_factory=dict)


class Place(ABC):
    """The location of a table.

    ``shown`` is the full location for messages, ``name`` the name for reports, without folders; neither contains user
    names or passwords. ``path`` is given if the table is a file of its own.
    """

    is_seen_at_once: ClassVar[bool] = True
    """Whether others see a table as soon as it is written; files are renamed later, all together."""

    def __init__(self, shown: str, name: str, path: Path | None = None) -> None:
        self.shown, self.name, self.path = shown, name, path

    @property
    def spelled(self) -> str:
        """A text that ``location_of`` understands in any folder; for private files, as it may contain the user name."""
        return self.shown

    @property
    def form(self) -> str:
        """The format of the written table, for messages on what was lost in it."""
        return self.name if self.path is None else self.path.suffix

    @property
    def file(self) -> Path | None:
        """The file that contains the table, which no output may overwrite."""
        return self.path

    @property
    def is_protected(self) -> bool:
        """Whether the location holds something that no output may overwrite."""
        return self.path is not None and self.path.is_file()

    @abstractmethod
    def recorded(self, path: Path | None = None) -> dict[str, str]:
        """The entry in the run record; a file that has not been renamed yet is at ``path``."""

    @abstractmethod
    def record_path(self, folder: Path) -> Path:
        """Path of the private record of a run that writes here: beside a file, otherwise in ``folder``."""

    @property
    def package_path(self) -> Path | None:
        """Default path of the description of a release that is written here: beside a file."""
        return None if self.path is None else self.path.with_suffix(".datapackage.json")

    def beside(self, name: str) -> Path:
        """Path of a further table of a release: ``name.sensitive.csv`` beside ``name.csv``."""
        if self.path is None:
            raise InputError("A release in several tables is written to files, not to a database; give a file's name.")
        return self.path.with_suffix(f".{name}{self.path.suffix}")

    @abstractmethod
    def read(self, query: str | None, **reading: Any) -> ReadTable:
        """Read the table; ``query`` is SQL to read instead, for databases only."""

    def refuse(self) -> None:  # noqa: B027 (most places are for everybody)
        """Raise InputError for a location that only Spark reads and writes."""

    @abstractmethod
    def check(self, sources: Sequence[Location], *, replace: bool = False) -> None:
        """Raise InputError if a table cannot be written here, or would overwrite a source."""

    @abstractmethod
    def write(self, frame: pl.DataFrame, order: Order, ready: Callable[[pl.DataFrame], None]) -> Path | None:
        """Write a table and return a file's current path; first pass ``ready`` the table as a reader would get it."""


class _File(Place):
    """A file, given by its path."""

    is_seen_at_once: ClassVar[bool] = False

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), path.name, path)
        self._path = path

    def recorded(self, path: Path | None = None) -> dict[str, str]:
        there = path or self._path
        return {"path": str(self._path), **({} if there.is_dir() else {"sha256": file_hash(there)})}

    def record_path(self, folder: Path) -> Path:
        return self._path.with_suffix(".run.json")

    def read(self, query: str | None, **reading: Any) -> ReadTable:
        refuse_query(query)
        return read_frame(self._path, **reading)

    def check(self, sources: Sequence[Location], *, replace: bool = False) -> None:
        check_target(self._path, files_of(sources))

    def write(self, frame: pl.DataFrame, order: Order, ready: Callable[[pl.DataFrame], None]) -> Path:
        ending, path = self._path.suffix.lower(), order.path_for(self._path)
        known = {"meanings": order.meanings, "codes": order.codes} if ending in LABELLED else {}
        wanted = [name for name in frame.columns if name not in order.unjudged]
        if order.layout.says_something:
            order.layout.write(frame, path, ending)
            ready(read_text_back(path, ending, frame.columns, wanted, order.layout))
            return path
        FORMATS[ending](frame, path, **known)
        few = [name for name in wanted if frame[name].dtype == pl.String and has_few_values(frame[name])]
        breaks = any(map(_has_breaks, (pl.Series(frame.columns), *frame.iter_columns())))
        forget_dictionaries()  # free memory before the table is read back
        ready(read_back(path, ending, frame.columns, wanted, few, breaks=breaks))
        return path


def _has_breaks(values: pl.Series) -> bool:
    """Whether any of these values spans several lines when written as text."""
    if values.dtype == pl.String:
        return bool(dictionary_of(values)[1].str.contains(r"[\r\n]").any())
    return not (values.dtype.is_numeric() or values.dtype.is_temporal() or values.dtype == pl.Boolean)


class _DatabaseTable(Place):
    """A table in a database, given by its address."""

    def __init__(self, address: Address) -> None:
        super().__init__(address.shown, address.shown)
        self._address = address

    @property
    def spelled(self) -> str:
        return self._address.spelled

    @property
    def file(self) -> Path | None:
        return self._address.file

    @property
    def is_protected(self) -> bool:
        return True

    def recorded(self, path: Path | None = None) -> dict[str, str]:
        return {"database": self.shown}

    def record_path(self, folder: Path) -> Path:
        return folder / f"{self._address.record_name}.run.json"

    def read(self, query: str | None, **reading: Any) -> ReadTable:
        refuse_ignored(reading, (), "a database")
        table = read_table(self._address, query, folds=reading.get("folds", True))
        return ReadTable(table.frame, replace(self._address, query=query or ""), types=table.types)

    def check(self, sources: Sequence[Location], *, replace: bool = False) -> None:
        check_table(self._address, [source for source in sources if isinstance(source, Address)], replace=replace)

    def write(self, frame: pl.DataFrame, order: Order, ready: Callable[[pl.DataFrame], None]) -> None:
        write_table(frame, self._address, order.types, replace=order.replace, ready=ready)


class _StoredObject(Place):
    """An object in a store, given by its URL."""

    def __init__(self, url: Remote) -> None:
        super().__init__(str(url), url.name)
        self._url = url

    def recorded(self, path: Path | None = None) -> dict[str, str]:
        return {"path": self.shown}

    def record_path(self, folder: Path) -> Path:
        return folder / Path(self.name).with_suffix(".run.json")

    def read(self, query: str | None, **reading: Any) -> ReadTable:
        refuse_query(query)
        self.refuse()
        return ReadTable(read_store(self._url, **reading), self._url)

    def refuse(self) -> None:
        self._url.refuse_hadoop()

    def check(self, sources: Sequence[Location], *, replace: bool = False) -> None:
        check_store(self._url, writing=True)

    def write(self, frame: pl.DataFrame, order: Order, ready: Callable[[pl.DataFrame], None]) -> None:
        write_store(frame, self._url, ready)


_KINDS: Mapping[type, Callable[[Any], Place]] = {Path: _File, Address: _DatabaseTable, Remote: _StoredObject}


def place_at(location: str | Location) -> Place:
    """The place at a location."""
    found = location_of(location)
    return next(kind for wanted, kind in _KINDS.items() if isinstance(found, wanted))(found)


def files_of(locations: Sequence[Location]) -> list[Path]:
    """The files at these locations, or that contain them."""
    return [file for location in locations if (file := place_at(location).file) is not None]


def refuse_query(query: str | None) -> None:
    """Raise InputError if there is a query, for anything but a database."""
    if query is not None:
        raise InputError("A query is for databases such as postgresql://host/database; leave it out.")
