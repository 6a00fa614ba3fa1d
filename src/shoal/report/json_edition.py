"""The report as JSON: the same numbers, for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from shoal.report.summary import Summary


def render_json(summary: Summary, *, public: bool = False) -> str:
    """The fields of ``Summary``, or of ``PublicSummary``, with the edition's name; infinite numbers become null."""
    content = summary.public().to_dict() if public else summary.to_dict()
    edition = {"edition": "public" if public else "internal", **content}
    return json.dumps(_plain(edition), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """Convert to types that JSON supports."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | int) else str(value)
