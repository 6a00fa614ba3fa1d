"""Rows of a file, a piece at a time, and how often each value occurs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from shoal.core.schema import Schema
from shoal.engine.scale.columns import COUNT
from shoal.errors import InputError
from shoal.io.columns import check_names, mark_missing, settle
from shoal.io.csv_dialect import SAMPLE, find_dialect
from shoal.io.read import PARQUET, TEXT
from shoal.io.regular import check_regular

_NEARLY_UNIQUE = 0.9


@dataclass(frozen=True, eq=False)
class Rows:
    """A Parquet file that is read in pieces; delimited text is turned into one first."""

    path: Path
    names: list[str]
    n_rows: int
    missing_values: tuple[str, ...] = ()

    def batches(self, size: int, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """All rows, about ``size`` at a time, in plain kinds of columns."""
        with pq.ParquetFile(self.path) as file:
            for batch in file.iter_batches(size, columns=list(columns) if columns else None, use_threads=False):
                frame = pl.from_arrow(batch)
                assert isinstance(frame, pl.DataFrame)
                yield mark_missing(settle(frame), self.missing_values)

    def values(self, schema: Schema) -> dict[str, pl.DataFrame]:
        """For each column that is coded its distinct values and their numbers of rows. One pass per column."""
        found = {}
        for name in (*schema.quasi_identifiers, *schema.sensitive):
            counts = self._scan(name).group_by(name).agg(pl.len().cast(pl.Int64).alias(COUNT))
            found[name] = _united(mark_missing(settle(counts.collect(engine="streaming")), self.missing_values), name)
        return found

    def refuse_oversights(self, schema: Schema) -> None:
        """Refuse to publish a nearly unique column that nobody gave a role."""
        named = {*schema.quasi_identifiers, *schema.sensitive, *schema.identifiers, *schema.others}
        for name in self.names:
            if name not in named and self.n_rows >= 10:
                about = self._scan(name).select(n=pl.col(name).approx_n_unique(), m=pl.col(name).count())
                n_values, n_present = about.collect(engine="streaming").row(0)
                if n_present >= 10 and n_values > _NEARLY_UNIQUE * n_present:
                    raise InputError(
                        f"The column {name!r} has no role and is nearly unique, so publishing it could name people; "
                        "add it to identifiers to drop it, or to others to publish it as it is."
                    )

    def _scan(self, name: str) -> pl.LazyFrame:
        return pl.scan_parquet(self.path).select(name)


def open_rows(path: Path, spill: Path, *, missing_values: Sequence[str] = (), **reading: object) -> Rows:
    """Look at a file of rows; delimited text is first copied to a Parquet file in ``spill``, in one pass.

    Raises:
        InputError: the file is missing, is of another kind, or has no rows.
    """
    if not path.exists():
        raise InputError(f"There is no file {str(path)!r}.")
    check_regular(path)
    ending = path.suffix.lower()
    if ending in TEXT:
        path = _as_parquet(path, spill / "rows.parquet", **reading)
    elif ending not in PARQUET:
        raise InputError(
            f"With a memory limit the table must be .parquet, .csv, .tsv or .txt, not {ending or 'a folder'}."
        )
    try:
        with pq.ParquetFile(path) as file:
            names, n_rows = file.schema_arrow.names, file.metadata.num_rows
    except (OSError, ValueError) as problem:
        reason = str(problem).split("\n")[0].rstrip(".")
        raise InputError(
            f"{path.name} is not a whole Parquet file ({reason}); check what it is or make it anew."
        ) from None
    check_names(names, path.name)
    if not n_rows:
        raise InputError(f"{path.name} has columns but no rows; a table needs at least one row.")
    return Rows(path, names, n_rows, tuple(missing_values))


def _as_parquet(path: Path, target: Path, **reading: object) -> Path:
    """Delimited text as columns of text, in one streaming pass."""
    given = {word: str(value) for word, value in reading.items() if value is not None}
    with path.open("rb") as file:
        start = file.read(SAMPLE)
    try:
        text = start.decode("utf-8-sig", errors="strict" if len(start) < SAMPLE else "ignore")
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is not UTF-8, which a run with a memory limit needs; convert it.") from None
    first = "\t" if path.suffix.lower() == ".tsv" else ","
    dialect = find_dialect(text, len(start) < SAMPLE, given.get("delimiter"), given.get("quote"), first)
    lines = pl.scan_csv(
        path, separator=dialect.delimiter, quote_char=dialect.quote or None, infer_schema=False, null_values=[""]
    )
    try:
        lines.sink_parquet(target, compression="lz4", row_group_size=200_000)
    except pl.exceptions.PolarsError as problem:
        reason = str(problem).split("\n")[0].rstrip(".")
        raise InputError(f"{path.name} cannot be read as delimited text ({reason}).") from None
    return target


def _united(counts: pl.DataFrame, name: str) -> pl.DataFrame:
    """Values that became equal, such as NaN and missing, counted together."""
    return counts.group_by(name).agg(pl.col(COUNT).sum())
