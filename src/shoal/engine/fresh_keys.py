"""Random keys, drawn for a single release."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.core.randomness import Randomness


def fresh_keys(n: int, letter: str, randomness: Randomness) -> pl.Series:
    """``n`` different random 64-bit keys from the cryptographic generator.

    They are independent of the row or person that gets one. They begin with a letter, so that no reader parses one as a
    number.
    """
    while True:
        words = randomness.words(n)
        if np.unique(words).size == n:
            return pl.Series([f"{letter}{word:016x}" for word in words.tolist()], dtype=pl.String)
