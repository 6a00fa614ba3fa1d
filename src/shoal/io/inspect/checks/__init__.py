"""Checks for problems of a table: one check per file, in the order in which they run.

A check gets the columns as read with the settings found so far, and yields what it found with the settings that fix it.
To add one: a file with ``find``, a line here, a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from shoal.io.inspect.checks import (
    blanks,
    copies,
    dates,
    missing_codes,
    missing_marks,
    numbers,
    orders,
    person_key,
    sample_weights,
    spellings,
    units,
    zip_codes,
)
from shoal.io.inspect.column_values import Advice, Sight

Check = Callable[[Sequence[Sight]], Iterator[Advice]]

ALL: dict[str, Check] = {
    "blanks": blanks.find,
    "missing marks": missing_marks.find,
    "units": units.find,
    "numbers": numbers.find,
    "missing codes": missing_codes.find,
    "dates": dates.find,
    "spellings": spellings.find,
    "orders": orders.find,
    "ZIP codes": zip_codes.find,
    "sample weights": sample_weights.find,
    "person key": person_key.find,
    "constants": copies.find,
}
"""The checks by name."""
