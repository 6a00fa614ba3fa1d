"""Preparation that data stewards expect before a table is anonymized: one kind of step per file.

Read in this order: ``contract`` (what a step is), ``preparation`` (all steps of a table and the sample of its rows),
then the steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.io.preparation.bands import Banding as Banding
    from shoal.io.preparation.key_file import SecretKey as SecretKey
    from shoal.io.preparation.limits import BottomCoding as BottomCoding
    from shoal.io.preparation.limits import TopCoding as TopCoding
    from shoal.io.preparation.preparation import Preparation as Preparation
    from shoal.io.preparation.pseudonyms import Pseudonyms as Pseudonyms
    from shoal.io.preparation.rare import RareCategories as RareCategories
    from shoal.io.preparation.rounding import Rounding as Rounding
    from shoal.io.preparation.shifted_dates import ShiftedDates as ShiftedDates

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.io.preparation.bands:Banding",
        "shoal.io.preparation.key_file:SecretKey",
        "shoal.io.preparation.limits:BottomCoding",
        "shoal.io.preparation.limits:TopCoding",
        "shoal.io.preparation.preparation:Preparation",
        "shoal.io.preparation.pseudonyms:Pseudonyms",
        "shoal.io.preparation.rare:RareCategories",
        "shoal.io.preparation.rounding:Rounding",
        "shoal.io.preparation.shifted_dates:ShiftedDates",
    ),
)
