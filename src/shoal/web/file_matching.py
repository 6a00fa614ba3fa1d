"""Which column a hierarchy file is for, by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath


def column_of(file: str, columns: Iterable[str]) -> str | None:
    """The column whose name the name of the file ends with, or begins with; the longest of several; None for none.

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
