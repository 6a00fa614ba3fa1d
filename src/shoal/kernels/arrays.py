"""The one array type in kernel signatures; numba chooses the concrete types when it compiles."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]
