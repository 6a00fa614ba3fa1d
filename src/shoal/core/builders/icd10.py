"""ICD-10 diagnosis codes by category and chapter."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from shoal.core.builders.nesting import under_star
from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy

CHAPTERS = (
    ("A00", "B99", "infectious diseases"),
    ("C00", "D48", "neoplasms"),
    ("D50", "D89", "blood"),
    ("E00", "E90", "metabolism"),
    ("F00", "F99", "mental disorders"),
    ("G00", "G99", "nervous system"),
    ("H00", "H59", "eye"),
    ("H60", "H95", "ear"),
    ("I00", "I99", "circulation"),
    ("J00", "J99", "breathing"),
    ("K00", "K93", "digestion"),
    ("L00", "L99", "skin"),
    ("M00", "M99", "muscles and bones"),
    ("N00", "N99", "urinary and genital system"),
    ("O00", "O99", "pregnancy"),
    ("P00", "P96", "newborns"),
    ("Q00", "Q99", "congenital disorders"),
    ("R00", "R99", "symptoms"),
    ("S00", "T98", "injury and poisoning"),
    ("U00", "U99", "special codes"),
    ("V01", "Y98", "external causes"),
    ("Z00", "Z99", "factors influencing health"),
)
"""The chapters: first and last category, and a short title."""

_FIRSTS = [first for first, _, _ in CHAPTERS]


@dataclass(frozen=True)
class Icd10:
    """ICD-10 codes, then their three-character categories, then the chapters, then the star.

    ``J45.0`` and ``J450`` are in ``J45*``, which is in ``J00-J99 breathing``. A value that is not an ICD-10
    code has no group below the star. O(values).

    >>> Icd10().build("dx", ["H52.1", "H65", "J45.0"], "nominal").to_rows()[0]
    ['H52.1', 'H52*', 'H00-H59 eye', '*']
    """

    def build(self, name: str, texts: Sequence[str], kind: Kind) -> Hierarchy:
        """The hierarchy over these codes."""
        return under_star(name, texts, list(zip(*map(_groups, texts), strict=True)))


def _groups(text: str) -> tuple[str, str]:
    """The category and the chapter of a code, or twice what is not an ICD-10 code."""
    category = text[:3].upper()
    place = bisect_right(_FIRSTS, category) - 1
    if len(category) < 3 or not category[1].isdigit() or place < 0:
        return text, text
    first, last, about = CHAPTERS[place]
    return (f"{category}*", f"{first}-{last} {about}") if category[:2] <= last[:2] else (text, text)
