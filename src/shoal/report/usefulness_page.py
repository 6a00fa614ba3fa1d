"""The usefulness of a release, as tables, and as plots of how far each form is from the original in every analysis."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.report.figures import cut, figure
from shoal.report.grids import Grid
from shoal.report.html_edition import page
from shoal.report.markup import Markup, element, join
from shoal.report.sections import paragraphs, section, table
from shoal.report.svg import WIDTH, bar, drawing, line, linear, text
from shoal.utility import ALL
from shoal.utility.analyses import ALL as ANALYSES

Errors = Mapping[str, float | None]
"""Errors by name; 0 means that nothing was lost, None that there was no answer."""

_OF = ": "
_LEFT, _RIGHT, _TOP, _THICK, _GAP = 230, 70, 8, 14, 8

_NOTE = (
    "Each figure is an error: 0 if the release gives the same answer as the original. The form with the smallest error "
    "is darker."
)


def usefulness_html(found: Errors) -> str:
    """The measures as a page."""
    told = {name: analysis.summary for name, analysis in ANALYSES.items()}
    return page(
        "Usefulness of the release",
        paragraphs([_NOTE]),
        section("Answers from the release", table(measures_grid(found))),
        section("Errors of analyses by form of cells", table(forms_grid(found)), form_plots(by_form(found), told)),
    )


def usefulness_fragment(found: Errors) -> str:
    """Only the tables, for a notebook's cell."""
    return element("div", *(table(grid) for grid in (measures_grid(found), forms_grid(found)) if grid.rows))


def measures_grid(found: Errors) -> Grid:
    """The measures of the whole release."""
    told = {name: measure.summary for name, measure in ALL.items()}
    rows = [
        [name, shown(error), told.get(name.partition(":")[0], "")] for name, error in found.items() if ": " not in name
    ]
    return Grid("Answers from the release", ["Measure", "Error", "Meaning"], rows, (1,))


def forms_grid(found: Errors) -> Grid:
    """A row for each form, a column for each analysis."""
    return errors_grid("Forms of cells", "Form", by_form(found))


def errors_grid(caption: str, head: str, of_rows: Mapping[str, Errors]) -> Grid:
    """A column for each analysis."""
    names = list(dict.fromkeys(name for errors in of_rows.values() for name in errors))
    rows = [[row, *(shown(errors.get(name)) for name in names)] for row, errors in of_rows.items()]
    return Grid(caption, [head, *names], rows, range(1, len(names) + 1))


def shown(error: float | None) -> str:
    """An error as shown in tables."""
    return "–" if error is None else f"{error:.4f}"


def by_form(found: Errors) -> dict[str, dict[str, float | None]]:
    """The errors named ``form: analysis``, grouped by form."""
    forms: dict[str, dict[str, float | None]] = {}
    for name, error in found.items():
        form, _, analysis = name.partition(_OF)
        if analysis:
            forms.setdefault(form, {})[analysis] = error
    return forms


def is_of_form(name: str) -> bool:
    """Whether an error belongs to an analysis in a form."""
    return _OF in name


def form_plots(rows: Mapping[str, Errors], told: Mapping[str, str] | None = None) -> Markup:
    """One plot for each analysis, with a bar for each of ``rows``: forms of a release, or releases in a form.

    ``told`` says what an analysis measures. Empty if there is nothing to show.
    """
    analyses = dict.fromkeys(analysis for errors in rows.values() for analysis in errors)
    return join([_plot(name, {row: errors.get(name) for row, errors in rows.items()}, told or {}) for name in analyses])


def _plot(analysis: str, errors: Errors, told: Mapping[str, str]) -> Markup:
    known = [error for error in errors.values() if error is not None]
    if not known:
        return Markup()
    least, most = min(known), max(known)
    bottom = _TOP + (_THICK + _GAP) * len(errors)
    x = linear(0, most or 1.0, _LEFT, WIDTH - _RIGHT)
    parts = [line(_LEFT, _TOP, _LEFT, bottom)]
    for place, (name, error) in enumerate(errors.items()):
        top = _TOP + (_THICK + _GAP) * place + _GAP / 2
        parts.append(text(cut(name, 30), _LEFT - 10, top + 12, "end", "value"))
        if error is None:
            parts.append(text("no answer", _LEFT + 6, top + 12))
            continue
        width = max(x(error) - _LEFT, 1.0)
        parts.append(bar(_LEFT, top, width, _THICK, "after" if error == least else "loss3", f"{name}: {figure(error)}"))
        parts.append(text(figure(error), _LEFT + width + 6, top + 12, "start", "small"))
    best = next(name for name, error in errors.items() if error == least)
    description = f"{analysis}: distance from the original; {best} is nearest with {figure(least)}."
    heading = element("h3", f"{analysis}: {told[analysis]}" if analysis in told else analysis)
    return join([heading, drawing(description, bottom + 4, *parts)])
