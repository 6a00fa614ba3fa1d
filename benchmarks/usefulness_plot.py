"""Draws docs/results/usefulness.svg from the tables that ``usefulness.py`` and ``usefulness_arx.py`` printed.

For a few analyses the best form of each release: how far it is from the original. The bars are those that reports
draw. ``python benchmarks/usefulness_plot.py``.
"""

from __future__ import annotations

import re
from pathlib import Path

from shoal.report.svg import WIDTH
from shoal.report.usefulness_page import form_plots

RESULTS = Path(__file__).parent.parent / "docs" / "results"
SHOWN = ("counts", "coefficients", "intervals", "gradient-boosting", "random-forest")
STYLE = (
    "svg{background:#fff}text{font-family:sans-serif;font-size:13px;fill:#555}text.value,text.small{fill:#1b1b1b}"
    "text.small{font-size:11.5px}text.title{font-size:15px;fill:#1b1b1b}.grid{stroke:#ccc}.after{fill:#1f6fb2}"
    ".loss3{fill:#9a9a9a}"
)


def errors(path: Path) -> dict[str, dict[str, dict[str, float]]]:
    """The errors as printed: analysis, release, form."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    heads, *body = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines if "---" not in line)
    found: dict[str, dict[str, dict[str, float]]] = {name: {} for name in SHOWN}
    for cells in body:
        said = dict(zip(heads, cells, strict=True))
        for name in SHOWN:
            if re.fullmatch(r"[\d.]+", said[name]):
                found[name].setdefault(said["release"], {})[said["form"]] = float(said[name])
    return found


def best(releases: dict[str, dict[str, float]], name: str) -> dict[str, dict[str, float]]:
    """The nearest form of each release, as rows of a plot of one analysis."""
    forms = {release: min(own, key=own.__getitem__) for release, own in releases.items()}
    return {f"{release}: {form}": {name: releases[release][form]} for release, form in forms.items()}


def picture(tables: dict[str, Path]) -> str:
    """All plots below each other."""
    parts, top = [], 0.0
    for title, path in tables.items():
        top += 30
        parts.append(f'<text class="title" x="10" y="{top:g}">{title}</text>')
        for name, releases in errors(path).items():
            drawn = str(form_plots(best(releases, name)))
            found = re.search(r'<svg viewBox="0 0 \d+ ([\d.]+)"[^>]*>(.*?)</svg>', drawn, re.S)
            assert found is not None
            parts.append(f'<text x="10" y="{top + 26:g}">{name}: error of the nearest form, 0 is the original</text>')
            parts.append(f'<g transform="translate(0 {top + 34:g})">{found[2]}</g>')
            top += float(found[1]) + 44
    size = f'viewBox="0 0 {WIDTH} {top + 10:g}" width="{WIDTH}"'
    label = "How far the nearest form of each release is from the original; the figures are in the tables."
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}"><style>{STYLE}</style>'
    return "\n".join([head, *parts, "</svg>\n"])


def main() -> None:
    tables = {
        "Seven in ten of Adult, 8 quasi-identifiers, k = 10": RESULTS / "usefulness.txt",
        "All of Adult, 9 quasi-identifiers, k = 10, beside ARX": RESULTS / "usefulness-arx.txt",
    }
    (RESULTS / "usefulness.svg").write_text(picture(tables), encoding="utf-8")


if __name__ == "__main__":
    main()
