"""What a stranger reads from a written file: names and texts, by the standard library, openpyxl or pyarrow."""

from __future__ import annotations

import csv
import datetime as dt
import re
import unicodedata
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.ipc
import pyarrow.parquet as pq
from openpyxl.utils.escape import unescape

_NUMBER = re.compile(r"'*\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*")


def read(path: Path) -> tuple[list[str], list[list[str | None]]]:
    """The names of the columns, and the rows; an empty field is a missing value. Spark's files are in a folder."""
    if path.suffix in (".csv", ".tsv"):
        with path.open(encoding="utf-8", newline="") as file:
            csv.field_size_limit(1 << 24)
            lines = list(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ",", strict=True))
        return [undone(name) or "" for name in lines[0]], [[undone(cell) for cell in line] for line in lines[1:]]
    if path.suffix == ".xlsx":
        sheet = openpyxl.load_workbook(path).active
        assert sheet is not None
        found = [[cell.value for cell in row] for row in sheet.iter_rows()]
        if any(cell.data_type == "f" for row in sheet.iter_rows() for cell in row):
            raise ValueError("a cell is a formula")
        names = [undone(unescape(str(name))) or "" for name in found[0]]
        return names, [[undone(_unescaped(text(value))) for value in row] for row in found[1:]]
    table = pq.read_table(path) if path.suffix == ".parquet" else pyarrow.ipc.open_file(path).read_all()
    columns = [[text(value) for value in column.to_pylist()] for column in table.columns]
    return table.column_names, [list(row) for row in zip(*columns, strict=True)]


def _unescaped(cell: str | None) -> str | None:
    """With the characters that XML cannot hold, which workbooks write as _x000D_ and which openpyxl leaves so."""
    return None if cell is None else unescape(cell)


def text(value: Any) -> str | None:
    """A typed value as a text."""
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dt.datetime | dt.date):
        return value.isoformat()
    return value if isinstance(value, str) else repr(value)


def undone(cell: str | None) -> str | None:
    """Without the apostrophe that keeps spreadsheets from running a cell, by the rule of the documentation."""
    if not cell:
        return None
    return cell[1:] if cell.startswith("'") and _is_armed(cell) else cell


def _is_armed(cell: str) -> bool:
    bare = cell.lstrip("'")
    if _NUMBER.fullmatch(cell):
        return False
    if bare[:1] in ("\t", "\r", "\n"):
        return True
    visible = next((sign for sign in bare if not sign.isspace() and unicodedata.category(sign)[0] != "C"), "")
    return visible != "" and visible in "=+-@＝＋－＠"
