"""Where the table begins in its file: titles above the header, headers of several rows, other sheets."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.io.csv_dialect import DELIMITERS
from shoal.io.csv_encoding import to_utf8
from shoal.io.excel_read import first_rows
from shoal.io.inspect.column_values import Advice
from shoal.io.read import EXCEL, TEXT

_LOOKED_AT = 1 << 16
_ROWS = 30
_NARROW = 2

Rows = Sequence[Sequence[str]]


def find_layout(path: Path, said: Mapping[str, Any]) -> tuple[Advice, ...]:
    """Find the import options that a text file or workbook needs; none if the user has given some. O(1)."""
    ending = path.suffix.lower()
    if said.get("skip_rows") or said.get("header_rows", 1) > 1 or not path.is_file():
        return ()
    try:
        if ending in EXCEL:
            return tuple(_of_workbook(path, said))
        return tuple(_of_text(path, said)) if ending in TEXT else ()
    except (InputError, csv.Error, OSError):
        return ()  # the reader explains better what is wrong


def _of_text(path: Path, said: Mapping[str, Any]) -> Iterator[Advice]:
    with path.open("rb") as file:
        start = file.read(_LOOKED_AT)
    text = to_utf8(start, said.get("encoding"), path.name)[0].decode(errors="ignore") if start else ""
    lines = [line for line in text.splitlines()[: _ROWS + 10] if line.strip()][:_ROWS]
    signs = [said["delimiter"]] if said.get("delimiter") else DELIMITERS
    tables = [list(csv.reader(io.StringIO("\n".join(lines)), delimiter=sign)) for sign in signs]
    rows = max(tables, key=lambda table: (_width(table) > 1, Counter(map(len, table))[_width(table)], _width(table)))
    if _width(rows) > 1 and len(rows) == len(lines):
        yield from _of_rows([row + [""] * (_width(rows) - len(row)) for row in rows], path.name)


def _of_workbook(path: Path, said: Mapping[str, Any]) -> Iterator[Advice]:
    data = path.read_bytes()
    sheets, rows = first_rows(data, path.name, said.get("sheet"), _ROWS)
    if said.get("sheet") is None and len(sheets) > 1:
        chosen = sheets[0]
        if _filled(rows) <= _NARROW:
            chosen = max(sheets, key=lambda sheet: _filled(first_rows(data, path.name, sheet, _ROWS)[1]))
            rows = first_rows(data, path.name, chosen, _ROWS)[1]
        others = ", ".join(repr(sheet) for sheet in sheets if sheet != chosen)
        yield Advice((), f"The sheet {chosen!r} is read; the workbook also has {others}.", {"sheet": chosen})
    yield from _of_rows(rows, path.name)


def _of_rows(rows: Rows, name: str) -> Iterator[Advice]:
    """Skip rows with at most one cell above the header; a partly filled row above a row of names is a header, too."""
    width = max((len(row) for row in rows), default=0)
    skipped = 0
    while skipped < len(rows) - 2 and width > _NARROW and _n_filled(rows[skipped]) <= 1:
        skipped += 1
    if skipped:
        yield Advice((), f"{name} has {skipped} row{'s' * (skipped > 1)} above its header.", {"skip_rows": skipped})
    below = rows[skipped : skipped + 2]
    is_partly_filled = len(below) == 2 and _n_filled(below[0]) < width == _n_filled(below[1])
    if is_partly_filled and not any(cell[:1].isdigit() for cell in below[1]):
        yield Advice((), f"The header of {name} takes two rows.", {"header_rows": 2})


def _n_filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _filled(rows: Rows) -> int:
    """The number of filled cells that most rows have."""
    return Counter(map(_n_filled, rows)).most_common(1)[0][0] if rows else 0


def _width(rows: Rows) -> int:
    """The number of fields that most rows have."""
    return Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
