"""The report as JSON: the same numbers, for programs."""

from __future__ import annotations

import json

from shoal.core.plain_data import plain_data
from shoal.report.summary import Summary


def render_json(summary: Summary, *, public: bool = False) -> str:
    """The fields of ``Summary``, or of ``PublicSummary``, with the edition's name; infinite numbers become null."""
    content = summary.public().to_dict() if public else summary.to_dict()
    edition = {"edition": "public" if public else "internal", **content}
    return json.dumps(plain_data(edition), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
