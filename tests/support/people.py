"""Small tables in which people have several rows."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal


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


PLACES = shoal.Grouping({"*": {"near": ["a", "b", "c", "d"], "far": ["e"]}})


def colliding_visits() -> pl.DataFrame:
    """Rows near by that keep 2-diversity over people as two classes, and break it if they are one.

    In places a and b half of six people have the flu and half a cold, in c and d the other way round, so that all have
    had both. Cut by age all is well. The people of place e are others.
    """
    rows = [("a", 2, "p0", "asthma"), ("c", 1, "p0", "asthma")]
    for who in range(6):
        first = who < 3
        rows.append(("a" if first else "b", 1, f"p{who}", "flu" if first else "cold"))
        rows.append(("c" if first else "d", 2, f"p{who}", "cold" if first else "flu"))
    rows += [("e", 5, f"q{who}", "asthma" if who < 3 else "angina") for who in range(7)]
    return pl.DataFrame(rows, ["place", "age", "who", "illness"], orient="row")
