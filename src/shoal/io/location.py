"""Locations of tables as users write them: a file, a table in a database, or an object in a store; never a pipe."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, TypedDict

from shoal.errors import InputError
from shoal.io.databases.address import Address, address_of

_REMOTE = re.compile(r"(s3a?|gs|abfss?|wasbs?|adl|oss|hdfs|s?webhdfs|viewfs|o3?fs)://", re.IGNORECASE)

_STORE = re.compile(r"(s3a?|gs|abfss?|adl)://", re.IGNORECASE)
"""URLs that polars can also read and write."""


class Remote(str):
    """A URL of an object store or of Hadoop, for the engines' own readers; a path cannot hold it."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The last part of the URL."""
        return self.rstrip("/").rpartition("/")[2]

    def refuse_hadoop(self) -> None:
        """Raise InputError for a URL that only Spark reads and writes."""
        if not _STORE.match(self):
            raise InputError(f"{self} is read and written by Spark's own readers; use --backend spark, or copy it.")


Location = Path | Address | Remote


class ReadingOptions(TypedDict, total=False):
    """How to read a text or a workbook; what is not said, or None, is found out.

    ``delimiter`` separates the fields of a text, ``quote`` is its quote character, empty for none. ``sheet`` is the
    name or number (from 1) of the sheet of a workbook. ``header_rows`` rows name the columns, below ``skip_rows`` rows.
    """

    delimiter: str | None
    encoding: str | None
    quote: str | None
    sheet: str | int | None
    skip_rows: int
    header_rows: int


_UNSAID = {"delimiter": None, "encoding": None, "quote": None, "sheet": None, "skip_rows": 0, "header_rows": 1}


def refuse_ignored(reading: Mapping[str, Any], used: Collection[str], where: str) -> None:
    """Raise InputError if something is said about reading that would be ignored there."""
    for option, default in _UNSAID.items():
        if option not in used and reading.get(option) not in (None, default):
            raise InputError(f"The option {option!r} does not apply to {where}; leave it out.")


def location_of(text: str | Path | Location, folder: Path = Path()) -> Location:
    """Parse a path or an address; relative files start at ``folder``. A URL of a store or of Hadoop stays a text."""
    if isinstance(text, Address):
        return text
    if isinstance(text, str) and _REMOTE.match(text):
        return Remote(text)
    return address_of(text, folder) or folder / Path(text)


def check_regular(path: Path) -> None:
    """Raise InputError if the path is a pipe, a socket or a device: reading it might never end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{str(path)!r} is not a regular file; copy its content into one.")
