"""The artificial data of Tassa, Mazza and Gionis 2012, section 9: six independent columns and their hierarchies.

Each of the 5,000 rows draws each value with the printed probability; the paper does not print the rows it drew, so
``seed`` picks ours. Groups are the printed ones; the root of each hierarchy is the whole domain.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.core.hierarchy import Hierarchy
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode

SHARES: dict[str, list[float]] = {
    "A1": [0.7, 0.3],
    "A2": [0.3, 0.3, 0.2, 0.2],
    "A3": [0.25, 0.25, 0.4, 0.1],
    "A4": [0.07] * 6 + [0.04] * 10 + [0.02] * 9,
    "A5": [0.1] * 10,
    "A6": [0.05, 0.05, 0.5, 0.3, 0.1],
}
"""The probability of each value."""

SUBSETS: dict[str, list[tuple[int, int]]] = {
    "A1": [],
    "A2": [(1, 2), (3, 4)],
    "A3": [(1, 2), (3, 4)],
    "A4": [(1, 6), (7, 12), (13, 18), (19, 25), (1, 12), (13, 25)],
    "A5": [(1, 2), (3, 4), (6, 7), (8, 9), (1, 5), (6, 10)],
    "A6": [(1, 2), (4, 5), (3, 5)],
}
"""The first and last value of each permitted subset, besides single values and the whole domain."""


def rows(n: int = 5000, seed: int = 9) -> pl.DataFrame:
    """Draw ``n`` rows; the values of each column are a1, a2 and so on."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            name: [f"a{value + 1}" for value in rng.choice(len(shares), n, p=np.array(shares) / sum(shares))]
            for name, shares in SHARES.items()
        }
    )


def hierarchy(name: str) -> Hierarchy:
    """The permitted subsets of a column as a hierarchy; branches that end early repeat their label."""
    paths = []
    for value in range(1, len(SHARES[name]) + 1):
        above = sorted((last - first, first, last) for first, last in SUBSETS[name] if first <= value <= last)
        paths.append([f"a{value}", *(f"a{first}-a{last}" for _, first, last in above)])
    depth = max(map(len, paths))
    return Hierarchy.from_rows([[path[0]] * (depth - len(path)) + path + ["*"] for path in paths], name)


def artificial(n: int = 5000, seed: int = 9) -> Table:
    """The table with its hierarchies."""
    trees = {name: hierarchy(name) for name in SHARES}
    return encode(rows(n, seed), Schema(tuple(SHARES), hierarchies=trees)).table
