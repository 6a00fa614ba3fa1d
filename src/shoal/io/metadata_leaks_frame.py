"""Leaks in the records themselves, and in the frame that holds them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import polars as pl

from shoal.audit.knowledge import Leak
from shoal.core.hierarchy import MISSING
from shoal.core.parallel_work import side_by_side
from shoal.io.dictionaries import dictionary_of

_INDEX_NAMES = re.compile(
    r"^(unnamed:? ?\d*|index|level_\d+|__index_level_\d+__|row_?(id|nr|num|number|index)?|_?rowid)$", re.I
)
_LONG = r"\.\d{9,}$"
_SOME = 10_000
"""Number of rows examined where the first ones are enough."""

_FEW = 30
"""Number of members of a set that are examined."""

_SET = re.compile(r"^\{.*\}$")


def look_at_columns(frame: pl.DataFrame, quasi: Sequence[str]) -> tuple[list[Leak], int]:
    """Find columns that number the rows, unrounded digits, and sets in different orders."""
    found = side_by_side(lambda name: _column(frame[name], name in quasi), frame.columns, frame.height)
    return [leak for leaks in found for leak in leaks], 3 * frame.width


def _column(column: pl.Series, is_quasi: bool) -> list[Leak]:
    found = [_numbers_rows(column), _long_digits(column), _set_orders(column) if is_quasi else None]
    return [leak for leak in found if leak is not None]


def _numbers_rows(column: pl.Series) -> Leak | None:
    """Find distinct integers with nearly no gaps: row numbers, shuffled or not."""
    where = f"column {column.name!r}"
    may_count = column.dtype.is_integer() or column.dtype.is_float() or column.dtype == pl.String
    if not may_count or column.head(_SOME).cast(pl.Int64, strict=False).null_count():
        return None
    numbers = column.cast(pl.Int64, strict=False)
    if not numbers.dtype.is_integer() or numbers.null_count() or len(numbers) < 2:
        return None
    values = numbers.to_numpy()
    is_named = bool(_INDEX_NAMES.match(column.name))
    n, span = values.size, int(values.max()) - int(values.min()) + 1
    if np.unique(values).size < n or span > (10 * n if is_named else int(1.2 * n)) or (n < 20 and not is_named):
        return None
    ordered = " in the order of the file" if (np.diff(values) > 0).all() else ""
    return Leak(where, f"it numbers the rows{ordered}, perhaps those of the original", "drop it")


def _long_digits(column: pl.Series) -> Leak | None:
    """Find fractions with nine digits or more in most rows, which identify a person as well as an id does."""
    if not column.dtype.is_float() and column.dtype != pl.String:
        return None
    texts = column.drop_nulls().head(_SOME).cast(pl.String)
    if len(texts) < 2:
        return None
    n_long = int(texts.str.contains(_LONG).sum())
    if n_long < 0.5 * len(texts) or texts.n_unique() < 0.5 * len(texts):
        return None
    return Leak(f"column {column.name!r}", "most values have nine decimals or more", "round it")


def _set_orders(column: pl.Series) -> Leak | None:
    """Find values that some sets list in one order and others in the opposite: the first may be the person's own."""
    if column.dtype != pl.String or not column.head(_SOME).str.starts_with("{").any():
        return None
    labels = sorted(dictionary_of(column)[1].to_list())[:_SOME]
    sets = {
        label: [part.strip() for part in label[1:-1].split(",")][:_FEW]
        for label in labels
        if _SET.match(label) and '"' not in label
    }
    if _have_one_order(sets.values()):
        return None
    before: dict[tuple[str, str], str] = {}
    for label, members in sets.items():
        for pair in combinations(members, 2):
            before.setdefault(pair, label)
            if other := before.get(pair[::-1]):
                what = f"{pair[0]} stands before {pair[1]} in {label} and behind it in {other}"
                where = f"column {column.name!r}"
                return Leak(where, f"{what}, so the order may say whose value is whose", "sort the values in sets")
    return None


def _have_one_order(sets: Collection[Sequence[str]]) -> bool:
    """Whether all these lists agree with one order of all values; compares only neighbours, not all pairs."""
    if all(members == sorted(members, key=lambda member: (member == MISSING, member)) for members in sets):
        return True
    order = TopologicalSorter[str]()
    for first, second in {pair for members in sets for pair in pairwise(members)}:
        order.add(second, first)
    try:
        order.prepare()
    except CycleError:
        return False
    return True


def look_at_object(given: Any) -> tuple[list[Leak], int]:
    """Check the index of a pandas frame, and categories that no record has."""
    if given is None:
        return [], 0
    if isinstance(given, pl.DataFrame):
        return _polars_categories(given), given.width
    return _pandas(given) if hasattr(given, "iloc") and hasattr(given, "index") else ([], 0)


def _polars_categories(frame: pl.DataFrame) -> list[Leak]:
    return [
        leak
        for column in frame
        if isinstance(column.dtype, pl.Enum)
        for leak in unused_values(column.name, column.dtype.categories, column.drop_nulls().unique())
    ]


def _pandas(frame: Any) -> tuple[list[Leak], int]:
    leaks = []
    index = np.asarray(frame.index)
    if index.size > 1 and not np.array_equal(index, np.arange(index.size)):
        leaks.append(Leak("the frame's index", "it is not 0, 1, 2 …, so it may be that of the original", "reset it"))
    for name, dtype in zip(frame.columns, frame.dtypes, strict=True):
        if getattr(dtype, "categories", None) is not None:
            leaks += unused_values(str(name), dtype.categories, frame[name].unique())
    return leaks, 1 + len(frame.columns)


def unused_values(name: str, known: Iterable[object], used: Iterable[object]) -> list[Leak]:
    """The leak of values that a dictionary holds but no record has, if there are any."""
    unused = sorted({*map(str, known)} - {*map(str, used)})
    shown = ", ".join(map(repr, unused[:3])) + (", …" if len(unused) > 3 else "")
    what = f"its dictionary holds {len(unused):,} values that no record has ({shown})"
    return [Leak(f"column {name!r}", what, "write it as plain text")] if unused else []
