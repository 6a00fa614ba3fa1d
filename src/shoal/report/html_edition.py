"""The report as one self-contained HTML file: no scripts, fonts, images or network."""

from __future__ import annotations

from importlib.resources import files

from shoal.report import grids, sections
from shoal.report.figures import cut, figure
from shoal.report.markup import Markup, element, join
from shoal.report.published import PublicSummary
from shoal.report.solutions import solutions_part
from shoal.report.summary import Summary
from shoal.report.wording import INTERNAL, PUBLIC, headline, loss_headline

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render_html(summary: Summary, *, public: bool = False) -> str:
    """Render the whole page. The public one is built from ``summary.public()`` alone."""
    return public_page(summary.public()) if public else internal_page(summary)


def public_page(seen: PublicSummary) -> str:
    """The page that may accompany the release."""
    return page(
        headline(seen),
        element("p", PUBLIC, class_="note"),
        sections.tiles(_public_figures(seen)),
        sections.section("Promises", sections.promises(grids.promises(seen), seen)),
        sections.section("Re-identification risk", sections.risks(None, seen.risk, seen.asked.class_size)),
        sections.section("Equivalence classes", sections.class_sizes(seen)),
        *_ending(seen),
    )


def internal_page(summary: Summary) -> str:
    """The page for the data owner."""
    seen, found = summary.public(), summary.solutions
    losses = [(loss.name.upper(), figure(loss.score)) for loss in summary.losses[:1]]
    solutions = [solutions_part(found), sections.table(grids.front_grid(found))] if found else []
    return page(
        headline(seen) + loss_headline(summary),
        element("p", INTERNAL, class_="note secret"),
        sections.tiles([*_public_figures(seen), ("Suppressed rows", f"{summary.n_suppressed:,}"), *losses]),
        sections.section("Promises", sections.promises(grids.checked_promises(summary), seen)),
        sections.section("Re-identification risk", sections.risks(summary.before, seen.risk, seen.asked.class_size)),
        sections.section("Equivalence classes", sections.class_sizes(seen)),
        *sections.audit_sections(summary.audit, summary.not_audited),
        sections.section("Information loss", sections.losses(summary)),
        sections.section("Other solutions", *solutions),
        *_ending(seen, sections.pairs(summary.pairs), sections.table(grids.internal_making(summary))),
    )


def _ending(seen: PublicSummary, pairs: str = "", internal_making: str = "") -> list[Markup]:
    """The last sections of both editions, with what the internal one adds to them."""
    return [
        sections.section("Sample of the release", sections.table(grids.sample(seen)), pairs),
        sections.section("Smallest and least diverse classes", sections.worst_classes(seen)),
        sections.section("Preparation", sections.table(grids.prepared(seen))),
        sections.section("How it was made", sections.table(grids.making(seen)), internal_making),
    ]


def notebook_view(summary: Summary) -> str:
    """A short form for a notebook's cell, which reveals no more than the release and its loss."""
    seen = summary.public()
    shown = [grids.promises(seen), grids.losses(summary), grids.sample(seen)]
    return element("div", element("p", headline(seen)), *(sections.table(grid) for grid in shown))


def _public_figures(seen: PublicSummary) -> list[tuple[str, str]]:
    return [
        ("Records", f"{seen.n_records:,}"),
        ("Smallest class", f"{seen.risk.smallest:,}"),
        ("Highest risk", grids.risk_text(seen.risk.highest)),
        ("Average risk", grids.risk_text(seen.risk.average)),
    ]


def page(title: str, *parts: Markup, eyebrow: str = "shoal · report on a release") -> str:
    """A self-contained page with its style."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", cut(title, 120)),
        element("style", Markup(files("shoal.report").joinpath("page.css").read_text("utf-8"))),
    )
    top = element("header", element("p", eyebrow, class_="eyebrow"), element("h1", cut(title, 200)))
    body = element("body", element("main", top, *parts))
    return join([Markup("<!DOCTYPE html>\n"), element("html", head, body, lang="en"), "\n"])
