"""Unintended content of a file or frame besides its records.

Checked, as far as the file type has them: columns that number the rows, unrounded digits, sets that list their values
in different orders, categories that no record has, dictionaries, metadata, row-group statistics, document properties,
comments, hidden sheets, strings that no cell uses, a frame's own index.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import polars as pl
import pyarrow as pa

from shoal.audit.knowledge import Carried, Leak
from shoal.io.metadata_leaks_frame import look_at_columns, look_at_object, unused_values
from shoal.io.read import ARROW, EXCEL, PARQUET

Looker = Callable[[Path, pl.DataFrame], tuple[list[Leak], int]]

_PROPERTIES = ("creator", "lastModifiedBy", "title", "subject", "description", "keywords", "Company", "Manager")
_PARTS = {
    "xl/comments": ("comments", "remove them"),
    "xl/threadedComments": ("comments", "remove them"),
    "xl/pivotCache": ("a pivot table with a copy of its source", "remove it"),
    "xl/externalLinks": ("links to other files", "break them"),
    "xl/vbaProject": ("macros", "save it without"),
    "customXml": ("custom parts", "remove them"),
    "docProps/custom": ("custom properties", "remove them"),
}


def look_at(path: Path | None, frame: pl.DataFrame, quasi: Sequence[str], given: Any) -> Carried:
    """Check the records, and the file or object they came in. O(cells)."""
    leaks, looked_at = look_at_columns(frame, quasi)
    if path is None:
        more, places = look_at_object(given)
    else:
        looks = (look for endings, look in _BY_ENDING.items() if path.suffix.lower() in endings)
        more, places = next(looks, lambda *_: ([], 0))(path, frame)
    return Carried((*leaks, *more), looked_at + places)


def _look_at_excel(path: Path, frame: pl.DataFrame) -> tuple[list[Leak], int]:
    """Check document properties, parts besides the sheets, hidden and further sheets, and shared strings."""
    try:
        with ZipFile(path) as file:
            names = file.namelist()
            read = {name: file.read(name).decode("utf-8", "replace") for name in names if name.endswith(".xml")}
    except BadZipFile:
        return [], 0
    leaks = _properties(read) + _parts(names) + _sheets(read) + _strings(read)
    return leaks, len(_PROPERTIES) + len(_PARTS) + 2


def _properties(read: dict[str, str]) -> list[Leak]:
    text = read.get("docProps/core.xml", "") + read.get("docProps/app.xml", "")
    found = {name: re.search(rf"<(?:\w+:)?{name}[^>]*>([^<]+)</", text) for name in _PROPERTIES}
    values = {name: match[1].strip() for name, match in found.items() if match}
    return [
        Leak("document properties", f"{name} is {said[:60]!r}", "clear it") for name, said in values.items() if said
    ]


def _parts(names: list[str]) -> list[Leak]:
    return [
        Leak("the workbook", f"it holds {what}", remedy)
        for part, (what, remedy) in _PARTS.items()
        if any(name.startswith(part) for name in names)
    ]


def _sheets(read: dict[str, str]) -> list[Leak]:
    sheets = re.findall(r"<sheet [^>]*>", read.get("xl/workbook.xml", ""))
    hidden = [sheet for sheet in sheets if re.search(r'state="(?:veryH|h)idden"', sheet)]
    if hidden:
        return [Leak("the workbook", f"{len(hidden)} of its {len(sheets)} sheets are hidden", "remove them")]
    if len(sheets) > 1:
        return [Leak("the workbook", f"it has {len(sheets)} sheets", "keep the one with the release")]
    return []


def _strings(read: dict[str, str]) -> list[Leak]:
    """Strings in the shared table that no cell of any sheet refers to."""
    n_strings = len(re.findall(r"<si\b", read.get("xl/sharedStrings.xml", "")))
    used: set[str] = set()
    for name, text in read.items():
        if name.startswith("xl/worksheets/"):
            used |= set(re.findall(r'<c [^>]*t="s"[^>]*><v>(\d+)</v>', text))
    n_unused = n_strings - len(used)
    if n_unused <= 0:
        return []
    return [Leak("the workbook", f"it holds {n_unused:,} texts that no cell uses", "write the file anew")]


def _look_at_parquet(path: Path, frame: pl.DataFrame) -> tuple[list[Leak], int]:
    """Check key-value metadata, dictionaries, and row-group statistics that do not match their rows."""
    from pyarrow import parquet

    file = parquet.ParquetFile(path)
    leaks = _metadata(file.metadata.metadata or {})
    kinds = {field.name: field.type for field in file.schema_arrow}
    plain = {name: kind.value_type if pa.types.is_dictionary(kind) else kind for name, kind in kinds.items()}
    texts = [name for name, kind in plain.items() if pa.types.is_string(kind)]
    leaks += _dictionaries(parquet.ParquetFile(path, read_dictionary=texts).read(texts))
    leaks += _statistics(file)
    return leaks, 1 + frame.width * (1 + file.num_row_groups)


def _look_at_arrow(path: Path, frame: pl.DataFrame) -> tuple[list[Leak], int]:
    with pa.memory_map(str(path)) as source:
        table = pa.ipc.open_file(source).read_all()
        leaks = _metadata(table.schema.metadata or {}) + _dictionaries(table)
    return leaks, 1 + frame.width


def _metadata(found: Mapping[bytes, bytes]) -> list[Leak]:
    """Anything that a program wrote beside the columns; pandas leaves its index there."""
    leaks = []
    for key, value in found.items():
        name = key.decode(errors="replace")
        what = f"it says {value.decode(errors='replace')[:60]!r}"
        if name == "pandas" and b'"index_columns": []' not in value:
            what = "it describes a pandas frame with its index"
        if name != "ARROW:schema":
            leaks.append(Leak(f"metadata {name!r}", what, "write the file without metadata"))
    return leaks


def _dictionaries(table: Any) -> list[Leak]:
    """Dictionary columns whose dictionary holds more values than the rows use."""
    leaks = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_dictionary(column.type):
            known = [value for chunk in column.chunks for value in chunk.dictionary.to_pylist()]
            leaks += unused_values(name, known, column.unique().to_pylist())
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
            if values and (_differs(found.min, min(values)) or _differs(found.max, max(values))):
                what = f"its statistics say {found.min!r} to {found.max!r}, its rows {min(values)!r} to {max(values)!r}"
                leaks.append(Leak(f"column {column.path_in_schema!r}", what, "write the file anew"))
    return leaks


def _differs(said: Any, found: Any) -> bool:
    return type(said) is type(found) and said != found


_BY_ENDING: dict[tuple[str, ...], Looker] = {PARQUET: _look_at_parquet, ARROW: _look_at_arrow, EXCEL: _look_at_excel}
