"""Numbers on a page that names the file they come from are in that file.

``<!-- numbers: ../results/full-domain.txt -->`` above a paragraph or a table says that every number in it was printed
into that file, to the digits shown; ``besides: 2012, 1.38`` behind it lists those that come from elsewhere.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MARK = re.compile(r"<!-- numbers: (?P<file>\S+?)(?:; besides: (?P<besides>[^>]*?))? -->\n(?P<block>(?:.+\n)+)")
NUMBER = re.compile(r"(?<![\w.])(?P<digits>\d[\d,]*(?:\.\d+)?)(?:e(?P<power>[+-]?\d+))?(?P<million> million)?")
MARKED = [
    pytest.param(page, mark, id=f"{page.relative_to(ROOT)}, block {number}")
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for number, mark in enumerate(MARK.finditer(page.read_text(encoding="utf-8")), 1)
]


def numbers(text: str) -> list[tuple[str, float, float]]:
    """Each number as written, its value, and half of its last digit."""
    found = []
    for match in NUMBER.finditer(text):
        digits = match["digits"].rstrip(",").replace(",", "")
        scale = 10 ** int(match["power"] or 0) * (1_000_000 if match["million"] else 1)
        places = len(digits.partition(".")[2])
        found.append((match[0].strip(), float(digits) * scale, 0.5 * 10**-places * scale))
    return found


def strangers(block: str, saved: str, besides: str) -> list[str]:
    """The numbers of a block that round to none of the saved ones."""
    known = [value for _, value, _ in numbers(saved + " " + besides)]
    return [
        text
        for text, value, half in numbers(block)
        if not any(abs(value - other) <= half * (1 + 1e-9) for other in known)
    ]


@pytest.mark.parametrize(("page", "mark"), MARKED)
def test_every_number_of_a_marked_block_is_in_the_result_that_it_names(page: Path, mark: re.Match[str]) -> None:
    saved = (page.parent / mark["file"]).read_text(encoding="utf-8")
    saved = saved.replace(",", " ") if mark["file"].endswith(".csv") else saved
    assert strangers(mark["block"], saved, mark["besides"] or "") == []


@pytest.mark.parametrize(
    "result",
    [
        "full-domain",
        "pattern-guided",
        "local-recoding",
        "nonhomogeneous",
        "audit-adult",
        "link-chances",
    ],
)
def test_results_that_pages_quote_are_named_there(result: str) -> None:
    assert any(mark.values[1]["file"].endswith(f"/{result}.txt") for mark in MARKED)  # type: ignore[index]


def test_a_number_that_was_not_printed_is_found() -> None:
    saved = "0.0372 s, 1,137,710 rows, 6.9e+06"
    assert strangers("| 0.037 | 1.14 million | 6,900,000 |", saved, "") == []
    assert strangers("| 0.039 | 1.13 million | 12 | 2012 |", saved, "2012") == ["0.039", "1.13 million", "12"]
