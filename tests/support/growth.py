"""How the cost of an algorithm grows: tables of any size, times, and the exponent that fits them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import process_time

import numpy as np
import polars as pl

from shoal.core.builders import FanOut
from shoal.core.contracts import Algorithm, Goal, PrivacyModel
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.metrics import LM


def table_of(n_rows: int, n_columns: int = 5, n_values: int = 40, seed: int = 1) -> Table:
    """Rows that hang together: each column a noisy copy of one hidden number, so that similar rows exist."""
    rng = np.random.default_rng(seed)
    hidden = rng.random(n_rows)
    columns = {}
    for j in range(n_columns):
        noisy = (hidden + rng.normal(0, 0.15 * (j + 1), n_rows)) % 1.0
        columns[f"q{j}"] = (noisy * n_values).astype(np.int64)
    schema = Schema(tuple(columns), sensitive=("s",), hierarchies=dict.fromkeys(columns, FanOut(4)))
    columns["s"] = rng.integers(0, 50, n_rows)
    return encode(pl.DataFrame(columns), schema).table


def seconds_of(algorithm: Algorithm, table: Table, promise: PrivacyModel, repeats: int = 1) -> float:
    """CPU seconds of the algorithm alone, the least of a few."""
    goal, found = Goal((promise,), LM()), []
    for _ in range(repeats):
        fresh = Table(table.quasi, table.codes, table.sensitive, table.passengers, table.order)
        start = process_time()
        algorithm.run(fresh, goal, Randomness(1), Silent())
        found.append(process_time() - start)
    return min(found)


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of the line that fits the logarithms.

    >>> round(exponent([1, 10, 100], [2, 200, 20_000]), 3)
    2.0
    """
    x, y = np.log(sizes), np.log(np.maximum(seconds, 1e-6))
    return float(np.polyfit(x, y, 1)[0]) if len(sizes) > 1 else math.nan
