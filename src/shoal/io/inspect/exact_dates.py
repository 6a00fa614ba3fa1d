"""Dates that nobody said were dates: as texts they are published one by one, in sets that look like a small loss."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.io.inspect.checks import dates
from shoal.io.inspect.sight import Sight

_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"


def notes_on_unread_dates(frame: pl.DataFrame, quasi: Sequence[str]) -> list[str]:
    """A sentence for each quasi-identifier that holds dates and was read as texts. O(distinct values)."""
    texts = [Sight.of(frame[name]) for name in quasi if frame.schema[name] == pl.String]
    found = [(one.columns[0], one.words.get("dates", {})) for one in dates.find(texts)]
    return [
        f"{name!r} looks like dates that were read as texts, so that cells are sets of exact dates; say how they are "
        f"written: dates = {{{name} = {forms.get(name, '%d.%m.%Y')!r}}} (--dates {name}={forms.get(name, '%d.%m.%Y')})."
        for name, forms in found
    ]


def notes_on_exact_dates(published: pl.DataFrame, quasi: Sequence[str]) -> list[str]:
    """A sentence for each quasi-identifier whose cells print exact dates: what an adversary still reads there.

    Counted are single dates and sets of dates, not ranges. O(records).
    """
    notes = []
    for name in quasi:
        if name not in published.columns or published.schema[name] != pl.String:
            continue
        cells = published[name].filter(published[name].str.contains(rf"^(?:\{{|{_DAY})")).drop_nulls()
        counts = cells.str.count_matches(_DAY)
        told = counts.filter(counts > 0)
        if told.len():
            share, mean = told.len() / published.height, float(told.mean())  # type: ignore[arg-type]
            notes.append(
                f"{share:.0%} of the cells of {name!r} print exact dates, {mean:.1f} on average: who knows a person's "
                "date finds it there. A hierarchy of years (hierarchies, dates:levels=year/decade) prints none."
            )
    return notes
