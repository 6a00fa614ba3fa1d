"""Random keys, drawn for one release alone."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.core.randomness import Randomness


def fresh_keys(n: int, letter: str, randomness: Randomness) -> pl.Series:
    """So many different random keys of 64 bits, from the cryptographic generator.

    Nothing of the row or person that gets one goes into it. They begin with a letter, so that no reader takes one for
    a number.
    """
    while True:
        words = randomness.words(n)
        if np.unique(words).size == n:
            return pl.Series([f"{letter}{word:016x}" for word in words.tolist()], dtype=pl.String)
