"""Reading the column of sample weights: how many people of the population each row represents."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.core.arrays import Floats
from shoal.errors import InputError


def read_weights(column: pl.Series) -> Floats:
    """The weights as numbers. O(rows).

    Raises:
        InputError: a weight is missing, not a number, or not positive.
    """
    name = column.name
    known = column.fill_nan(None) if column.dtype.is_float() else column
    if n_missing := known.null_count():
        raise InputError(
            f"{n_missing:,} of {len(column):,} rows have no sample weight in {name!r}; fill them in, or leave them out."
        )
    numbers = column.cast(pl.Float64, strict=False) if column.dtype != pl.Boolean else pl.Series([None] * len(column))
    values = numbers.cast(pl.Float64).to_numpy() if not numbers.null_count() else np.array([np.nan])
    if not np.isfinite(values).all():
        raise InputError(f"The sample weights in {name!r} must be numbers; some are not.")
    if (values <= 0).any():
        raise InputError(f"The sample weights in {name!r} must be above 0, got {values.min():g}.")
    return np.asarray(values, np.float64)
