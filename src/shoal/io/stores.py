"""Tables in object stores, read and written with polars; credentials come from the environment."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Unpack, cast

import polars as pl

from shoal.errors import InputError
from shoal.io.column_rules import check_names, fresh, mark_missing, settle
from shoal.io.csv_read import read_text
from shoal.io.location import ReadingOptions, Remote, refuse_ignored

_ENDINGS = (".parquet", ".csv", ".tsv")


def read_store(
    url: Remote,
    *,
    missing_values: Sequence[str] = (),
    empty_nested: bool = False,
    folds: bool = True,
    **reading: Unpack[ReadingOptions],
) -> pl.DataFrame:
    """Read an object: Parquet, or text in UTF-8, by the same rules as files.

    Raises:
        InputError: it does not exist, may not be read, has another format or no rows.
    """
    refuse_ignored(reading, {"delimiter", "quote", "skip_rows", "header_rows"}, "an object store")
    reading.pop("sheet", None)
    ending = check_store(url)
    try:
        if ending == ".parquet":
            rows = pl.read_parquet(url)
        else:
            lines = pl.read_lines(url).to_series()
            return read_text("\n".join(lines).encode(), url.name, missing_values=missing_values, **reading).read()
    except FileNotFoundError:
        raise InputError(f"There is no object {url}; check its name.") from None
    except (OSError, pl.exceptions.PolarsError) as problem:
        raise _refused(url, "read", problem) from None
    check_names(rows.columns, str(url))
    if not rows.height:
        raise InputError(f"{url} has columns but no rows; a table needs at least one row.")
    return mark_missing(settle(rows, empty_nested=empty_nested, folds=folds), missing_values)


def write_store(frame: pl.DataFrame, url: Remote, ready: Callable[[pl.DataFrame], None] = lambda rows: None) -> None:
    """Write a Parquet object, completely or not at all; first pass ``ready`` the rows as a reader would get them.

    Raises:
        InputError: the store refuses, or returns different rows.
    """
    import pyarrow.parquet as pq

    check_store(url, writing=True)
    rows, file = fresh(settle(frame)), io.BytesIO()
    rows.write_parquet(file)
    seen = cast("pl.DataFrame", pl.from_arrow(pq.read_table(file)))
    ready(settle(seen))
    try:
        rows.write_parquet(url)
    except (OSError, pl.exceptions.PolarsError) as problem:
        raise _refused(url, "written", problem) from None
    found = rows_at(url)
    if found is None or not settle(seen).equals(found):
        raise InputError(
            f"The object {url} does not contain the rows that were written; delete it, and do not publish it."
        )


def rows_at(url: Remote) -> pl.DataFrame | None:
    """The rows of a Parquet object; None if it does not exist.

    Raises:
        InputError: the store does not respond.
    """
    try:
        return settle(pl.read_parquet(url))
    except FileNotFoundError:
        return None
    except (OSError, pl.exceptions.PolarsError) as problem:
        raise _refused(url, "read", problem) from None


def check_store(url: Remote, *, writing: bool = False) -> str:
    """Return the extension of an object's name.

    Raises:
        InputError: the extension is not supported.
    """
    ending = PurePosixPath(url).suffix.lower()
    known = _ENDINGS[:1] if writing else _ENDINGS
    if ending not in known:
        verb = "written as" if writing else "read from"
        raise InputError(f"In an object store a table is {verb} {', '.join(known)}; {str(url)!r} has another ending.")
    return ending


def _refused(url: Remote, verb: str, problem: Exception) -> InputError:
    """The error with the beginning of the store's own message: the rest may contain user names or credentials."""
    reason = str(problem).partition(":")[0].strip() or type(problem).__name__
    return InputError(f"{url} cannot be {verb} ({reason}); check the address and your rights.")
