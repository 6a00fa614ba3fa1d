"""Dates that are not in ISO format (1960-04-25)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

import polars as pl

from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Advice, Sight
from shoal.io.inspect.identifier_patterns import recognise
from shoal.io.written_dates import EXCEL, ISO, try_dates

_DAY_FIRST = [f"%d{sign}%m{sign}{year}" for sign in "./-" for year in ("%Y", "%y")]
_MONTH_FIRST = [f"%m{sign}%d{sign}{year}" for sign in "/-." for year in ("%Y", "%y")]
_NAMED = [f"%d{dot}{sign}%b{sign}%Y" for dot in ("", ".") for sign in (" ", "-", "/")] + ["%b %d, %Y", "%d-%b-%y"]
_OTHERS = ["%Y/%m/%d", "%Y.%m.%d", "%m/%Y", "%m.%Y", "%m-%Y"]
_TIMES = ("", " %H:%M", " %H:%M:%S")
_NUMBERS = ["%Y%m%d"]

DATE_NAMES = (
    "*date*, *datum*, *birth*, *geburt*, dob, geb, naiss*, *nacimiento*, nascita, geboren, fecha*, data, admission*, "
    "discharge*, aufnahme*, entlass*, entree, sortie, ingreso, alta, ricovero, dimissione, visit*, day, tag, jour"
)
"""Names of date columns."""

_LOOKS = r"^\s*(?:\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?:\D.*)?$"
_SHAPE = re.compile(r"\s*(?:\d{1,4}\s?[./-]\s?\d|\d{1,2}\.?[ /-]?\s?[^\W\d_]{3}|[^\W\d_]{3,}\.? \d)")
"""How every text that one of the formats can read begins."""

_FIRST_SERIAL, _LAST_SERIAL = 5_000, 60_000
_MOSTLY, _SOME = 0.95, 0.5


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns of dates in one or two formats; other texts become missing codes, ambiguous formats a question."""
    forms = {column.name: _forms(column) for column in columns}
    orders = {_order(some[0]) for some in forms.values() if len(some) == 1} - {""}
    """Day or month first, with the separator, in the columns that are unambiguous."""
    for column in columns:
        if forms[column.name]:
            yield _advice(column, forms[column.name], orders)
        elif _looks_like_dates(column):
            yield Advice(
                (column.name,),
                f"{column.name!r} looks like dates that cannot be read; as texts they would be published unchanged.",
                question=f"Say in dates how {column.name!r} is written, or drop it.",
            )


def _advice(column: Sight, forms: list[str], orders: set[str]) -> Advice:
    """Advice for a column that these formats fit equally well, given the orders found in other columns."""
    name = column.name
    agreeing = [form for form in forms if _order(form) in orders]
    agreeing = agreeing if len(agreeing) == 1 else []
    form = (agreeing or forms)[0]
    left = column.texts.filter(try_dates(column.texts, form).is_null()).to_list()
    words = {"dates": {name: form}, **({"missing_codes": {name: left}} if left else {})}
    what = f"{name!r} holds dates written as {form}."
    if left:
        what = f"{name!r} holds dates written as {form}, and {', '.join(map(repr, left))}, which are not dates."
    if len(forms) == 1 or agreeing:
        return Advice((name,), what, words)
    question = f"The dates of {name!r} can be read as {forms[0]} or as {forms[1]}: say which in dates."
    return Advice((name,), what, words, question)


def _forms(column: Sight) -> list[str]:
    """The formats that read the column, best first; several if they read it equally well."""
    if column.kind == "date" or column.n_distinct < 2 or recognise(column.sample):
        return []
    if not column.is_text or column.kind == "numeric":
        return _of_numbers(column)
    if sum(bool(_SHAPE.match(text)) for text in column.sample) <= _SOME / 2 * len(column.sample):
        return []
    some = pl.Series(column.sample)
    if (some.str.contains(r"\d") & (some.str.len_chars() <= 40)).mean() < _SOME:  # type: ignore[operator]
        return []
    shares = {form: float(try_dates(some, form).is_not_null().mean() or 0) for form in _candidates()}  # type: ignore[arg-type]
    best = max(shares.values())
    likely = [form for form, share in shares.items() if share == best and share > _SOME / 2]
    if best < _MOSTLY and likely:
        rest = some.filter(try_dates(some, likely[0]).is_null())
        seconds = {form: float(try_dates(rest, form).is_not_null().mean() or 0) for form in _candidates()}  # type: ignore[arg-type]
        second = max(seconds, key=seconds.__getitem__)
        likely = [f"{form}|{second}" for form in likely] if seconds[second] > _SOME else []
    return [form for form in likely if _fits(column, form)]


def _fits(column: Sight, form: str) -> bool:
    """Whether nearly all rows are dates in this format, and the rest is a handful of texts."""
    bad = try_dates(column.texts, form).is_null()
    return int(bad.sum()) <= 5 and column.share(~bad) >= _MOSTLY - 0.05


def _of_numbers(column: Sight) -> list[str]:
    """Formats of integers that are dates: 19600425, or spreadsheets' day numbers if the name suggests a date."""
    may_be_days, may_be_serials = len(column.sample[0]) == 8, hints.has(DATE_NAMES, column.normal)
    if not (may_be_days or may_be_serials) or not column.texts.str.contains(r"^\d+$").all():
        return []
    if (column.texts.str.len_chars() == 8).all() and try_dates(column.texts, _NUMBERS[0]).is_not_null().all():
        return _NUMBERS
    is_serial = may_be_serials and column.numbers.is_between(_FIRST_SERIAL, _LAST_SERIAL).all()
    return [EXCEL] if is_serial else []


def _candidates() -> list[str]:
    timed = product([*_DAY_FIRST, *_MONTH_FIRST, *_OTHERS[:2]], _TIMES)
    return [ISO, *(form + time for form, time in timed), *_NAMED, *_OTHERS[2:]]


def _order(form: str) -> str:
    """Whether the day or the month comes first, if that is ambiguous, with the separator after it."""
    first = form.split("|")[0]
    if first[:2] not in ("%d", "%m") or "%b" in first or "%d" not in first:
        return ""
    return first[:3]


def _looks_like_dates(column: Sight) -> bool:
    if not column.is_text or column.kind != "nominal" or not column.n_distinct or recognise(column.sample):
        return False
    return column.share(column.texts.str.contains(_LOOKS)) > _SOME
