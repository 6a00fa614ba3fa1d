from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

import shoal
from report.made_by_hand import MARKUP, SCRIPT, Made, make
from shoal.io.example import people
from shoal.report.html_edition import render_html
from shoal.report.markup import Markup, element, join
from shoal.report.summary import Summary

VOID = {"meta", "br"}
ALLOWED = set(
    re.findall(
        r"\w+",
        "html head meta title style body main header section p span h1 h2 h3 dl div dt dd figure "
        "table caption thead tbody tr th td svg rect line path text",
    )
)


class Reader(HTMLParser):
    """Checks that elements are closed in the order they were opened, and remembers them with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError(f"{tag} closes itself")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]


@pytest.fixture(scope="module", params=[False, True], ids=["internal", "public"])
def page(request: pytest.FixtureRequest, summary: Summary) -> str:
    return render_html(summary, public=request.param)


def test_elements_are_balanced_and_known(page: str) -> None:
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert {tag for tag, _ in Reader(page).seen} <= ALLOWED


def test_the_reader_finds_an_open_element() -> None:
    with pytest.raises(AssertionError):
        Reader("<p><span></p>")


def test_values_and_names_are_escaped(made: Made, page: str) -> None:
    assert SCRIPT in made.frame["diagnosis"].head(10).to_list()
    assert "<script" not in page
    assert "<i>" not in page
    assert "<b>" not in page
    texts = Reader(page).texts
    assert SCRIPT in texts
    assert "<i>job</i>" in texts
    assert any(MARKUP.replace('"', '\\"') in text for text in texts)


def test_nothing_is_fetched(page: str) -> None:
    for reference in ("http://", "https://", "url(", "@import", "src=", "href=", "<script", "<link", "javascript:"):
        assert reference not in page
    assert "default-src 'none'" in str(Reader(page).named("meta")[1].get("content")).replace("&#x27;", "'")


def test_headings_are_in_order(page: str) -> None:
    levels = [int(tag[1]) for tag, _ in Reader(page).seen if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_plots_and_tables_can_be_heard(page: str) -> None:
    reader = Reader(page)
    assert len(reader.named("svg")) >= 2
    assert all(a.get("role") == "img" and a.get("aria-label") for a in reader.named("svg"))
    assert all(a.get("scope") in ("row", "col") for a in reader.named("th"))
    assert len(reader.named("caption")) == len(reader.named("table"))


def test_light_dark_and_paper(page: str) -> None:
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert "max-width: 960px" in page


def test_everything_drawn_is_inside_its_drawing(page: str) -> None:
    for drawing in re.findall(r"<svg.*?</svg>", page):
        width, height = (float(v) for v in re.findall(r'viewBox="0 0 (\S+) (\S+)"', drawing)[0])
        assert all(0 <= float(x) <= width for x in re.findall(r' x[12]?="(\S+?)"', drawing))
        assert all(0 <= float(y) <= height for y in re.findall(r' y[12]?="(\S+?)"', drawing))


def test_what_it_says(summary: Summary) -> None:
    texts = Reader(render_html(summary)).texts
    lm = f"{next(loss.score for loss in summary.losses if loss.name == 'lm'):.3g}"
    assert f"593 records with 5-anonymity and 2-diversity of diagnosis, LM {lm}" in texts
    assert "✓ holds" in texts
    assert "wanted: at least 5" in texts
    assert "20 of 613 rows (3.26%) are suppressed; the suppression limit is 5%." in texts
    smallest = summary.published.risk.smallest
    assert any(f"finds at least {smallest} records that may be theirs" in text for text in texts)
    for title in ("Equivalence classes", "Information loss", "How it was made"):
        assert title in texts


def test_the_guide_to_reports_names_sections_as_they_are_called() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "how-to" / "reading-reports.md").read_text("utf-8")
    named = re.findall(r"^\| ([A-Z][^|]*) \|", guide, re.MULTILINE)
    page = render_html(shoal.anonymize(people(200), auto=True, privacy={"k": 3}, quick=True).summary())
    assert len(named) >= 6
    assert [name for name in named if f">{name}</h2>" not in page] == []


def test_thousands_are_separated() -> None:
    assert "2,480 records" in render_html(make(2500).summary())


def test_markup_is_escaped_once() -> None:
    inner = element("b", "a & b")
    assert element("p", inner, "<") == "<p><b>a &amp; b</b>&lt;</p>"
    assert join(["<", Markup("<")]) == "&lt;<"
    assert element("p", title='"') == '<p title="&quot;"></p>'
