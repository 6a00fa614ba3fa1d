"""Names for the array types used throughout shoal."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]
"""Leaf codes, node bounds, row numbers: anything used as an index."""

Offsets = npt.NDArray[np.int64]
"""Starts of lists in a flat array; counts."""

Whole = npt.NDArray[np.int64]
"""Prices and counts that are summed."""

Floats = npt.NDArray[np.float64]
"""Measures, prices, positions on a line."""

Flags = npt.NDArray[np.bool_]
"""One boolean per item."""

Words64 = npt.NDArray[np.uint64]
"""Random 64-bit words."""
