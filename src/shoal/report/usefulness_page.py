"""The usefulness of a release, as a page with tables and plots."""

from __future__ import annotations

from shoal.report.form_plot import Errors, by_form, form_plots
from shoal.report.grids import Grid
from shoal.report.html_edition import page
from shoal.report.markup import Markup, element
from shoal.report.sections import paragraphs, section, table
from shoal.utility import ALL
from shoal.utility.analyses import ALL as ANALYSES

_NOTE = (
    "Each figure is an error: 0 if the release gives the same answer as the original. The form with the smallest error "
    "is darker."
)


def usefulness_html(found: Errors) -> str:
    """The measures as a page."""
    return page("Usefulness of the release", *_sections(found))


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
    forms = by_form(found)
    names = list(dict.fromkeys(name for errors in forms.values() for name in errors))
    rows = [[form, *(shown(errors.get(name)) for name in names)] for form, errors in forms.items()]
    return Grid("Forms of cells", ["Form", *names], rows, range(1, len(names) + 1))


def shown(error: float | None) -> str:
    """An error as shown in tables."""
    return "–" if error is None else f"{error:.4f}"


def _sections(found: Errors) -> list[Markup]:
    told = {name: analysis.summary for name, analysis in ANALYSES.items()}
    return [
        paragraphs([_NOTE]),
        section("Answers from the release", table(measures_grid(found))),
        section("Errors of analyses by form of cells", table(forms_grid(found)), form_plots(by_form(found), told)),
    ]
