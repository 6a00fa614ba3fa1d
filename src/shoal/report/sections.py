"""The sections of the HTML report. Those of the public edition take only a ``PublicSummary``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shoal.audit.findings import Audit
from shoal.report import audit_grids, grids
from shoal.report.audit_wording import COUNSEL, LIMITS, OUTCOMES, audit_headline, what_is_known
from shoal.report.before_after import Pair
from shoal.report.class_size_plot import class_size_plot
from shoal.report.figures import cut
from shoal.report.grids import Bad, Good, Grid
from shoal.report.loss_plot import column_plot
from shoal.report.markup import Markup, element, join
from shoal.report.published import MAX_COLUMNS, PublicSummary
from shoal.report.risk import RecordRisk
from shoal.report.risk_plot import risk_plot
from shoal.report.summary import Summary
from shoal.report.wording import (
    how_classes_spread,
    how_near_the_best,
    what_it_was_before,
    what_promises_mean,
    what_was_suppressed,
)


def section(title: str, *parts: str) -> Markup:
    """A heading with its content; empty if there is no content."""
    return element("section", element("h2", title), *parts) if any(parts) else Markup()


def tiles(figures: Iterable[tuple[str, str]]) -> Markup:
    """A few key figures to show first."""
    boxes = [element("div", element("dt", name), element("dd", value)) for name, value in figures]
    return element("dl", *boxes, class_="tiles")


def promises(grid: Grid, seen: PublicSummary) -> Markup:
    """The privacy models, and what they mean for the people responsible for the release."""
    return join([table(grid), paragraphs(what_promises_mean(seen))])


def risks(before: RecordRisk | None, after: RecordRisk, class_size: int | None) -> Markup:
    """Re-identification risk of records; without ``before``, only of the published ones."""
    said = paragraphs([what_it_was_before(before, after)] if before else [])
    plot = risk_plot(before, after, class_size) if after.is_by_class else join([])
    return join([said, plot, table(grids.risks(before, after))])


def class_sizes(seen: PublicSummary) -> Markup:
    """The class sizes in a sentence and a plot."""
    return join([paragraphs([how_classes_spread(seen.risk)]), class_size_plot(seen.risk, seen.asked.class_size)])


def losses(summary: Summary) -> Markup:
    """The information loss, in total and by column."""
    said = what_was_suppressed(summary.n_suppressed, summary.n_rows, summary.suppression_limit)
    by_column = [element("h3", "By column"), column_plot(summary.columns), table(grids.column_losses(summary))]
    said_of_it = [paragraphs([said, *how_near_the_best(summary)]), table(grids.claims(summary))]
    return join([table(grids.losses(summary)), *said_of_it, *by_column])


def audit_sections(found: Audit | None, not_audited: str = "") -> list[Markup]:
    """The results of the attacks, and the figures to report; without an audit, the reason why."""
    if found is None:
        return [section("Attacks", paragraphs([not_audited]))] if not_audited else []
    return [
        section(
            "Attacks",
            paragraphs([audit_headline(found), what_is_known(found), OUTCOMES]),
            *map(table, [*audit_grids.by_outcome(found), audit_grids.not_run(found)]),
            paragraphs([LIMITS]),
        ),
        section(
            "Risk figures",
            *map(table, [*audit_grids.figures_grids(found), audit_grids.asked_for(found)]),
            paragraphs([COUNSEL]),
        ),
    ]


def worst_classes(seen: PublicSummary) -> Markup:
    """The smallest classes and those with the fewest sensitive values."""
    return join(map(table, grids.worst_classes(seen)))


def pairs(shown: Sequence[Pair]) -> Markup:
    """Rows above their records. Internal."""
    if not shown:
        return Markup()
    quasi = list(shown[0].before)[: MAX_COLUMNS - 2]
    sensitive = list(shown[0].sensitive)[: MAX_COLUMNS - len(quasi)]
    heads = [element("th", cut(name, 28), scope="col") for name in ["State", *quasi, *sensitive]]
    bodies = [_pair(pair, quasi, sensitive) for pair in shown]
    caption = "Original rows and the records made of them. Internal: never publish this table."
    return join([element("h3", "Before and after"), _table(caption, heads, *bodies)])


def _pair(pair: Pair, quasi: Sequence[str], sensitive: Sequence[str]) -> Markup:
    def row(state: str, labels: Mapping[str, str]) -> Markup:
        cells = [(labels[name], "" if labels[name] == pair.before[name] else " grown") for name in quasi]
        cells += [(pair.sensitive[name], "") for name in sensitive]
        shown = [element("td", label, class_=_width(label) + change) for label, change in cells]
        return element("tr", element("th", state, scope="row"), *shown)

    return element("tbody", row("before", pair.before), row("after", pair.after), class_="pair")


def table(grid: Grid) -> Markup:
    """A table; empty if it has no rows."""
    if not grid.rows:
        return Markup()
    heads = [
        element("th", cut(head, 28), scope="col", **({"class_": "number"} if i in grid.numeric else {}))
        for i, head in enumerate(grid.heads)
    ]
    body = [element("tr", *(_cell(grid, i, text) for i, text in enumerate(row))) for row in grid.rows]
    return _table(grid.caption, heads, element("tbody", *body))


def _cell(grid: Grid, i: int, text: str) -> Markup:
    tone = "good" if isinstance(text, Good) else "bad" if isinstance(text, Bad) else ""
    content = element("span", text, class_=tone) if tone else text
    if grid.headed and i == 0:
        return element("th", content, scope="row")
    return element("td", content, class_="number" if i in grid.numeric else _width(text))


def _width(text: str) -> str:
    """Give long texts more room, so that they do not become tall, narrow cells."""
    return "long" if len(text) > 24 else "text"


def _table(caption: str, heads: Sequence[Markup], *bodies: Markup) -> Markup:
    """A table in a box that scrolls by itself if the table is wider than the page."""
    top = element("thead", element("tr", *heads))
    whole = element("table", element("caption", caption), top, *bodies, class_="wide" if len(heads) > 8 else "normal")
    return element("div", whole, class_="scroll", role="region", aria_label=caption, tabindex="0")


def paragraphs(texts: Iterable[str]) -> Markup:
    """One paragraph each."""
    return join(element("p", text) for text in texts)
