"""Plots of the error of analyses: for each analysis, how far every form of a release is from the original."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.report.figures import cut, figure
from shoal.report.markup import Markup, element, join
from shoal.report.svg import WIDTH, bar, drawing, line, linear, text

Errors = Mapping[str, float | None]
"""Errors by name; 0 means that nothing was lost, None that there was no answer."""

_OF = ": "
_LEFT, _RIGHT, _TOP, _THICK, _GAP = 230, 70, 8, 14, 8


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
