"""Files with everything that goes wrong in files, and what a reader tells about one."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from shoal.errors import InputError

NASTY = ("a", "A", "b", "a.b", "code", "value", "count", "number of rows", "block", "row", "c0", "n", "=q", "+x", "q`s",
         "", " ", "*", "^a$", "shoal's block", "é", "__index_level_0__", "literal", "len", "measure")  # fmt: skip
CELLS = (
    "",
    "1",
    "01",
    "x",
    "NA",
    "é",
    "€",
    " y ",
    '"',
    '""',
    "'",
    "=1+1",
    "-",
    "a,b",
    "line\nbreak",
    "*",
    "10",
    "2.50",
)

Told = tuple[str, Any]
"""Rows, or the sentence of a refusal."""


def _fields(draw: st.DrawFn, values: tuple[str, ...], n: int) -> list[str]:
    cells = draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))
    quote = draw(st.sampled_from(["never", "needed", "always"]))
    if quote == "never":
        return cells
    is_odd = quote == "always"
    return [f'"{c.replace(chr(34), chr(34) * 2)}"' if is_odd or set(c) & set(',"\n') else c for c in cells]


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Delimited text with everything that goes wrong in one: names, widths, blanks, quotes, marks, encodings, NUL."""
    n = draw(st.integers(1, 4))
    sign = draw(st.sampled_from([",", ",", ",", ";", "\t", "|"]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    lines = [sign.join(_fields(draw, NASTY, n))]
    for _ in range(draw(st.integers(0, 8))):
        width = n if draw(st.integers(0, 15)) else draw(st.integers(1, n + 1))
        lines.append(sign.join(_fields(draw, CELLS, width)) if draw(st.integers(0, 7)) else "")
    text = draw(st.sampled_from(["", "", end, end * 2])) + end.join(lines) + draw(st.sampled_from(["", end, end * 3]))
    if not draw(st.integers(0, 15)):
        text = text.replace("x", "\0")
    codec = draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-be", "latin-1"]))
    return text.encode(codec, errors="replace")


COLUMNS: tuple[pa.Array, ...] = (
    pa.array([1, None, 3], pa.int32()),
    pa.array([2**60 + 1, 2**60, None]),
    pa.array([1, 2, 3], pa.uint8()),
    pa.array([2**63, 1, None], pa.uint64()),
    pa.array([0.5, float("nan"), None]),
    pa.array([0.5, -0.0, 0.0], pa.float32()),
    pa.array(["x", "", None]),
    pa.array(["x", "NA", "x"], pa.large_string()),
    pa.array(["x", None, "y"]).dictionary_encode(),
    pa.array([True, None, False]),
    pa.array([None, None, None], pa.null()),
    pa.array([dt.date(2020, 1, 2), None, dt.date(1960, 1, 1)]),
    pa.array([dt.datetime(2020, 1, 2, 3), None, dt.datetime(1960, 1, 1)], pa.timestamp("us")),
    pa.array([dt.time(1), None, dt.time(2)], pa.time64("us")),
    pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("2.25")]),
    pa.array([b"x", b"\xff", None]),
    pa.array([[1], [2], None]),
    pa.array([{"x": 1}, None, {"x": 2}]),
    pa.array([dt.timedelta(1), None, dt.timedelta(2)]),
)  # fmt: skip


@st.composite
def parquets(draw: st.DrawFn) -> pa.Table:
    """Parquet with every kind of column and name, pandas' row labels and tables without rows among them."""
    n = draw(st.integers(1, 4))
    names = draw(st.lists(st.sampled_from(NASTY), min_size=n, max_size=n))
    table = pa.Table.from_arrays([draw(st.sampled_from(COLUMNS)) for _ in names], names)
    return table.slice(0, draw(st.sampled_from([3, 3, 3, 1, 0])))


READING = st.fixed_dictionaries(
    {},
    optional={
        "missing_values": st.sampled_from([("NA",), ("x", "1")]),
        "delimiter": st.sampled_from([",", ";"]),
        "encoding": st.sampled_from(["utf-8", "cp1252", "utf-16", "no-such"]),
        "quote": st.sampled_from(['"', "'", ""]),
    },
)


def told(read: Callable[[], pl.DataFrame]) -> Told:
    """Names, kinds and rows of a table, or why it is refused; unsigned integers count as signed ones."""
    try:
        frame = read()
    except InputError as refusal:
        return "refused", str(refusal)
    kinds = [str(kind).replace("UInt8", "Int16").replace("UInt64", "Int64") for kind in frame.dtypes]
    return "rows", (frame.columns, kinds, frame.rows())


def put(folder: Path, content: bytes | pa.Table) -> Path:
    """The file."""
    path = folder / ("people.csv" if isinstance(content, bytes) else "people.parquet")
    path.write_bytes(content) if isinstance(content, bytes) else pq.write_table(content, path)
    return path
