"""Random small tables of people with several rows, some with keys that are hard to read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

NASTY = [
    "",
    " ",
    "a,b",
    'quo"te',
    "=1+1",
    "01",
    "1",
    "1.0",
    "é",
    "e\u0301",
    "NULL",
    "*",
    "[1..2]",
    "p0",
    "-0",
    "日本",
    "\t",
    "A",
    "a",
]
"""Keys that are different people, however alike they look; the first is missing."""


def random_histories(seed: int) -> pl.DataFrame:
    """Two to twenty-five people with one to six rows, three columns of which one hardly varies, and row numbers."""
    rng = np.random.default_rng(seed)
    n_people = int(rng.integers(2, 26))
    names = [key or None for key in NASTY] if seed % 3 == 0 else []
    names = [*names, *(f"k{i}" for i in range(n_people))][:n_people]
    counts = rng.choice([1, 2, 3, 6], n_people, p=[0.4, 0.3, 0.2, 0.1])
    if seed % 7 == 0:
        counts[0] = 40
    who = rng.permutation(np.repeat(np.arange(n_people), counts))
    n = who.size
    town = np.where(rng.random(n) < 0.9, who % 3, rng.integers(0, 3, n))
    age = [None if rng.random() < 0.1 and seed % 2 else int(20 + 5 * (one % 8)) for one in who]
    return pl.DataFrame(
        {
            "row": np.arange(n),
            "who": pl.Series([names[one] for one in who], dtype=pl.String),
            "age": pl.Series(age, dtype=pl.Int64),
            "town": [["Ulm", "Jena", "Bonn"][one] for one in town],
            "month": rng.integers(1, 5, n),
            "illness": rng.choice(["flu", "cold", "asthma"], n),
        }
    )


def keyed_visits(
    n_people: int, often: int = 0, *, lengths: Sequence[int], shares: Sequence[float] | None = None, many: int
) -> pl.DataFrame:
    """People with a few visits each and one with ``many``, or all with as many; a few rows have no key."""
    rng = np.random.default_rng(3)
    counts = rng.choice(lengths, n_people, p=shares)
    counts[1] = many
    counts[:] = often or counts
    who = rng.permutation(np.repeat(np.arange(n_people), counts))
    return pl.DataFrame(
        {
            "row": np.arange(who.size),
            "who": pl.Series([f"p{one}" if one % 53 or often else None for one in who], dtype=pl.String),
            "age": 20 + who * 7 % 60,
            "town": [["Ulm", "Jena", "Bonn", "Kiel"][one * 5 % 4] for one in who],
            "month": rng.integers(1, 25, who.size),
            "illness": rng.choice(["flu", "cold", "asthma", "angina"], who.size),
        }
    )
