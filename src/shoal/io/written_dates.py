"""Dates as people write them, to ISO texts."""

from __future__ import annotations

import datetime as dt
import re

import polars as pl

from shoal.errors import InputError

ISO, EXCEL = "iso", "excel"
"""Forms with names of their own: ISO 8601 with or without time and zone, and the day numbers of spreadsheets."""

_KNOWN = "dmYybBHMSfzpIjeT"
_ZONE = r"\s*(?:Z|UTC|[+-]\d{2}:?\d{2})$"
_ISO = r"^(\d{4}-\d{2}(?:-\d{2})?)(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(?:\s*(?:Z|UTC|[+-]\d{2}:?\d{2}))?$"
_FIRST_YEAR = 1000
_FIRST_DAY, _LAST_DAY = 1, 2_958_465
_DAY_ZERO = dt.datetime(1899, 12, 30)

MONTHS = (
    "jan|januar|janvier|enero|gennaio|january", "feb|februar|février|fevrier|févr|fevr|febrero|febbraio|february",
    "mar|märz|maerz|mär|mrz|mars|marzo|maart|march", "apr|april|avril|avr|abril|abr|aprile",
    "may|mai|mayo|maggio|mag|mei", "jun|juni|juin|junio|giugno|giu|june",
    "jul|juli|juillet|juil|julio|luglio|lug|july", "aug|august|août|aout|agosto|ago|augustus",
    "sep|sept|september|septembre|septiembre|settembre|set", "oct|okt|oktober|octobre|octubre|ottobre|ott|october",
    "nov|november|novembre|noviembre", "dec|dez|dezember|décembre|decembre|diciembre|dic|dicembre|december|déc",
)  # fmt: skip
"""The names of the months in English, German, French, Spanish, Italian and Dutch; the first of each is what is read."""


def read_dates(values: pl.Series, form: str) -> pl.Series:
    """The column with its dates as ISO texts, ``1960-04-25`` or ``1960-04-25 09:30:00``. O(rows).

    A month or a year alone counts as its first day, a zone is left out and the time kept as it is written, and a
    two-digit year that would lie in the future is one of the last century. A column of real dates stays as it is.

    >>> read_dates(pl.Series("born", ["25.04.1960", None]), "%d.%m.%Y").to_list()
    ['1960-04-25', None]

    Raises:
        InputError: the form is unknown, or a value is not written so.
    """
    if values.dtype.is_temporal():
        return values
    check_form(values.name, form)
    parsed = try_dates(values, form)
    bad = parsed.is_null() & values.is_not_null()
    if bad.any():
        raise InputError(
            f"The column {values.name!r} holds {values.filter(bad)[0]!r}, which is not a date written as {form}; say "
            "another form, or name what stands for missing in missing_codes."
        )
    return parsed


def check_form(name: str, form: str) -> None:
    """Raise InputError where a form of dates is unknown."""
    for one in form.split("|"):
        signs = re.findall(r"%-?(.)", one)
        if one not in (ISO, EXCEL) and not (signs and all(sign in _KNOWN for sign in signs) and {*"Yy"} & {*signs}):
            raise InputError(
                f"The dates of {name!r} cannot be written as {one!r}; say a form such as %d.%m.%Y, or {ISO}."
            )


def try_dates(values: pl.Series, form: str) -> pl.Series:
    """The same, with null where a value is not written so; ``%d.%m.%Y|iso`` are two forms, tried in turn."""
    first, _, others = form.partition("|")
    read = _tried(values, first)
    return read if not others else read.zip_with(read.is_not_null(), try_dates(values, others))


def _tried(values: pl.Series, form: str) -> pl.Series:
    if form == EXCEL:
        return _day_numbers(values)
    texts = values.cast(pl.String).str.strip_chars()
    if form == ISO:
        return _iso(texts)
    if "%b" in form or "%B" in form:
        texts, form = _english(texts), form.replace("%B", "%b")
    if "%z" in form:
        texts, form = texts.str.replace(_ZONE, ""), form.replace("%z", "").rstrip()
    for sign, others in (("%m", ("%b", "%j")), ("%d", ("%e", "%j"))):
        if not any(one in form for one in (sign, *others)):
            texts, form = texts + " 01", f"{form} {sign}"
    has_time = "%H" in form or "%I" in form or "%T" in form
    if not has_time:
        texts, form = texts + " 00:00", f"{form} %H:%M"
    parsed = texts.str.to_datetime(form, time_unit="us", strict=False)
    if "%Y" in form:
        parsed = pl.select(pl.when(parsed.dt.year() >= _FIRST_YEAR).then(parsed)).to_series().alias(texts.name)
    return _written(_this_century(parsed, form), has_time=has_time)


def _this_century(parsed: pl.Series, form: str) -> pl.Series:
    """Two-digit years from the last hundred years."""
    if "%y" not in form:
        return parsed
    today = dt.datetime.now().replace(tzinfo=None)
    past = pl.select(pl.when(parsed > today).then(parsed.dt.offset_by("-100y")).otherwise(parsed))
    return past.to_series().alias(parsed.name)


def _iso(texts: pl.Series) -> pl.Series:
    day, time = texts.str.extract(_ISO, 1), texts.str.extract(_ISO, 2)
    whole = pl.select(pl.when(day.str.len_chars() == 7).then(day + "-01").otherwise(day)).to_series()
    is_real = whole.str.to_date("%Y-%m-%d", strict=False).is_not_null()
    made = pl.select(pl.when(is_real).then(pl.when(time.is_null()).then(whole).otherwise(whole + " " + time)))
    return made.to_series().alias(texts.name)


def _day_numbers(values: pl.Series) -> pl.Series:
    numbers = values.cast(pl.Float64, strict=False)
    known = numbers.is_between(_FIRST_DAY, _LAST_DAY + 1)
    seconds = pl.select(pl.when(known).then((numbers * 86_400).round())).to_series().cast(pl.Int64)
    times = (seconds * 1_000_000).cast(pl.Duration("us")) + _DAY_ZERO
    days, clock = _written(times, has_time=False), _written(times, has_time=True)
    return pl.select(pl.when(seconds % 86_400 == 0).then(days).otherwise(clock)).to_series().alias(values.name)


def _written(times: pl.Series, *, has_time: bool) -> pl.Series:
    return times.dt.strftime("%Y-%m-%d %H:%M:%S" if has_time else "%Y-%m-%d")


def _english(texts: pl.Series) -> pl.Series:
    """Names of months as three English letters."""
    for names in MONTHS:
        longest_first = "|".join(sorted(names.split("|"), key=len, reverse=True))
        pattern = rf"(?i)(^|[\s\d.,/-])(?:{longest_first})\.?($|[\s\d.,/-])"
        texts = texts.str.replace(pattern, f"${{1}}{names[:3]}${{2}}")
    return texts
