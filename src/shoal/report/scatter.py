"""A plot of two figures of several things, with a line through those that no other beats in both."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.report.figures import figure, percent
from shoal.report.markup import Markup, element, join
from shoal.report.svg import WIDTH, drawing, line, linear, text, turned

_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 24, 300

Point = tuple[float, float, str, bool]
"""How much it loses, its risk, its name, and whether no other beats it in both."""


def scatter(points: Sequence[Point], across: str, up: str) -> Markup:
    """Each a dot that tells its name when pointed at. Nothing where there are none."""
    if not points:
        return Markup()
    most_x, most_y = (1.08 * max(values) or 1.0 for values in ([p[0] for p in points], [p[1] for p in points]))
    x, y = linear(0, most_x, _LEFT, WIDTH - _RIGHT), linear(0, most_y, _BOTTOM, _TOP)
    ticks_x = [text(figure(most_x * i / 4), x(most_x * i / 4), _BOTTOM + 20, "middle") for i in range(5)]
    ticks_y = [
        join([line(_LEFT, y(tick), WIDTH - _RIGHT, y(tick)), text(percent(tick), _LEFT - 8, y(tick) + 4, "end")])
        for tick in (most_y * i / 4 for i in range(5))
    ]
    front = sorted((point for point in points if point[3]), key=lambda point: point[0])
    path = "M" + "L".join(f"{x(point[0]):.1f} {y(point[1]):.1f}" for point in front)
    joined = [element("path", d=path, class_="line before")] if front else []
    dots = [_dot(x(loss), y(risk), name, is_front) for loss, risk, name, is_front in points]
    axes = [text(across, (_LEFT + WIDTH - _RIGHT) / 2, _BOTTOM + 44, "middle", "axis"), turned(up, 14, _BOTTOM / 2)]
    description = f"{up} against {across} of {len(points)} releases; {len(front)} of them no other beats in both."
    return drawing(description, _BOTTOM + 54, *ticks_x, *ticks_y, *joined, *dots, *axes)


def _dot(x: float, y: float, name: str, is_front: bool) -> Markup:
    class_ = "dot chosen" if is_front else "dot"
    return element("circle", element("title", name), cx=x, cy=y, r=6 if is_front else 4, class_=class_)
