"""Reading a published table, with its cells as structured values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.recoding import range_label
from shoal.core.schema import refuse_unknown
from shoal.io.cell_forms.taken_apart import Cell, CodedLabels, ColumnCells, ColumnMeaning, take_apart
from shoal.io.formula import rearmed
from shoal.io.frames import to_polars
from shoal.io.label_grammar import parse_label
from shoal.io.read import EXCEL, TEXT, read_frame
from shoal.io.written_values import WrittenValues

IS = pl.Enum(["value", "range", "set", "any", "missing"])
"""What a cell covers: one value, a range of values, a list of values, any value at all, or a missing one."""


def read_published(data: str | Path | Any, **reading: Any) -> pl.DataFrame:
    """Read the frame; from a file for spreadsheets, without the apostrophes that stop formulas from running."""
    if not isinstance(data, str | Path):
        return to_polars(data)[0]
    written = WrittenValues.taken_from(reading)
    frame = read_frame(data, missing_values=written.missing_values, **reading).frame
    written.check_columns(frame.columns)
    if Path(data).suffix.lower() not in (*TEXT, *EXCEL):
        return written.read(frame)
    return written.read(frame.with_columns(rearmed(pl.col(pl.String)).name.keep()))


def with_labels(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Restore labels where columns are printed as bounds: ``age`` instead of ``age_low`` and ``age_high``.

    Raises:
        InputError: a column is missing, both by itself and as bounds.
    """
    for name in names:
        bounds = [f"{name}_low", f"{name}_high"]
        if name not in frame.columns and {*bounds} <= {*frame.columns}:
            frame = _from_bounds(frame, name, bounds)
        refuse_unknown([name], frame.columns)
    return frame


def _from_bounds(frame: pl.DataFrame, name: str, bounds: list[str]) -> pl.DataFrame:
    flag = f"{name}_missing"
    has_flag = flag in frame.columns
    keys = frame.select(pl.col(bounds).cast(pl.String), *([pl.col(flag).cast(pl.String)] if has_flag else []))
    distinct = keys.unique(maintain_order=True)
    labels = [_label(low, high, *is_missing) for low, high, *is_missing in distinct.iter_rows()]
    told = distinct.with_columns(pl.Series(name, labels, dtype=pl.String))
    found = keys.join(told, on=keys.columns, how="left", nulls_equal=True, maintain_order="left")[name]
    order = [name if one == bounds[0] else one for one in frame.columns if one not in (bounds[1], flag)]
    return frame.with_columns(found).select(order)


def _label(low: str | None, high: str | None, is_missing: str | None = None) -> str | None:
    if low is None and high is None:
        return None if is_missing is not None and is_missing.lower() == "true" else "*"
    return low if low == high else range_label(low or "", high or "")


def columns_with_cells(frame: pl.DataFrame) -> tuple[str, ...]:
    """The columns in which some label covers several values, and those printed as bounds."""
    labels = {column.name: column.drop_nulls().unique() for column in frame if column.dtype == pl.String}
    found = [name for name, own in labels.items() if any(parse_label(label).what != "value" for label in own)]
    bounded = [name[:-4] for name in frame.columns if name.endswith("_low") and f"{name[:-4]}_high" in frame.columns]
    return (*bounded, *found)


def cells_of(frame: pl.DataFrame, meanings: Mapping[str, ColumnMeaning]) -> dict[str, ColumnCells]:
    """Parse the labels of these columns."""
    return {name: take_apart(CodedLabels.of(frame[name]), meaning) for name, meaning in meanings.items()}


def structs(column: ColumnCells) -> pl.Series:
    """A column of structs: ``is`` says what the cell covers; ``low``, ``high`` are its ends, ``values`` its members."""
    fields = {"is": IS, "low": column.dtype, "high": column.dtype, "values": pl.List(column.dtype)}
    rows = [(cell.what, cell.low, cell.high, cell.values) for cell in column.cells]
    made = pl.DataFrame(rows, fields, orient="row").to_struct(column.name)
    return made.gather(column.ids)


def interval_objects(column: ColumnCells) -> list[Any]:
    """For each distinct cell a pandas Interval, closed at both ends; a list if values do not lie on a line.

    Stars and missing values are None.
    """
    if not column.has_line:
        return [None if cell.values is None else list(cell.values) for cell in column.cells]
    pandas = import_module("pandas")
    return [_interval(cell, pandas) for cell in column.cells]


def _interval(cell: Cell, pandas: Any) -> Any:
    present = [value for value in (cell.low, cell.high, *(cell.values or ())) if value is not None]
    if not present or (cell.what == "range" and len(present) < 2):
        return None
    ends = (min(present), max(present))
    if not isinstance(ends[0], int | float):
        ends = (pandas.Timestamp(ends[0]), pandas.Timestamp(ends[1]))
    return pandas.Interval(*ends, closed="both")
