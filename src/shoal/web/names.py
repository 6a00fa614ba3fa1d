"""Names of uploaded files: they are shown and written to job files, but never used as paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath, PurePosixPath

from shoal.errors import InputError
from shoal.io.read import ARROW, EXCEL, PARQUET, TEXT

ENDINGS = (*TEXT, *PARQUET, *ARROW, *EXCEL)
_LONGEST = 120


def file_name(said: str) -> str:
    r"""Return the file name if it is valid.

    >>> file_name("people.csv")
    'people.csv'
    """
    if re.search(r"[/\\:*?\"<>|]", said) or not said.isprintable() or said.startswith((".", "-", "~")):
        raise InputError("The name of a file must be a plain name such as people.csv, without folders.")
    if not said.strip() or said != said.strip() or len(said) > _LONGEST:
        raise InputError(
            f"The name of a file must have between 1 and {_LONGEST} characters, and no blanks at either end."
        )
    return said


def table_name(said: str) -> str:
    """Return the name of a file that contains a table, if it is valid."""
    name = file_name(said)
    if PurePosixPath(name).suffix.lower() not in ENDINGS:
        raise InputError(f"Cannot tell what kind of table this is by its name; known endings are {', '.join(ENDINGS)}.")
    return name


def safe_stem(column: str) -> str:
    """The name of a column as part of a file name.

    >>> safe_stem("zip / code")
    'zip_code'
    """
    return re.sub(r"[^A-Za-z0-9]+", "_", column).strip("_")[:40] or "column"


def column_of(file: str, columns: Iterable[str]) -> str | None:
    """The column whose name the file's name ends or begins with; the longest one if several do; None if none does.

    >>> column_of("adult_hierarchy_marital-status.csv", ["status", "marital-status", "age"])
    'marital-status'
    >>> column_of("zip.csv", ["ZIP", "age"])
    'ZIP'
    """
    words = _words(PurePath(file).stem)
    fitting = [name for name in columns if _fits(_words(name), words)]
    return max(fitting, key=lambda name: len(_words(name)), default=None)


def _fits(column: Sequence[str], file: Sequence[str]) -> bool:
    n = len(column)
    return bool(n) and (file[-n:] == column or file[:n] == column)


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", text.lower()) if word]
