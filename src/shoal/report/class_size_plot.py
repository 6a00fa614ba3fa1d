"""The plot of class sizes, with the required size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.report import svg
from shoal.report.figures import counted, figure
from shoal.report.markup import Markup, join
from shoal.report.risk import RecordRisk
from shoal.report.svg import LEFT, RIGHT, WIDTH, Scale, bar, text

_TOP, _BOTTOM = 44, 264
_CHARACTER = 7.5
"""Maximum width of a digit or a comma."""


@dataclass(frozen=True)
class Bin:
    """The equivalence classes with ``first`` to ``last`` records."""

    first: int
    last: int
    n_classes: int

    @property
    def label(self) -> str:
        """The range of sizes."""
        return f"{self.first:,}" if self.first == self.last else f"{self.first:,}–{self.last:,}"


def bins_of(risk: RecordRisk, class_size: int | None) -> list[Bin]:
    """At most 10 bins of class sizes, from ``class_size`` or the smallest class on, with an edge at ``class_size``.

    If there are few sizes, each has its own bin; otherwise bin widths grow with the sizes, so that a few huge classes
    do not push all others into one bar.
    """
    if not risk.n_classes:
        return []
    if class_size is not None and risk.smallest < class_size <= risk.largest:
        starts = [*_starts(risk.smallest, class_size - 1, 3), *_starts(class_size, risk.largest, 7)]
    else:
        starts = _starts(min(risk.smallest, class_size or risk.smallest), risk.largest, 10)
    edges = np.array([*starts, risk.largest + 1])
    sizes, counts = np.array(risk.spectrum).T
    totals = np.histogram(sizes, edges, weights=counts)[0]
    return [Bin(int(edges[i]), int(edges[i + 1]) - 1, int(n)) for i, n in enumerate(totals)]


def _starts(first: int, last: int, at_most: int) -> list[int]:
    """The starts of at most ``at_most`` bins between ``first`` and ``last``."""
    if last - first < at_most:
        return list(range(first, last + 1))
    edges = np.unique(np.geomspace(first, last + 1, at_most + 1).round().astype(np.int64))
    return [int(edge) for edge in edges[:-1]]


def class_size_plot(risk: RecordRisk, class_size: int | None) -> Markup:
    """Bars of equal width, each with its number of classes on top; empty if there are no classes."""
    bins = bins_of(risk, class_size)
    if not bins:
        return Markup()
    ticks = svg.round_ticks(max(b.n_classes for b in bins))
    y = svg.linear(0, ticks[-1], _BOTTOM, _TOP)
    step = (WIDTH - LEFT - RIGHT) / len(bins)
    parts = [svg.level(f"{tick:,.0f}", y(tick)) for tick in ticks]
    parts += [_bar(b, LEFT + (i + 0.5) * step, min(0.84 * step, 110), y) for i, b in enumerate(bins)]
    if class_size:
        at = LEFT + step * sum(b.last < class_size for b in bins)
        parts.append(svg.wanted(class_size, at, _BOTTOM + 6, to_left=at > WIDTH - 160))
    parts.append(svg.axes("records in the class", "number of classes", _TOP, _BOTTOM, 54))
    wanted = f" Wanted: at least {class_size:,}." if class_size else ""
    description = (
        f"Histogram of class sizes: {counted(risk.n_classes, 'class', 'classes')} of {risk.smallest:,} to "
        f"{risk.largest:,} records, {figure(risk.mean_size)} on average.{wanted}"
    )
    return svg.drawing(description, _BOTTOM + 64, *parts)


def _bar(b: Bin, centre: float, width: float, y: Scale) -> Markup:
    """A bar that is visible however small it is, its number, and its sizes."""
    top = min(y(b.n_classes), _BOTTOM - 2) if b.n_classes else _BOTTOM
    title = f"{counted(b.n_classes, 'class', 'classes')} of {b.label} records"
    return join(
        [
            bar(centre - width / 2, top, width, _BOTTOM - top, "after", title),
            text(f"{b.n_classes:,}" if b.n_classes else "", centre, top - 5, "middle", "value"),
            *_sizes(b, centre, width),
        ]
    )


def _sizes(b: Bin, centre: float, width: float) -> list[Markup]:
    """The sizes under a bar, on two lines if one is too narrow."""
    if len(b.label) * _CHARACTER <= width:
        return [text(b.label, centre, _BOTTOM + 18, "middle")]
    lines = (f"{b.first:,}–", f"{b.last:,}")
    return [text(part, centre, _BOTTOM + 18 + 15 * i, "middle") for i, part in enumerate(lines)]
