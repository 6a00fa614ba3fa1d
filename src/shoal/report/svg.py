"""Common parts of the plots: a drawing with a description, lines, texts, and round ticks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from shoal.report.markup import Markup, element, join

WIDTH = 880
"""Width of every plot in its own units; about one pixel each on a wide page."""

LEFT, RIGHT = 70, 20
"""Room for the numbers and the name of a vertical axis, and at the other end."""

Scale = Callable[[float], float]
"""Maps a value to its position in the drawing."""


def drawing(description: str, height: float, *parts: Markup) -> Markup:
    """A plot; its description is read out by screen readers."""
    picture = element("svg", *parts, viewBox=f"0 0 {WIDTH} {height:g}", role="img", aria_label=description)
    return element("figure", picture, class_="plot")


def text(content: str, x: float, y: float, anchor: str = "start", class_: str = "tick") -> Markup:
    """A text whose baseline is at ``y``."""
    return element("text", content, x=x, y=y, text_anchor=anchor, class_=class_)


def turned(content: str, x: float, y: float) -> Markup:
    """A text along a vertical axis, centred on ``y``."""
    return element(
        "text", content, text_anchor="middle", class_="axis", transform=f"translate({x:g} {y:g}) rotate(-90)"
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str = "grid") -> Markup:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def level(label: str, y: float) -> Markup:
    """A line across the plot, with its number on the vertical axis."""
    return join([line(LEFT, y, WIDTH - RIGHT, y), text(label, LEFT - 8, y + 4, "end")])


def axes(across: str, up: str, top: float, bottom: float, below: float = 44) -> Markup:
    """The names of both axes; that of the horizontal one so far below the plot."""
    name = text(across, (LEFT + WIDTH - RIGHT) / 2, bottom + below, "middle", "axis")
    return join([name, turned(up, 14, (top + bottom) / 2)])


def wanted(class_size: int, x: float, bottom: float, *, to_left: bool) -> Markup:
    """The required size of a class, as a vertical line with its label on one side."""
    label = text(f"wanted: at least {class_size:,}", x + (-6 if to_left else 6), 16, "end" if to_left else "start")
    return join([line(x, 6, x, bottom, "wanted"), label])


def joined(points: Iterable[tuple[float, float]]) -> Markup:
    """A line from point to point."""
    return element("path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), class_="line before")


def bar(x: float, y: float, width: float, height: float, class_: str, title: str) -> Markup:
    """A rectangle that shows ``title`` on hover."""
    return element("rect", element("title", title), x=x, y=y, width=width, height=height, class_=class_)


def linear(low: float, high: float, start: float, end: float) -> Scale:
    """Map values between ``low`` and ``high`` linearly to positions between ``start`` and ``end``."""
    return lambda value: start + (end - start) * (value - low) / ((high - low) or 1)


def logarithmic(low: float, high: float, start: float, end: float) -> Scale:
    """The same on a logarithmic scale."""
    inner = linear(math.log(low), math.log(high), start, end)
    return lambda value: inner(math.log(value))


def round_ticks(most: int, about: int = 4) -> list[int]:
    """Round integers from 0 to ``most`` or just past it.

    >>> round_ticks(87), round_ticks(3)
    ([0, 20, 40, 60, 80, 100], [0, 1, 2, 3])
    """
    raw = max(most, 1) / about
    unit = 10 ** max(0, math.floor(math.log10(raw)))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= 0.8 * raw)
    return [step * i for i in range(max(1, math.ceil(most / step)) + 1)]


def decade_ticks(high: float, at_most: int = 10) -> list[int]:
    """1, 2, 5, 10, … up to ``high``; only powers of ten if those are too many.

    >>> decade_ticks(120)
    [1, 2, 5, 10, 20, 50, 100]
    """
    ticks = [m * 10**e for e in range(20) for m in (1, 2, 5) if m * 10**e <= high]
    return ticks if len(ticks) <= at_most else [t for t in ticks if str(t).strip("0") == "1"]
