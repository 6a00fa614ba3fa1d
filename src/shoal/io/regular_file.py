"""Files that can be read from start to end, any number of times."""

from __future__ import annotations

from pathlib import Path

from shoal.errors import InputError


def check_regular(path: Path) -> None:
    """Raise InputError if the path is a pipe, a socket or a device: reading it might never end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{str(path)!r} is not a regular file; copy its content into one.")
