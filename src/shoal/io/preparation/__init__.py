"""Preparation that stewards expect before a table is anonymized: one kind of step a file."""

from __future__ import annotations

from shoal.io.preparation.bands import Banding
from shoal.io.preparation.key_file import SecretKey
from shoal.io.preparation.limits import BottomCoding, TopCoding
from shoal.io.preparation.preparation import Preparation
from shoal.io.preparation.pseudonyms import Pseudonyms
from shoal.io.preparation.rare import RareCategories
from shoal.io.preparation.rounding import Rounding
from shoal.io.preparation.shifted_dates import ShiftedDates

__all__ = [
    "Banding",
    "BottomCoding",
    "Preparation",
    "Pseudonyms",
    "RareCategories",
    "Rounding",
    "SecretKey",
    "ShiftedDates",
    "TopCoding",
]
