"""Lines over a logarithmic axis as an SVG file, for the docs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path

COLOURS = ("#1b6ca8", "#c1440e", "#3c7d3e", "#7a4fa3", "#8a6d1a", "#555555")
LEFT, RIGHT, TOP, BOTTOM, WIDTH = 64, 168, 16, 300, 640


def plot(path: Path, axes: tuple[str, str], lines: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> None:
    """Write one line per entry; a name that ends in ``(paper)`` is dashed and has the colour of the one before it."""
    values = [y for _, ys in lines.values() for y in ys if y > 0]
    places = [x for xs, _ in lines.values() for x in xs]
    low, high = floor(log10(min(values))), ceil(log10(max(values)))

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - min(places)) / (max(places) - min(places))
        up = (log10(y) - low) / (high - low)
        return LEFT + across * (WIDTH - LEFT - RIGHT), BOTTOM - up * (BOTTOM - TOP)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {BOTTOM + 44}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="white"/>'
    ]
    for power in range(low, high + 1):
        y = at(min(places), 10.0**power)[1]
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    ticks = [(at(x, 10.0**low)[0], x) for x in sorted(set(places))]
    parts += [f'<text x="{px:.1f}" y="{BOTTOM + 18}" text-anchor="middle">{x:g}</text>' for px, x in ticks]
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{BOTTOM + 36}" text-anchor="middle">{axes[0]}</text>')
    parts.append(f'<text x="14" y="{BOTTOM / 2}" transform="rotate(-90 14 {BOTTOM / 2})">{axes[1]}</text>')
    colour = -1
    for number, (name, (xs, ys)) in enumerate(lines.items()):
        dashed = name.endswith("(paper)")
        colour += not dashed
        stroke = f'stroke="{COLOURS[colour % len(COLOURS)]}"' + (' stroke-dasharray="5 4"' if dashed else "")
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in (at(x, y) for x, y in zip(xs, ys, strict=True) if y > 0))
        parts.append(f'<polyline points="{points}" fill="none" stroke-width="2" {stroke}/>')
        y = TOP + 18 * number + 4
        parts.append(f'<path d="M{WIDTH - RIGHT + 16} {y}h26" stroke-width="2" {stroke}/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 48}" y="{y + 4}">{name}</text>')
    path.write_text("\n".join([*parts, "</svg>\n"]), encoding="utf-8")
