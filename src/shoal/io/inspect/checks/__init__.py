"""Checks for problems of a table, one subject per file, in the order in which ``examine`` runs them.

A check gets the columns as read with the settings found so far, and yields what it found with the settings that fix it.
To add one: a function, a line here, a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields

import polars as pl

from shoal.io.column_rules import is_emptied
from shoal.io.inspect.checks import (
    copies,
    dates,
    missing,
    numbers,
    orders,
    person_key,
    sample_weights,
    spellings,
    zip_codes,
)
from shoal.io.inspect.column_values import Advice, Sight, merged
from shoal.io.inspect.partition import NumberedColumn
from shoal.io.written_values import WrittenValues

Check = Callable[[Sequence[Sight]], Iterator[Advice]]

ALL: dict[str, Check] = {
    "blanks": spellings.find_blanks,
    "missing marks": missing.find_marks,
    "units": numbers.find_units,
    "numbers": numbers.find_notation,
    "missing codes": missing.find_codes,
    "dates": dates.find,
    "spellings": spellings.find_variants,
    "orders": orders.find,
    "ZIP codes": zip_codes.find,
    "sample weights": sample_weights.find,
    "person key": person_key.find,
    "constants": copies.find,
}
"""The checks by name."""

_WORDS = {one.name for one in fields(WrittenValues)}


def examine(
    frame: pl.DataFrame,
    orders: Mapping[str, Sequence[str]] | None = None,
    numbered: Sequence[NumberedColumn] | None = None,
) -> tuple[Advice, ...]:
    """Run every check on a table with such ``orders`` of categories, each as read with the settings found so far.

    O(rows · columns) to count values, unless its columns are ``numbered``; the checks look only at distinct values.
    """
    columns = map(NumberedColumn.of, frame.iter_columns()) if numbered is None else numbered
    sights = [Sight.of_numbers(one) for one in columns if not is_emptied(frame[one.name])]
    found: list[Advice] = []
    for name in [values.name for values in frame.iter_columns() if is_emptied(values)]:
        what = f"{name!r} holds lists, records or bytes, which cannot be published; it is dropped."
        found.append(Advice((name,), what, {"identifiers": [name]}))
    for name, order in (orders or {}).items():
        found.append(Advice((name,), f"{name!r} has an order of its own.", {"orders": {name: list(order)}}))
    for check in ALL.values():
        news = [one for one in check(sights) if not _is_known(one, found)]
        found += news
        written = written_values(news)
        named = {name for one in news for name in one.columns}
        everywhere = written.missing_values or written.decimal or written.thousands
        sights = [sight.read(written) if everywhere or sight.name in named else sight for sight in sights]
    return (*found, *copies.copies(frame, sights))


def written_values(advice: Sequence[Advice]) -> WrittenValues:
    """How to read the values, according to all the advice."""
    words = merged(one.words for one in advice)
    return WrittenValues(**{word: value for word, value in words.items() if word in _WORDS})


def _is_known(news: Advice, found: Sequence[Advice]) -> bool:
    """Whether earlier advice gives the same setting for the same column."""
    per_column = {word for word, value in news.words.items() if isinstance(value, Mapping)}
    return bool(per_column) and any(news.columns[0] in one.words.get(word, {}) for one in found for word in per_column)
