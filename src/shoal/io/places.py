"""What a user writes to say where a table is: a file, or an address of a database."""

from __future__ import annotations

import re
from pathlib import Path

from shoal.errors import InputError
from shoal.io.databases.address import Address, address_of

_REMOTE = re.compile(r"(s3a?|gs|abfss?|wasbs?|adl|oss|hdfs|s?webhdfs|viewfs|o3?fs)://", re.IGNORECASE)


_STORE = re.compile(r"(s3a?|gs|abfss?|adl)://", re.IGNORECASE)
"""What polars reads and writes too."""


class Remote(str):
    """A URL of an object store or of Hadoop: for the engines' own readers, and nothing that a path could hold."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its last part."""
        return self.rstrip("/").rpartition("/")[2]

    @property
    def spelled(self) -> str:
        """A text that ``place_of`` understands."""
        return str(self)


Place = Path | Address | Remote


def place_of(text: str | Path, folder: Path = Path()) -> Place:
    """The file or the address; files start at ``folder``. A URL of an object store or of Hadoop stays a text."""
    if isinstance(text, str) and _REMOTE.match(text):
        return Remote(text)
    return address_of(text, folder) or folder / Path(text)


def refuse_remote(place: Place | None) -> None:
    """Raise InputError for a URL that only Spark reads and writes."""
    if place is not None and _REMOTE.match(str(place)) and not _STORE.match(str(place)):
        raise InputError(f"{place} is read and written by Spark's own readers; say --backend spark, or copy it.")


def shown(place: Place) -> str:
    """How messages call it: in full, but without users and passwords."""
    return place.shown if isinstance(place, Address) else str(place)


def name_of(place: Place) -> str:
    """How reports call it: without folders, users and passwords."""
    return place.shown if isinstance(place, Address) else place.name
