"""Large tables in blocks of rows that lie close together, since MDAV and neighbours take the square of their number."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Floats, Offsets


def blocks_of(points: Floats, most: int) -> list[Offsets]:
    """All rows, cut at the median of the widest dimension until no part has more than ``most``. O(n log² n)."""
    waiting, done = [np.arange(points.shape[0])], []
    while waiting:
        rows = waiting.pop()
        if rows.size <= most:
            done.append(rows)
            continue
        inside = points[rows]
        ordered = rows[np.argsort(inside[:, inside.var(axis=0).argmax()], kind="stable")]
        waiting += [ordered[: rows.size // 2], ordered[rows.size // 2 :]]
    return done
