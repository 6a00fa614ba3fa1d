"""The plot of one column's values, with the cuts that somebody thinks of making."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.core.domain import Domain
from shoal.report.figures import cut, figure
from shoal.report.markup import Markup, join
from shoal.report.svg import WIDTH, bar, drawing, line, linear, text

_LEFT, _RIGHT, _TOP, _BOTTOM, _BINS = 20, 20, 16, 120, 60


def column_histogram(domain: Domain, cuts: Sequence[float] = ()) -> Markup:
    """Rows by value: along the line where values are numbers or dates, else the commonest first."""
    known = np.isfinite(domain.points) & (domain.counts > 0)
    is_line = domain.kind in ("numeric", "date") and known.any()
    return _line(domain, known, cuts) if is_line else _commonest(domain)


def _line(domain: Domain, known: np.ndarray[tuple[int], np.dtype[np.bool_]], cuts: Sequence[float]) -> Markup:
    points, counts = domain.points[known], domain.counts[known]
    low, high = float(points.min()), float(points.max())
    heights, edges = np.histogram(points, _BINS, (low, high if high > low else low + 1), weights=counts)
    x, y = linear(edges[0], edges[-1], _LEFT, WIDTH - _RIGHT), linear(0, float(heights.max()), _BOTTOM, _TOP)
    bars = [
        bar(x(left), y(height), max(1.0, x(right) - x(left) - 1), _BOTTOM - y(height), "after", f"{height:,.0f} rows")
        for left, right, height in zip(edges[:-1].tolist(), edges[1:].tolist(), heights.tolist(), strict=True)
    ]
    ends = [domain.texts[int(np.flatnonzero(known)[i])] for i in (points.argmin(), points.argmax())]
    marks = [
        join([line(x(at), 6, x(at), _BOTTOM, "wanted"), text(figure(at), x(at) + 3, 14)])
        for at in cuts
        if edges[0] <= at <= edges[-1]
    ]
    names = [text(cut(ends[0], 16), _LEFT, _BOTTOM + 18), text(cut(ends[1], 16), WIDTH - _RIGHT, _BOTTOM + 18, "end")]
    return drawing(f"Rows by {cut(domain.name)}, from {ends[0]} to {ends[1]}.", _BOTTOM + 28, *bars, *marks, *names)


def _commonest(domain: Domain, most: int = 30) -> Markup:
    order = np.argsort(-domain.counts, kind="stable")[:most]
    counts = domain.counts[order]
    y = linear(0, float(max(1, counts.max(initial=1))), _BOTTOM, _TOP)
    pitch = (WIDTH - _LEFT - _RIGHT) / max(1, order.size)
    bars = [
        bar(
            _LEFT + i * pitch,
            y(float(n)),
            pitch - 2,
            _BOTTOM - y(float(n)),
            "after",
            f"{cut(domain.texts[leaf])}: {n:,}",
        )
        for i, (leaf, n) in enumerate(zip(order.tolist(), counts.tolist(), strict=True))
    ]
    name = cut(domain.texts[int(order[0])]) if order.size else ""
    said = f"Rows by {cut(domain.name)}, the commonest first: {name}."
    return drawing(said, _BOTTOM + 28, *bars, text(said, _LEFT, _BOTTOM + 18))
