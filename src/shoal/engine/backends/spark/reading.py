"""Reads files for Spark by the same rules as every other table.

Spark's own readers fill short rows, rename duplicate columns and infer other column types. So a text file on this
machine is first copied to Parquet by our own reader, and so is a Parquet file with column types that Spark
misinterprets. What only Spark can reach (Hadoop, object stores) must be Parquet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as f

from shoal.engine.backends.spark.dataframes import is_of_spark, quoted
from shoal.errors import InputError
from shoal.io.arrow_read import ParquetRows, published_names
from shoal.io.read import PARQUET, TEXT, kind_of, reachable
from shoal.io.table_file import open_table_file

_PLAIN = {
    pa.string(), pa.large_string(), pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(),
    pa.float64(), pa.date32(), pa.timestamp("us"),
}  # fmt: skip
"""The column types of Parquet files that Spark interprets correctly."""

_ONE_HEADER = 1


def read_rows(spark: Any, source: str, folder: Path, **reading: Any) -> Any:
    """A DataFrame of the rows of a file, a folder of files, or a location that only Spark can reach.

    Copies go to ``folder``, which must exist until the rows have been read, and be visible to executors. ``reading``
    has the settings for reading, except ``query``, ``sheet`` and ``fold``.

    Raises:
        InputError: it cannot be read as a table.
    """
    if "://" in source:
        return _remote(spark, source, reading)
    path = Path(source).expanduser()
    if path.is_dir() and any(part.is_dir() for part in _parts(path)):
        return _by_spark(spark, [local_url(path)], source)
    files = _parts(path) if path.is_dir() else [path]
    if not files:
        raise InputError(f"The folder {source!r} has no files.")
    copies = [_for_spark(file, folder, number, reading) for number, file in enumerate(files)]
    return _by_spark(spark, [local_url(copy) for copy in copies], source)


def local_url(path: Path) -> str:
    """A path as Spark reads it: blanks unchanged, and characters of patterns escaped."""
    return "file://" + re.sub(r"([*?\[\]{}\\])", r"\\\1", str(path.resolve()))


@contextmanager
def case_sensitive(spark: Any) -> Iterator[None]:
    """Treat ``Age`` and ``age`` as two columns, as everywhere else."""
    name = "spark.sql.caseSensitive"
    before = spark.conf.get(name)
    spark.conf.set(name, "true")
    try:
        yield
    finally:
        spark.conf.set(name, before)


def _parts(folder: Path) -> list[Path]:
    """The files of a folder that belong together; names beginning with a dot or underscore are ignored."""
    with reachable(folder):
        return sorted(part for part in folder.iterdir() if not part.name.startswith((".", "_")))


def _for_spark(file: Path, folder: Path, number: int, reading: dict[str, Any]) -> Path:
    """The file itself, or a copy that Spark reads as we would."""
    own = folder / str(number)
    own.mkdir()
    table = open_table_file(file, own, empty_nested=True, **reading)
    if table.written.says_something:
        return table.plain_copy(own / "plain.parquet")
    if kind_of(file) == TEXT:
        return table.path
    rows = ParquetRows(file, file.name)
    kinds = {rows.opened.schema_arrow.field(name).type for name in table.names}
    rows.close()
    return file if kinds <= _PLAIN else table.plain_copy(own / "plain.parquet")


def _remote(spark: Any, source: str, reading: dict[str, Any]) -> Any:
    given = next((word for word, value in reading.items() if value not in (None, (), {}, 0, _ONE_HEADER)), None)
    if given or source.rstrip("/").lower().endswith(TEXT):
        said = f"{given!r} cannot be used" if given else "delimited text is not read"
        raise InputError(f"On Spark, {said} for {source!r}; convert it to {PARQUET[0]} first, or copy it to a disk.")
    return _by_spark(spark, [source], source)


def _by_spark(spark: Any, paths: Sequence[str], source: str) -> Any:
    try:
        df = spark.read.parquet(*paths)
    except Exception as problem:
        if not is_of_spark(problem):
            raise
        raise InputError(f"Spark cannot read {source!r} as a table; check that it is there and readable.") from None
    names, _ = published_names(df.columns, Path(source).name)
    return df.select(*(f.col(quoted(name)) for name in names))
