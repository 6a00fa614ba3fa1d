"""Diagnoses by ICD chapters, medicines by ATC groups."""

from __future__ import annotations

from shoal.io.inspect.column_values import Sight
from shoal.io.inspect.hierarchies.fit import Fit

_ATC = r"^[ABCDGHJLMNPRSV]\d{2}[A-Z]{2}\d{2}$"
_ICD = r"^[A-TV-Z]\d[0-9AB](?:\.?[0-9A-Z]{1,4})?[!*+]?$"
_FEWEST = 3


def fit(column: Sight) -> Fit | None:
    """Match columns whose codes all have the format of ATC or of ICD-10."""
    if not column.is_text or column.n_distinct < _FEWEST:
        return None
    if column.texts.str.contains(_ATC).all():
        return Fit("prefixes:lengths=5/4/3/1", "ATC codes by subgroup, group and organ system", is_code=True)
    if column.texts.str.contains(_ICD).all():
        return Fit("icd10", "ICD-10 codes by category and chapter", is_code=True)
    return None
