"""Reading dates in common notations as ISO texts."""

from __future__ import annotations

import datetime as dt
import re

import polars as pl

from shoal.errors import InputError

ISO, EXCEL = "iso", "excel"
"""Formats with names of their own: ISO 8601 with or without time and zone, and spreadsheets' day numbers."""

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
"""Month names in English, German, French, Spanish, Italian and Dutch; names are read as the first of each group."""


def read_dates(values: pl.Series, form: str) -> pl.Series:
    """Return the column with its dates as ISO texts, ``1960-04-25`` or ``1960-04-25 09:30:00``. O(rows).

    A month or a year alone counts as its first day, a time zone is dropped and the time kept as written, and a
    two-digit year that would lie in the future belongs to the last century. A column of typed dates is left unchanged.

    >>> read_dates(pl.Series("born", ["25.04.1960", None]), "%d.%m.%Y").to_list()
    ['1960-04-25', None]

    Raises:
        InputError: the format is unknown, or a value does not have it.
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
    """Raise InputError if a date format is unknown."""
    for one in form.split("|"):
        signs = re.findall(r"%-?(.)", one)
        if one not in (ISO, EXCEL) and not (signs and all(sign in _KNOWN for sign in signs) and {*"Yy"} & {*signs}):
            raise InputError(
                f"The dates of {name!r} cannot be written as {one!r}; say a form such as %d.%m.%Y, or {ISO}."
            )


def try_dates(values: pl.Series, form: str) -> pl.Series:
    """The same, with null where a value does not fit; ``%d.%m.%Y|iso`` means two formats, tried in turn."""
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
        parsed = parsed.set(parsed.dt.year() < _FIRST_YEAR, None)
    if "%y" in form:  # two-digit years are of the last hundred years
        parsed = parsed.dt.offset_by("-100y").zip_with(parsed > dt.datetime.now().replace(tzinfo=None), parsed)
    return _written(parsed, has_time=has_time)


def _iso(texts: pl.Series) -> pl.Series:
    day, time = texts.str.extract(_ISO, 1), texts.str.extract(_ISO, 2)
    whole = (day + "-01").zip_with(day.str.len_chars() == 7, day)
    is_real = whole.str.to_date("%Y-%m-%d", strict=False).is_not_null()
    return whole.zip_with(time.is_null(), whole + " " + time).set(~is_real, None).alias(texts.name)


def _day_numbers(values: pl.Series) -> pl.Series:
    numbers = values.cast(pl.Float64, strict=False)
    known = numbers.is_between(_FIRST_DAY, _LAST_DAY + 1)
    seconds = (numbers * 86_400).round().set(~known, None).cast(pl.Int64)
    times = (seconds * 1_000_000).cast(pl.Duration("us")) + _DAY_ZERO
    days, clock = _written(times, has_time=False), _written(times, has_time=True)
    return days.zip_with(seconds % 86_400 == 0, clock).alias(values.name)


def _written(times: pl.Series, *, has_time: bool) -> pl.Series:
    return times.dt.strftime("%Y-%m-%d %H:%M:%S" if has_time else "%Y-%m-%d")


def _english(texts: pl.Series) -> pl.Series:
    """Replace month names by three English letters."""
    for names in MONTHS:
        longest_first = "|".join(sorted(names.split("|"), key=len, reverse=True))
        pattern = rf"(?i)(^|[\s\d.,/-])(?:{longest_first})\.?($|[\s\d.,/-])"
        texts = texts.str.replace(pattern, f"${{1}}{names[:3]}${{2}}")
    return texts
