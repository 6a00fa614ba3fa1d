"""Tables for benchmarks: Adult where SHOAL_DATA has it, else the example that shoal makes itself."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import polars as pl

ADULT_EIGHT = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]


def adult() -> pl.DataFrame | None:
    """Adult, 30,162 rows of nine columns as texts, or None where the data sets are not at hand."""
    folder = os.environ.get("SHOAL_DATA")
    path = Path(folder or "") / "datasets" / "adult-arx" / "adult.csv"
    return pl.read_csv(path, separator=";", infer_schema=False) if folder and path.exists() else None


def eight_columns() -> tuple[str, pl.DataFrame]:
    """A name and a table of eight quasi-identifiers with about 30,000 rows."""
    frame = adult()
    if frame is not None:
        return "Adult", frame.select(ADULT_EIGHT)
    from shoal.io.example import people

    made = people(30_162)
    return "example", made.select("birth_date", "postcode", "sex", "job", "marital_status").with_columns(
        pl.col("birth_date").dt.year().alias("birth_year"),
        pl.col("birth_date").dt.month().alias("birth_month"),
        pl.col("postcode").str.slice(0, 2).alias("region"),
    )


def resampled(frame: pl.DataFrame, n: int, seed: int = 1) -> pl.DataFrame:
    """``n`` rows whose columns are drawn from the frame's independently: many more distinct rows than it has."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame([column.gather(rng.integers(0, len(column), n)) for column in frame])
