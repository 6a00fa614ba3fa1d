"""The reference says of every privacy model, metric, attack and algorithm what a reader needs to know."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from shoal import algorithms, audit, metrics, models

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "plug-ins.md"
FAMILIES: dict[str, tuple[Mapping[str, type], tuple[str, ...]]] = {
    "Privacy models": (models.ALL, ("Guarantee", "Threat model", "Cost", "Reference")),
    "Metrics": (metrics.ALL, ("Cost", "Reference")),
    "Attacks": (audit.ALL, ("Stopped by", "Cost", "Reference")),
    "Algorithms": (algorithms.ALL, ("Cost", "Reference")),
}
CITED = re.compile(r"\b(?:19|20)\d\d, \(?[^\W\d_]|\bour own\b|\bARX\b")
"""A year and a title behind it, unless it is nobody else's."""


@pytest.mark.parametrize("title", FAMILIES)
def test_every_plug_in_is_told_with_all_that_its_family_owes(title: str) -> None:
    family, owed = FAMILIES[title]
    for name, plug_in in family.items():
        told = inspect.getdoc(plug_in) or ""
        paragraphs = {line.partition(":")[0] for line in told.splitlines()}
        assert not [label for label in owed if label not in paragraphs], name


@pytest.mark.parametrize("title", FAMILIES)
def test_papers_are_cited_by_author_year_and_title(title: str) -> None:
    for name, plug_in in FAMILIES[title][0].items():
        source = (inspect.getdoc(plug_in) or "").partition("\nReference: ")[2].partition("\n\n")[0]
        assert CITED.search(" ".join(source.split())), f"{name}: {source}"


@pytest.mark.parametrize("title", FAMILIES)
def test_every_plug_in_has_its_place_on_the_page(title: str) -> None:
    section = PAGE.read_text("utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert re.findall(r"^### (.+)$", section, flags=re.MULTILINE) == list(FAMILIES[title][0])
