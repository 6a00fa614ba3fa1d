"""Writing a table to a file, completely or not at all, and checking a target beforehand."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from shoal.errors import InputError
from shoal.io.atomic import atomic, write_private, write_text
from shoal.io.column_rules import fresh, settle
from shoal.io.csv_write import write_csv

__all__ = ["FORMATS", "LABELLED", "atomic", "check_target", "write_frame", "write_private", "write_text"]


def check_target(target: Path, sources: Iterable[Path], endings: Collection[str] | None = None) -> None:
    """Raise InputError if ``target`` cannot be written, or is a source; call this before the work begins.

    ``endings`` are the allowed extensions; by default those of tables.
    """
    _check_ending(target, FORMATS if endings is None else endings)
    if target.suffix.lower() in LABELLED and find_spec("pyreadstat") is None:
        raise InputError(f"To write {target.name!r} shoal needs pyreadstat: pip install 'shoal[stats]'.")
    folder = target.parent
    if not folder.is_dir():
        raise InputError(f"The folder {str(folder)!r} of the output {target.name!r} does not exist; make it first.")
    if target.is_dir():
        raise InputError(f"The output {str(target)!r} is a folder; give the name of a file in it.")
    if target.exists() and not target.is_file():
        raise InputError(f"The output {str(target)!r} is not a regular file; give another name.")
    for source in sources:
        if _is_same(target, source):
            raise InputError(f"The output {str(target)!r} would overwrite {str(source)!r}; give another name.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"You may not write to the folder {str(folder)!r}; choose another.")


def write_frame(frame: pl.DataFrame, target: Path, *, private: bool = False) -> None:
    """Write a table; the file extension determines the format. The same table always gives the same bytes.

    Only the table itself is written: no index, no metadata, no categories that no row has, nothing under missing
    values. An old file is replaced only when the new one is complete. A ``private`` file is readable only by its owner.

    Raises:
        InputError: the extension is unknown, the disk is full, or the format cannot hold the table.
    """
    _check_ending(target, FORMATS)
    with atomic(target, private=private) as path:
        FORMATS[target.suffix.lower()](frame, path)


def _is_same(target: Path, source: Path) -> bool:
    """Whether two paths lead to the same file, through links or different spellings."""
    if target.exists() and source.exists():
        return target.samefile(source)
    return target.resolve() == source.resolve()


def _check_ending(target: Path, endings: Collection[str]) -> None:
    if target.suffix.lower() not in endings:
        found = f"the ending {target.suffix!r}" if target.suffix else "no ending"
        raise InputError(f"Cannot tell how to write {target.name!r}: it has {found}; known are {', '.join(endings)}.")


def _write_excel(frame: pl.DataFrame, path: Path) -> None:
    from shoal.io.excel_write import write_excel

    write_excel(frame, path)


def _write_stats(frame: pl.DataFrame, path: Path, ending: str, **known: Any) -> None:
    from shoal.io.stats_write import write_stats

    write_stats(frame, path, ending, **known)


def write_parquet(frame: pl.DataFrame, path: Path) -> None:
    """Write Parquet without any metadata; its statistics are those of the written values. O(cells)."""
    import pyarrow.parquet as pq

    with path.open("wb") as file:
        pq.write_table(_bare(frame), file, store_schema=False)


def write_arrow(frame: pl.DataFrame, path: Path) -> None:
    """Write an Arrow file (Feather, version 2), with plain text columns, for old readers as well. O(cells)."""
    table = _bare(frame)
    with path.open("wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def _bare(frame: pl.DataFrame) -> pa.Table:
    """The table with plain columns, one chunk each, with no metadata and nothing under its missing values."""
    table = fresh(settle(frame)).to_arrow(compat_level=pl.CompatLevel.oldest())
    return table.combine_chunks().replace_schema_metadata(None)


LABELLED: Mapping[str, Callable[..., None]] = {
    ending: partial(_write_stats, ending=ending) for ending in (".sav", ".dta", ".xpt")
}
"""Formats that also store the meaning of codes and which mean missing, passed as further arguments."""

FORMATS: Mapping[str, Callable[..., None]] = {
    ".csv": partial(write_csv, delimiter=","),
    ".tsv": partial(write_csv, delimiter="\t"),
    ".parquet": write_parquet,
    ".arrow": write_arrow,
    ".feather": write_arrow,
    ".xlsx": _write_excel,
    **LABELLED,
}
"""How to write each file format."""
