"""Leaks in Parquet and Arrow files: metadata, dictionaries, statistics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from shoal.audit.knowledge import Leak
from shoal.io.metadata_leaks_frame import unused_values

_HARMLESS = frozenset({"ARROW:schema"})


def look_at_parquet(path: Path, frame: pl.DataFrame) -> tuple[list[Leak], int]:
    """Check key-value metadata, dictionaries, and row-group statistics that do not match their rows."""
    from pyarrow import parquet

    file = parquet.ParquetFile(path)
    leaks = _metadata(file.metadata.metadata or {})
    texts = [field.name for field in file.schema_arrow if pa.types.is_string(_plain_type(field.type))]
    leaks += _dictionaries(parquet.ParquetFile(path, read_dictionary=texts).read(texts))
    leaks += _statistics(file)
    return leaks, 1 + frame.width * (1 + file.num_row_groups)


def _plain_type(kind: Any) -> Any:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def look_at_arrow(path: Path, frame: pl.DataFrame) -> tuple[list[Leak], int]:
    """Check schema metadata and dictionaries."""
    with pa.memory_map(str(path)) as source:
        table = pa.ipc.open_file(source).read_all()
        leaks = _metadata(table.schema.metadata or {}) + _dictionaries(table)
    return leaks, 1 + frame.width


def _metadata(found: Mapping[bytes, bytes]) -> list[Leak]:
    """Anything that a program wrote beside the columns; pandas leaves its index there."""
    leaks = []
    for key, value in found.items():
        name = key.decode(errors="replace")
        if name in _HARMLESS:
            continue
        what = f"it says {value.decode(errors='replace')[:60]!r}"
        if name == "pandas" and b'"index_columns": []' not in value:
            what = "it describes a pandas frame with its index"
        leaks.append(Leak(f"metadata {name!r}", what, "write the file without metadata"))
    return leaks


def _dictionaries(table: Any) -> list[Leak]:
    """Dictionary columns whose dictionary holds more values than the rows use."""
    leaks = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if not pa.types.is_dictionary(column.type):
            continue
        known = {str(value) for chunk in column.chunks for value in chunk.dictionary.to_pylist()}
        used = {str(value) for value in column.unique().to_pylist()}
        if known - used:
            leaks.append(unused_values(name, sorted(known - used)))
    return leaks


def _statistics(file: Any) -> list[Leak]:
    """Row groups whose recorded minimum and maximum are not those of their rows."""
    leaks = []
    for group in range(file.num_row_groups):
        rows, meta = file.read_row_group(group), file.metadata.row_group(group)
        for i in range(meta.num_columns):
            column = meta.column(i)
            found = column.statistics
            if found is None or not found.has_min_max or column.path_in_schema not in rows.column_names:
                continue
            values = [value for value in rows[column.path_in_schema].to_pylist() if value is not None]
            if (values and _differs(found.min, min(values))) or (values and _differs(found.max, max(values))):
                what = f"its statistics say {found.min!r} to {found.max!r}, its rows {min(values)!r} to {max(values)!r}"
                leaks.append(Leak(f"column {column.path_in_schema!r}", what, "write the file anew"))
    return leaks


def _differs(said: Any, found: Any) -> bool:
    return type(said) is type(found) and said != found
