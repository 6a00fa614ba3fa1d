"""Names for the few kinds of arrays that shoal passes around."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]
"""Leaf codes, node bounds, row numbers: everything that indexes."""

Offsets = npt.NDArray[np.int64]
"""Where lists start in a flat array; counts."""

Whole = npt.NDArray[np.int64]
"""Prices and counts that are added up."""

Floats = npt.NDArray[np.float64]
"""Measures, prices, positions on a line."""

Flags = npt.NDArray[np.bool_]
"""Yes or no, one each."""

Words64 = npt.NDArray[np.uint64]
"""Random words."""
