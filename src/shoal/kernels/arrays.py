"""The one type that kernels' signatures name; their real types are chosen when they are compiled."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]
