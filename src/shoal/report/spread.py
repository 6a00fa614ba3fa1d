"""The plot of a column's values before and after."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.report.figures import figure
from shoal.report.markup import Markup, element, join
from shoal.report.svg import WIDTH, bar, drawing, line, linear, round_ticks, text

_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 30, 170


@dataclass(frozen=True)
class Spread:
    """How many rows, and how many records, have each part of a column's values; ``means`` where they are numbers.

    A record whose cell holds several values counts in equal shares for each of them that occurs.
    """

    column: str
    parts: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    means: tuple[float, float] | None = None
    said: str = ""


def spread_part(spread: Spread) -> Markup:
    """A heading, the means in a sentence, and the plot."""
    said = [element("p", text) for text in (_means(spread.means), spread.said) if text]
    return join([element("h3", spread.column), *said, spread_plot(spread)])


def spread_plot(spread: Spread) -> Markup:
    """Two bars a part: before and after."""
    most = max(*spread.before, *spread.after, 1)
    ticks = round_ticks(int(most), 3)
    y = linear(0, ticks[-1], _BOTTOM, _TOP)
    pitch = (WIDTH - _LEFT - _RIGHT) / max(1, len(spread.parts))
    grid = [join([line(_LEFT, y(t), WIDTH - _RIGHT, y(t)), text(f"{t:,}", _LEFT - 8, y(t) + 4, "end")]) for t in ticks]
    bars = [
        _pair(spread, part, _LEFT + part * pitch, pitch, y(spread.before[part]), y(spread.after[part]))
        for part in range(len(spread.parts))
    ]
    longest = max((len(name) for name in spread.parts), default=1)
    depth = min(150, 14 + 6 * longest)
    legend = [
        bar(_LEFT, 4, 12, 12, "before", "original"),
        text("original", _LEFT + 18, 14),
        bar(_LEFT + 90, 4, 12, 12, "after", "published"),
        text("published", _LEFT + 108, 14),
    ]
    said = f"{spread.column}: rows and records by value, before and after."
    return drawing(said, _BOTTOM + depth, *grid, *bars, *legend)


def _pair(spread: Spread, part: int, left: float, pitch: float, before: float, after: float) -> Markup:
    width = max(1.0, (pitch - 4) / 2)
    name = spread.parts[part]
    middle = left + pitch / 2
    label = element(
        "text",
        name,
        class_="tick",
        text_anchor="end",
        transform=f"translate({middle + 4:.1f} {_BOTTOM + 14}) rotate(-45)",
    )
    return join(
        [
            bar(left + 1, before, width, _BOTTOM - before, "before", f"{name}: {figure(spread.before[part])} rows"),
            bar(
                left + 1 + width,
                after,
                width,
                _BOTTOM - after,
                "after",
                f"{name}: {figure(spread.after[part])} records",
            ),
            label,
        ]
    )


def _means(means: tuple[float, float] | None) -> str:
    if means is None:
        return ""
    return f"The mean was {figure(means[0])}; by the published cells it is {figure(means[1])}."
