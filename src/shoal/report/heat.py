"""The plot of two columns together, before and after."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.report.figures import cut, figure, percent
from shoal.report.markup import Markup, element
from shoal.report.svg import WIDTH, drawing, text

_LEFT, _TOP, _GAP, _TILE = 130, 40, 60, 22


@dataclass(frozen=True)
class Heat:
    """How often parts of two columns occur together: ``before[row][column]`` rows, ``after`` records."""

    first: str
    second: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]

    @property
    def moved(self) -> float:
        """The share of the mass that is elsewhere afterwards: 0 where nothing changed, 1 where nothing is left."""
        was, now = sum(map(sum, self.before)) or 1.0, sum(map(sum, self.after)) or 1.0
        pairs = zip(self.before, self.after, strict=True)
        return sum(abs(b / was - a / now) for one, two in pairs for b, a in zip(one, two, strict=True)) / 2


def heat_plot(heat: Heat) -> Markup:
    """Two maps side by side, the darker the more; shades by the square root, so that rare pairs are seen."""
    room = (WIDTH - _LEFT - _GAP) / 2
    wide = min(_TILE * 1.6, room / max(1, len(heat.columns)))
    bottom = _TOP + _TILE * len(heat.rows)
    names = [
        text(cut(name, 16), _LEFT - 6, _TOP + _TILE * (i + 0.65), "end", "small") for i, name in enumerate(heat.rows)
    ]
    right = _LEFT + room + _GAP
    parts = [*names, *_map(heat, heat.before, _LEFT, wide, "before"), *_map(heat, heat.after, right, wide, "after")]
    parts += [text("original", _LEFT, 18, "start", "value"), text("published", right, 18, "start", "value")]
    said = f"{heat.first} by {heat.second}, before and after."
    summary = f"{heat.first} × {heat.second}: {percent(heat.moved)} of the mass has moved"
    return element("details", element("summary", summary), drawing(said, bottom + 96, *parts))


def _map(heat: Heat, counts: tuple[tuple[float, ...], ...], left: float, wide: float, class_: str) -> list[Markup]:
    most = max((max(row, default=0) for row in counts), default=0) or 1
    tiles = [
        _tile(
            left + wide * j,
            _TOP + _TILE * i,
            wide,
            (count / most) ** 0.5,
            class_,
            f"{heat.rows[i]}, {heat.columns[j]}: {figure(count)}",
        )
        for i, row in enumerate(counts)
        for j, count in enumerate(row)
    ]
    bottom = _TOP + _TILE * len(heat.rows)
    heads = [
        element(
            "text",
            cut(name, 14),
            class_="small",
            text_anchor="end",
            transform=f"translate({left + wide * (j + 0.6):.1f} {bottom + 10}) rotate(-50)",
        )
        for j, name in enumerate(heat.columns)
    ]
    return [*tiles, *heads]


def _tile(x: float, y: float, wide: float, shade: float, class_: str, title: str) -> Markup:
    return element(
        "rect",
        element("title", title),
        x=x,
        y=y,
        width=wide - 1,
        height=_TILE - 1.0,
        class_=class_,
        fill_opacity=f"{shade:.2f}",
        stroke_opacity="0",
    )
