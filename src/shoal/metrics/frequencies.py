"""The number of rows whose value lies in a cell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Floats
from shoal.core.cells import Cells


def summed(cells: Cells, terms: npt.NDArray[np.number]) -> Floats:
    """The sum of ``terms[leaf]`` over the leaves of each distinct cell. O(leaves + distinct cells)."""
    if cells.offsets is None or cells.members is None:
        before = np.concatenate([[0.0], np.cumsum(terms, dtype=np.float64)])
        within: Floats = before[cells.high + 1] - before[cells.low]
        return within
    return np.add.reduceat(np.asarray(terms, np.float64)[cells.members], cells.offsets[:-1])


def logarithms(counts: npt.NDArray[np.number]) -> Floats:
    """log2 of counts; 0 for a count of 0."""
    bits: Floats = np.log2(np.maximum(counts, 1))
    return bits
