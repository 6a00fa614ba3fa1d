"""The dictionary of a column: its distinct values and a code per row; for texts computed only once per run.

A run uses the same columns again and again: to read texts as dates, to code them, to check, attack and write the
release. Dictionaries are kept during the run and identified by the memory that holds the values, so they always match
the values.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from pyarrow._compute import call_function  # pyarrow.compute has it too, but takes 0.1 s to import

from shoal.core.arrays import Codes

_Found = tuple[Any, Codes, pl.Series]

_KEPT: dict[Any, _Found] = {}
_LOCK = Lock()
_n_runs = 0


@contextmanager
def kept_dictionaries() -> Iterator[None]:
    """Inside the block, compute the dictionary of a column of texts only once.

    Takes 4 bytes per cell of such a column; everything is forgotten when the last run ends.
    """
    global _n_runs
    with _LOCK:
        _n_runs += 1
    try:
        yield
    finally:
        with _LOCK:
            _n_runs -= 1
            if not _n_runs:
                _KEPT.clear()


def has_few_values(values: pl.Series) -> bool:
    """Whether each value of a column of texts occurs four times or more on average. O(rows)."""
    return 4 * dictionary_of(values)[1].len() <= values.len()


def each_text_once(frame: pl.DataFrame) -> pl.DataFrame:
    """The same columns: text columns with each value once, padded with nulls; other columns empty.

    For questions about all texts: a million rows often have a few hundred distinct ones. O(cells) the first time.
    """
    columns = [dictionary_of(one)[1] if one.dtype == pl.String else one.clear() for one in frame.iter_columns()]
    height = max((column.len() for column in columns), default=0)
    return pl.DataFrame([column.extend_constant(None, height - column.len()) for column in columns])


def forget_dictionaries() -> None:
    """Forget the dictionaries so far, when their columns are no longer needed."""
    _KEPT.clear()


def dictionary_of(values: pl.Series) -> tuple[Codes, pl.Series]:
    """Return a code per row, −1 where missing, and the distinct values in order of appearance. O(rows).

    Both may be shared, so do not change them in place.
    """
    if not _n_runs or values.dtype != pl.String:
        return _worked_out(values)
    held = pa.chunked_array(values)
    key = tuple((one.offset, len(one), *(_address(buffer) for buffer in one.buffers())) for one in held.chunks)
    found = _KEPT.get(key)
    if found is None:
        found = held, *_worked_out(values)
        _KEPT[key] = found
    return found[1], found[2].alias(values.name)


def _address(buffer: pa.Buffer | None) -> int:
    return 0 if buffer is None else buffer.address


def _worked_out(values: pl.Series) -> tuple[Codes, pl.Series]:
    array = values.to_arrow()
    encoded = array if pa.types.is_dictionary(array.type) else call_function("dictionary_encode", [array])
    codes = raw_codes(encoded.indices)
    if values.null_count():
        codes = np.where(values.is_null().to_numpy(), np.int32(-1), codes)
    distinct = pa.RecordBatch.from_arrays([encoded.dictionary], [values.name])
    return codes, pl.DataFrame(distinct)[values.name]  # making a Series from the array would import pyarrow.compute


def raw_codes(indices: pa.Int32Array) -> Codes:
    """The integers of an Arrow array, arbitrary where missing. Its own ``to_numpy`` would import pandas."""
    start = indices.offset
    return np.frombuffer(indices.buffers()[1], np.int32)[start : start + len(indices)]
