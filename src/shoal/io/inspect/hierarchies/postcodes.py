"""Postcodes, digit by digit."""

from __future__ import annotations

from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Sight
from shoal.io.inspect.hierarchies.fit import Fit

_POSTCODES = "zip*, post code*, postal*, plz, postleitzahl*, code postal, codigo postal, cap, cp, postcode*"
_WHY = "postcodes digit by digit: the first ones stand for larger areas"


def fit(column: Sight) -> Fit | None:
    """Match codes of digits, or of digits and letters, if the column is named like a postcode."""
    if not hints.has(_POSTCODES, column.normal):
        return None
    if column.texts.str.contains(r"^\d{3,10}$").all():
        return Fit("mask", _WHY)
    if column.texts.str.contains(r"^[A-Za-z0-9][A-Za-z0-9 -]{2,9}$").all():
        return Fit("prefixes:lengths=4/3/2/1", _WHY)
    return None
