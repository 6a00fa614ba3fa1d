"""Values as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def plain_data(value: Any) -> Any:
    """Dicts, lists, numbers and texts: infinite numbers become None, and whatever JSON does not have its text.

    >>> plain_data({"levels": (1, 2), "risk": float("inf")})
    {'levels': [1, 2], 'risk': None}
    """
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | int) else str(value)
