"""Reading a file that was just written, with code other than the writer's, before the file is renamed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import cast

import polars as pl
import pyarrow as pa
import pyarrow.csv as pacsv

from shoal.io.excel_read import read_excel
from shoal.io.stats_read import read_stats
from shoal.io.text_layout import TextLayout

BLOCK = 1 << 20
"""Bytes parsed at once: small blocks stay in the processor's cache."""

_CATEGORIES = pa.dictionary(pa.int32(), pa.string())


def read_back(
    path: Path,
    ending: str,
    names: Sequence[str],
    wanted: Sequence[str],
    few: Collection[str] = (),
    *,
    breaks: bool = True,
) -> pl.DataFrame:
    """Read the ``wanted`` columns of a file with columns of these ``names``; the extension determines the format.

    Columns are found by position, because a name that a spreadsheet would run as a formula is written differently. An
    empty text is missing in text files and workbooks; empty rows of a workbook are no rows. Columns of a CSV file
    listed as having ``few`` values come as categories, in a third of the memory. If no value is said to contain line
    ``breaks``, every line is a row, which is faster; a value that does contain one shows as a difference. O(bytes).
    """
    places = [names.index(name) for name in wanted]
    if ending in DELIMITED:
        return _csv(path, names, places, DELIMITED[ending], [names.index(name) for name in few], breaks=breaks)
    return _named(READERS[ending](path, places), names, places)


def read_text_back(
    path: Path, ending: str, names: Sequence[str], wanted: Sequence[str], layout: TextLayout
) -> pl.DataFrame:
    """The same for delimited text with another layout."""
    text, places = layout.as_utf8(path), [names.index(name) for name in wanted]
    return _csv_in_blocks(text, names, places, layout.mark(ending), text.getbuffer().nbytes + 1)


def same_values(one: pl.Series, other: pl.Series) -> bool:
    """Whether two columns are equal up to a renaming of their values. O(n)."""
    if len(one) != len(other):
        return False
    both = pl.DataFrame({"one": one.cast(pl.String), "other": other.cast(pl.String)})  # text tells 0.0 from -0.0
    if both["one"].eq_missing(both["other"]).all():
        return True
    return both.n_unique() == both["one"].n_unique() == both["other"].n_unique()


def _csv(
    path: Path, names: Sequence[str], places: Sequence[int], delimiter: str, few: Collection[int], *, breaks: bool
) -> pl.DataFrame:
    try:
        return _csv_in_blocks(path, names, places, delimiter, BLOCK, few, breaks=breaks)
    except pa.ArrowInvalid:  # a row longer than a block
        return _csv_in_blocks(path, names, places, delimiter, path.stat().st_size + 1, few)


def _csv_in_blocks(
    path: Path | BytesIO,
    names: Sequence[str],
    places: Sequence[int],
    delimiter: str,
    block: int,
    few: Collection[int] = (),
    *,
    breaks: bool = True,
) -> pl.DataFrame:
    numbers = [str(place) for place in range(len(names))]
    wanted = [str(place) for place in places]
    table = pacsv.read_csv(
        path,
        read_options=pacsv.ReadOptions(column_names=numbers, skip_rows_after_names=1, block_size=block),
        parse_options=pacsv.ParseOptions(delimiter=delimiter, newlines_in_values=breaks, ignore_empty_lines=False),
        convert_options=pacsv.ConvertOptions(
            include_columns=wanted,
            column_types={str(place): _CATEGORIES if place in few else pa.string() for place in places},
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
            null_values=[""],
        ),
    )
    return _named(cast("pl.DataFrame", pl.from_arrow(table)), names, places)


def _excel(path: Path, places: list[int]) -> pl.DataFrame:
    frame, _ = read_excel(path.read_bytes(), path.name, None)
    return frame[:, places].with_columns(pl.col(pl.String).replace("", None))  # both look like an empty cell


def _stats(path: Path, places: list[int], ending: str) -> pl.DataFrame:
    return read_stats(path, ending, path.name)[0][:, places]


def _named(frame: pl.DataFrame, names: Sequence[str], places: Sequence[int]) -> pl.DataFrame:
    return pl.DataFrame([column.alias(names[place]) for column, place in zip(frame, places, strict=True)])


READERS: Mapping[str, Callable[[Path, list[int]], pl.DataFrame]] = {
    ".parquet": lambda path, places: pl.read_parquet(path, columns=places),
    ".arrow": lambda path, places: pl.read_ipc(path, columns=places),
    ".feather": lambda path, places: pl.read_ipc(path, columns=places),
    ".xlsx": _excel,
    **{ending: partial(_stats, ending=ending) for ending in (".sav", ".dta", ".xpt")},
}
"""How to read columns at these positions in each file format except delimited text; the same formats as are written."""

DELIMITED: Mapping[str, str] = {".csv": ",", ".tsv": "\t"}
"""The delimiters of text files."""
