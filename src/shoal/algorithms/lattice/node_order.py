"""How nodes are compared."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Flags, Floats

Key = tuple[float, ...]
"""The key by which a metric compares nodes, lexicographically; smaller is better."""


def is_less(keys: Floats, limit: Key | None) -> Flags:
    """Which rows of ``keys`` are lexicographically below ``limit``; all if there is none."""
    if limit is None:
        return np.ones(keys.shape[0], bool)
    less: Flags = keys[:, 0] < limit[0]
    equal: Flags = keys[:, 0] == limit[0]
    for entry in range(1, keys.shape[1]):
        less |= equal & (keys[:, entry] < limit[entry])
        equal &= keys[:, entry] == limit[entry]
    return less


def raised(keys: Floats, floors: Floats) -> Floats:
    """The lexicographically larger of each pair of rows."""
    larger = np.zeros(keys.shape[0], bool)
    equal = np.ones(keys.shape[0], bool)
    for entry in range(keys.shape[1]):
        larger |= equal & (keys[:, entry] > floors[:, entry])
        equal &= keys[:, entry] == floors[:, entry]
    return np.where(larger[:, None], keys, floors)


def ascending(keys: Floats) -> np.typing.NDArray[np.intp]:
    """The indices that sort the rows of ``keys``."""
    return np.lexsort([*keys.T[::-1]])
