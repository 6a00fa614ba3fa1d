"""Small tables in which people have several rows."""

from __future__ import annotations

import numpy as np
import polars as pl


def visits(n_rows: int, seed: int, n_people: int | None = None) -> pl.DataFrame:
    """Visits of a few people, some of whom come often; age and place hardly change from visit to visit."""
    rng = np.random.default_rng(seed)
    n_people = n_people or max(2, n_rows // 4)
    who = np.minimum(rng.geometric(3 / n_people, n_rows) - 1, n_people - 1)
    age = 20 + who * 7 % 50 + rng.integers(0, 2, n_rows)
    return pl.DataFrame(
        {
            "who": [f"p{one}" for one in who],
            "age": age,
            "zip": [f"{one * 5 % 7}{one % 3}" for one in who],
            "illness": rng.choice(["flu", "cold", "asthma", "angina"], n_rows, p=[0.4, 0.3, 0.2, 0.1]),
        }
    )
