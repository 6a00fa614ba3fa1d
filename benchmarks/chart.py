"""The chart of the README: seconds and information loss beside ARX and the Python packages.

``python benchmarks/chart.py`` draws docs/results/speed-and-loss.svg from peers.txt and arx.txt in the same folder;
it measures nothing itself. Further left is faster, further down loses less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import log10
from pathlib import Path

RESULTS = Path(__file__).parent.parent / "docs" / "results"
TARGET = RESULTS / "speed-and-loss.svg"
OURS, THEIRS = "#1f6fb2", "#c1440e"
PANEL, GAP, LEFT, TOP, HEIGHT = 340, 20, 52, 52, 170
SECONDS = (0.01, 0.1, 1.0, 10.0, 100.0)


@dataclass(frozen=True)
class Point:
    """One tool: its processor seconds, its loss, whether it is ours, and whether its name goes above or below it."""

    name: str
    seconds: float
    loss: float
    ours: bool
    above: bool = True


def main() -> None:
    """Write the chart."""
    TARGET.write_text(drawn(), encoding="utf-8")
    print(f"{TARGET.name}: {', '.join(point.name for point in [*python_packages(), *arx()])}")


def python_packages() -> list[Point]:
    """Those that publish sets and ranges, k = 10."""
    rows = {row[0]: row for row in table(RESULTS / "peers.txt")}
    names = {"shoal, quick": "shoal --quick"} | {name: name for name in ("shoal", "shoal, 10 s", "anonypy", "anonypyx")}
    below = "shoal, 10 s", "anonypyx"
    return [
        Point(names[tool], float(rows[tool][3]), float(rows[tool][9]), tool.startswith("shoal"), tool not in below)
        for tool in names
    ]


def arx() -> list[Point]:
    """Local recoding with ARX's hierarchies, k = 10."""
    rows = {row[0]: row for row in table(RESULTS / "arx.txt")}
    quick, longer = rows["local recoding, k = 10, agglomerative"], rows["local recoding, k = 10, clustering, 10 s"]
    return [
        Point("ARX", float(quick[1]), float(quick[4]), False),
        Point("shoal, agglomerative", float(quick[2]), float(quick[5]), True),
        Point("shoal, 10 s", float(longer[2]), float(longer[5]), True, above=False),
    ]


def table(path: Path) -> list[list[str]]:
    """The rows of the table that a script printed."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


def drawn() -> str:
    """Both panels."""
    width = 2 * PANEL + GAP + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + HEIGHT + 48}" font-family="sans-serif" '
        'font-size="12" role="img"><title>Processor seconds and information loss of shoal, ARX and Python packages'
        '</title><rect width="100%" height="100%" fill="white"/>'
    ]
    parts += panel("Python packages: Adult, 8 columns, k = 10", "GCP", python_packages(), 0, 0.08)
    parts += panel("ARX: Adult, 9 columns, k = 10", "LM", arx(), PANEL + GAP, 0.12)
    return "\n".join([*parts, "</svg>", ""])


def panel(title: str, measure: str, points: Sequence[Point], start: float, most: float) -> list[str]:
    """One comparison: seconds across (logarithmic), loss upwards from 0 to the most."""
    left, right, bottom = start + LEFT, start + PANEL, TOP + HEIGHT
    parts = [
        f'<text x="{left}" y="18" font-weight="bold">{escape(title)}</text>',
        f'<text x="{left}" y="36" fill="#555">information loss ({measure}); 0 is none</text>',
    ]
    for step in range(5):
        y = bottom - HEIGHT * step / 4
        parts.append(f'<path d="M{left} {y:.1f}H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{most * step / 4:g}</text>')
    for seconds in SECONDS:
        x = across(seconds, left, right)
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{seconds:g}</text>')
    parts.append(f'<text x="{(left + right) / 2}" y="{bottom + 38}" text-anchor="middle">processor seconds</text>')
    for point in points:
        x, y = across(point.seconds, left, right), bottom - HEIGHT * point.loss / most
        colour, shift = OURS if point.ours else THEIRS, -10 if point.above else 20
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{y + shift:.1f}" text-anchor="middle" fill="{colour}">{escape(point.name)}</text>'
        )
    return parts


def across(seconds: float, left: float, right: float) -> float:
    """Where so many seconds are."""
    low, high = log10(SECONDS[0]), log10(SECONDS[-1])
    return left + (log10(seconds) - low) / (high - low) * (right - left)


if __name__ == "__main__":
    main()
