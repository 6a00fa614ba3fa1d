"""Dates by month, year and decade."""

from __future__ import annotations

from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Sight
from shoal.io.inspect.hierarchies.fit import Fit

_BIRTHS = "*birth*, dob, geburt*, geb, *naiss*, *nacimiento*, nascita, *nascita, geboorte*, geboren"


def fit(column: Sight) -> Fit | None:
    """Match dates: dates of birth by year, since a day alone singles people out; other dates also by month."""
    if column.kind != "date":
        return None
    if hints.has(_BIRTHS, column.normal):
        return Fit("dates:levels=year/decade", "dates of birth by years, since the day singles people out")
    has_time = column.texts.str.len_chars().max() != 10
    levels = "day/month/year/decade" if has_time else "month/year/decade"
    return Fit(f"dates:levels={levels}", "dates by months, years and decades")
