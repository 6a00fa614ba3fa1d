"""The plot of risk before and after: the share of rows in classes up to each size."""

from __future__ import annotations

from shoal.report import svg
from shoal.report.figures import percent
from shoal.report.markup import Markup, element, join
from shoal.report.risk import RecordRisk
from shoal.report.svg import LEFT, RIGHT, WIDTH, Scale, line, text

_TOP, _BOTTOM = 44, 274


def risk_plot(before: RecordRisk | None, after: RecordRisk, class_size: int | None) -> Markup:
    """One step line each; the further right a line rises, the safer. Empty if there are no records."""
    if not after.n_classes:
        return Markup()
    most = 1.15 * max(after.largest, before.largest if before else 1, class_size or 1, 10)
    x, y = svg.logarithmic(1, most, LEFT, WIDTH - RIGHT), svg.linear(0, 1, _BOTTOM, _TOP)
    parts = [svg.level(percent(tick), y(tick)) for tick in (0, 0.25, 0.5, 0.75, 1)]
    parts += [_size(tick, x(tick)) for tick in svg.decade_ticks(most)]
    if class_size:
        at = x(class_size)
        parts.append(svg.wanted(class_size, at, _BOTTOM, to_left=at > WIDTH / 2))
    if before:
        parts.append(_steps(before, x, y, "before"))
    parts.append(_steps(after, x, y, "after"))
    parts.append(_legend("after", "published", WIDTH - RIGHT - 104))
    if before:
        parts.append(_legend("before", "original", WIDTH - RIGHT - 214))
    parts.append(svg.axes("records in the class (logarithmic)", "share of rows", _TOP, _BOTTOM))
    was = f"; in the original {percent(before.n_unique / max(1, before.n_rows))} of rows stand alone" if before else ""
    description = (
        f"Share of rows by the size of their class: published classes have {after.smallest:,} to "
        f"{after.largest:,} records{was}."
    )
    return svg.drawing(description, _BOTTOM + 54, *parts)


def _size(tick: int, x: float) -> Markup:
    return join([line(x, _BOTTOM, x, _BOTTOM + 5), text(f"{tick:,}", x, _BOTTOM + 20, "middle")])


def _steps(risk: RecordRisk, x: Scale, y: Scale, class_: str) -> Markup:
    """The share of rows in classes up to each size; steps under half a pixel are left out."""
    rows, path, drawn = 0, f"M{LEFT} {_BOTTOM}", 0.0
    for size, n_classes in risk.spectrum:
        rows += size * n_classes
        if x(size) - drawn >= 0.5 or rows == risk.n_rows:
            drawn = x(size)
            path += f"H{drawn:.1f}V{y(rows / risk.n_rows):.1f}"
    return element("path", d=f"{path}H{WIDTH - RIGHT}", class_=f"line {class_}")


def _legend(class_: str, name: str, x: float) -> Markup:
    """Placed in the row of the axis label, where no line can overlap it."""
    sample = element("path", d=f"M{x:g} {_BOTTOM + 40}h26", class_=f"line {class_}")
    return join([sample, text(name, x + 32, _BOTTOM + 44)])
