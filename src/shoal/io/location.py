"""Locations of tables as users write them: a file, a table in a database, or an object in a store; never a pipe."""

from __future__ import annotations

import re
from pathlib import Path

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
