"""Rewording of drivers' errors, without passwords, user names or query text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from shoal.errors import InputError, ShoalError

_WORDS = (
    (r"password authentication failed|no password supplied|28P01|28000|fe_sendauth",
     "the server refused the user or the password; set PGUSER and PGPASSWORD, or keep them in ~/.pgpass"),
    (r"permission denied|42501|must be owner",
     "you lack the right to do so; reading needs SELECT on the table, and writing CREATE on its schema"),
    (r"Connection refused|could not connect|timeout expired|No route|could not translate host|timed? out",
     "the server cannot be reached; check host and port, and that it is running"),
    (r'database "[^"]*" does not exist|3D000', "the server has no database of that name"),
    (r"does not exist|no such table|42P01", "there is no table or column of that name"),
    (r"already exists|42P07", "a table of that name exists already; choose another name, or use --replace"),
    (r"depends on|2BP01", "other objects such as views depend on the table that would be replaced; drop them first"),
    (r"lock|is being used|busy", "another program has it open for writing; wait for it or close it"),
    (r"No space left|disk.*full", "the disk is full; make room and run again"),
    (r"not a database|not a valid DuckDB|malformed", "the file is not such a database"),
    (r"read-only|readonly|attempt to write", "it may only be read; choose another place"),
    (r"unable to open|Cannot open|[Pp]ermission", "the file cannot be opened; check that it is there and readable"),
    (r"syntax error|42601|Parser Error", "the query is not valid SQL"),
)  # fmt: skip


@contextmanager
def needs_driver(name: str) -> Iterator[None]:
    """If a driver is missing, say what to install."""
    try:
        yield
    except ImportError:
        raise InputError(
            f"{name} needs the drivers of shoal's db extra; pip install 'shoal[db]' brings them."
        ) from None


@contextmanager
def translated(location: str) -> Iterator[None]:
    """Turn what a driver raises into an InputError of one sentence."""
    try:
        yield
    except ShoalError:
        raise
    except Exception as problem:
        if not type(problem).__module__.startswith(("adbc_driver", "_adbc", "duckdb", "_duckdb")):
            raise
        where = re.sub(r"//[^/@]*@", "//", location).partition("?")[0]
        raise InputError(f"The database {where!r}: {_reason(problem)}.") from None


def _reason(problem: Exception) -> str:
    text = f"{problem} {getattr(problem, 'sqlstate', None) or ''}"
    for pattern, words in _WORDS:
        if re.search(pattern, text):
            return words
    return f"its driver gave up ({type(problem).__name__})"
