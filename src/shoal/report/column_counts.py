"""The number of rows with each value of a column, for a chart."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.core.domain import Domain
from shoal.report.figures import cut, figure

_BINS, _MOST = 60, 30


def column_counts(domain: Domain) -> dict[str, Any]:
    """Count rows by value: along the line for numbers and dates, otherwise the commonest values first. O(values).

    Returns:
        ``label`` says what is counted; ``parts`` are the name and the number of rows of each bar. Along the line,
        ``middles`` are the positions of the bars, and ``width`` is their width.
    """
    known = np.isfinite(domain.points) & (domain.counts > 0)
    is_line = domain.kind in ("numeric", "date") and bool(known.any())
    return _line(domain, known) if is_line else _commonest(domain)


def _line(domain: Domain, known: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> dict[str, Any]:
    points, counts = domain.points[known], domain.counts[known]
    low, high = float(points.min()), float(points.max())
    heights, edges = np.histogram(points, _BINS, (low, high if high > low else low + 1), weights=counts)
    ends = [cut(domain.texts[int(np.flatnonzero(known)[i])], 16) for i in (points.argmin(), points.argmax())]
    is_date = domain.kind == "date"
    names = [
        f"part {place + 1} of {_BINS}" if is_date else f"{figure(left)} to {figure(right)}"
        for place, (left, right) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    ]
    return {
        "label": f"Rows by {cut(domain.name)}, from {ends[0]} to {ends[1]}",
        "parts": [[name, int(height)] for name, height in zip(names, heights.tolist(), strict=True)],
        "middles": ((edges[:-1] + edges[1:]) / 2).tolist(),
        "width": float(edges[1] - edges[0]),
        "ends": ends if is_date else None,
    }


def _commonest(domain: Domain) -> dict[str, Any]:
    order = np.argsort(-domain.counts, kind="stable")[:_MOST].tolist()
    return {
        "label": f"Rows by {cut(domain.name)}, the commonest values first",
        "parts": [[cut(domain.texts[leaf], 40), int(domain.counts[leaf])] for leaf in order],
    }
