"""What a user writes to say where a table is: a file, or an address of a database."""

from __future__ import annotations

from pathlib import Path

from shoal.io.databases.address import Address, address_of

Place = Path | Address


def place_of(text: str | Path, folder: Path = Path()) -> Place:
    """The file or the address; files start at ``folder``."""
    return address_of(text, folder) or folder / Path(text)


def name_of(place: Place) -> str:
    """How reports call it: without folders, users and passwords."""
    return place.shown if isinstance(place, Address) else place.name
