"""Dates that were read as texts: they are published exactly, in sets that look like a small information loss."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.core.parallel_work import side_by_side
from shoal.io.dictionaries import dictionary_of
from shoal.io.inspect.checks import dates
from shoal.io.inspect.column_values import Sight

_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"


def notes_on_unread_dates(frame: pl.DataFrame, quasi: Sequence[str]) -> list[str]:
    """A sentence for each quasi-identifier with dates that were read as texts. O(distinct values)."""
    return [
        f"{name!r} looks like dates that were read as texts, so that cells are sets of exact dates; say how they are "
        f"written: dates = {{{name} = {form or '%d.%m.%Y'!r}}} (--dates {name}={form or '%d.%m.%Y'})."
        for name, form in forms_of_dates(frame, quasi).items()
    ]


def forms_of_dates(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, str]:
    """The formats of dates in columns that hold them as texts; empty if uncertain. O(distinct values)."""
    of_texts = [name for name in names if frame.schema[name] == pl.String]
    texts = side_by_side(lambda name: Sight.of(frame[name]), of_texts, frame.height)
    return {one.columns[0]: one.words.get("dates", {}).get(one.columns[0], "") for one in dates.find(texts)}


def notes_on_exact_dates(published: pl.DataFrame, quasi: Sequence[str]) -> list[str]:
    """A sentence for each quasi-identifier whose cells print exact dates: what an adversary can still read there.

    Single dates and sets of dates count, ranges do not. O(records).
    """
    of_texts = [name for name in quasi if name in published.columns and published.schema[name] == pl.String]
    told = side_by_side(lambda name: _dates_told(published[name]), of_texts, published.height)
    return [
        f"{n_cells / published.height:.0%} of the cells of {name!r} print exact dates, "
        f"{n_dates / n_cells:.1f} on average: anyone who knows a person's date can find the record. A "
        "hierarchy of years (hierarchies, dates:levels=year/decade) prints none."
        for name, (n_cells, n_dates) in zip(of_texts, told, strict=True)
        if n_cells
    ]


def share_of_exact_dates(published: pl.Series) -> float:
    """The share of a column's cells that print exact dates. O(records)."""
    if published.dtype in (pl.Date, pl.Datetime):
        return (published.len() - published.null_count()) / max(1, published.len())
    return _dates_told(published)[0] / max(1, published.len()) if published.dtype == pl.String else 0.0


def _dates_told(labels: pl.Series) -> tuple[int, int]:
    """The number of cells that print dates, and of dates they print; each distinct label is read once."""
    codes, distinct = dictionary_of(labels)
    is_told = distinct.str.contains(rf"^(?:\{{|{_DAY})")
    n_dates = pl.select(pl.when(is_told).then(distinct.str.count_matches(_DAY)).otherwise(0)).to_series().to_numpy()
    n_records = np.bincount(codes[codes >= 0], minlength=n_dates.size)
    return int(n_records[n_dates > 0].sum()), int(n_records @ n_dates)
