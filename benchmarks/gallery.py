"""The plots of a report as pictures for the gallery: ``python benchmarks/gallery.py`` writes docs/gallery/*.svg.

They are taken from the internal report of a full-domain release of the example; the people do not exist.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import shoal
from shoal.io.example import ROLES, hierarchies, people

FOLDER = Path(__file__).parent.parent / "docs" / "gallery"
PLOTS = {
    "risk": "Share of rows by the size of their class",
    "class-sizes": "Histogram of class sizes",
    "loss-by-column": "Loss by column",
    "loss-and-risk": "Loss against highest risk",
}
"""The name of each picture, and how the description of its plot begins."""


def main() -> None:
    """Write the pictures."""
    page = report()
    style = "\n".join(re.findall(r"<style>(.*?)</style>", page, flags=re.DOTALL))
    FOLDER.mkdir(exist_ok=True)
    for name, begins in PLOTS.items():
        plot = next(one for one in re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL) if f'="{begins}' in one)
        (FOLDER / f"{name}.svg").write_text(alone(plot, style), encoding="utf-8")
        print(f"{name}.svg")


def report() -> str:
    """The internal report of 2,000 invented people, one hierarchy level per column."""
    result = shoal.anonymize(
        people(2_000),
        **ROLES,
        hierarchies=hierarchies(),
        privacy=[shoal.KAnonymity(10), shoal.LDiversity(3)],
        algorithm="lattice",
        suppression_limit=0.05,
        seed=1,
    )
    with tempfile.TemporaryDirectory() as folder:
        result.report(Path(folder) / "report.html", explore=True)
        return (Path(folder) / "report.html").read_text(encoding="utf-8")


def alone(plot: str, style: str) -> str:
    """A plot with the page's style in it and a white ground."""
    head, rest = plot.split(">", 1)
    head = head.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg" class="plot" font-family="sans-serif"', 1)
    light = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style)
    rules = "\n".join(rule.strip() for rule in re.findall(r"[^{}]+\{[^{}]*\}", light) if used(rule, plot))
    return f'{head}><style>{rules}</style><rect width="100%" height="100%" fill="white"/>{rest}\n'


def used(rule: str, plot: str) -> bool:
    """Whether a rule of the style sheet is about something in the plot; the margin around it would cut off its foot."""
    names = re.findall(r"\.([\w-]+)", rule.split("{")[0])
    if rule.split("{")[0].strip() == ".plot":
        return False
    given = {"plot"} | set(" ".join(re.findall(r'class="([^"]*)"', plot)).split())
    return ":root" in rule.split("{")[0] or bool(names and given >= set(names))


if __name__ == "__main__":
    main()
