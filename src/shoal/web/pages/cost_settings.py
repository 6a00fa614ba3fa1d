"""What a release may cost: suppressed rows, the metric to minimize, the population, and weights of columns."""

from __future__ import annotations

from functools import partial
from typing import Any

from nicegui.element import Element

from shoal import metrics
from shoal.core.suppression_limit import parse_limit
from shoal.io.cell_forms import FORMS
from shoal.report.figures import cut
from shoal.web.pages.changing import number_of, set_number, set_word, set_word_for
from shoal.web.pages.fields import foldable, word_choice
from shoal.web.pages.tags import choice, field, on, tag
from shoal.web.pages.view import View
from shoal.web.word_forms import label

_RECODINGS = {"": "default", "tree": "tree", "range": "range", "sets": "sets", "suppress": "suppress"}


def costs(view: View, verdict: Element) -> None:
    """The suppression limit, the information-loss metric to minimize, and missing values."""
    with tag("div", class_="fields"):
        allowed = parse_limit(view.session.words.get("suppression_limit", 0.0))
        shown = "" if isinstance(allowed, str) else f"{100 * allowed:g}"
        name = f"{label('suppression_limit')} (% of rows)"
        give = set_number(view, verdict, "suppression_limit", "The suppression limit", lambda share: share / 100, 0.0)
        field(name, "number", shown, give, min="0", max="100", step="any", id="limit")
        known = {name: f"{name}: {metric.summary}" for name, metric in metrics.ALL.items()}
        word_choice(view, verdict, "metric", known, "lm")
        rows = {"own": "a value of their own", "drop": "drop rows that have one"}
        word_choice(view, verdict, "missing", rows, "own")


_CELLS = {
    "labels": "labels: as generalized",
    "bounds": "bounds: two columns, lowest and highest",
    "codes": "codes: numbers, with a codebook",
    "center": "center: one value for each cell",
    "sampled": "sampled: a value drawn from each cell",
}
_FORMS = {name: _CELLS.get(name, name) for name in FORMS}


def printing(view: View, verdict: Element) -> None:
    """The form in which cells are printed, for all columns or individually."""
    said = view.session.words.get("cells", "labels")
    each = said if isinstance(said, dict) else {}
    common = "labels" if each else said

    def print_as(value: str) -> Any:
        return set_word(view, verdict, "cells", value, "labels")

    def print_one(name: str, value: str) -> Any:
        now = view.session.words.get("cells", "labels")
        forms = {**(now if isinstance(now, dict) else {}), name: value}
        others = {column: form for column, form in forms.items() if form and form != "labels"}
        return set_word(view, verdict, "cells", others or "labels", "labels")

    known = {**({"": "column by column"} if each else {}), **_FORMS}
    with tag("div", class_="fields"):
        choice(label("cells"), known, "" if each else common, print_as, id="cells")
    with foldable(view, "cells-each", "Column by column"), tag("div", class_="fields"):
        for name in view.session.words.get("quasi_identifiers", []):
            shown = each.get(name, common)
            choice(f"Cells of {cut(name, 40)}", _FORMS, shown, partial(print_one, name), id=f"cells-{name}")


def population(view: View, verdict: Element) -> None:
    """The population that the rows were sampled from, for privacy models that count people."""
    session = view.session

    async def received(name: str) -> None:
        await set_word(view, verdict, "population", name)
        await view.draw()

    def sample_of(name: str) -> Any:
        return set_word(view, verdict, "population", name or None)

    trees = [spec for spec in session.words.get("hierarchies", {}).values() if isinstance(spec, str)]
    known = [name for name in sorted(session.table.files) if not name.startswith("hierarchy_") and name not in trees]
    with tag("div", class_="fields"):
        with tag("div", id="population-zone", class_="field", data_upload=f"/api/sessions/{session.id}/files") as zone:
            tag("label", "Table of the population the rows were sampled from", for_="population-file")
            tag("input", type="file", id="population-file")
        said = session.words.get("population") or ""
        shown = said if isinstance(said, int) else ""
        size = set_number(view, verdict, "population", "The population", int)
        field("Or its number of people", "number", shown, size, id="population-size", min="1", step="1")
        if known:
            options = {"": "none", **{name: cut(name, 40) for name in known}}
            chosen = said if isinstance(said, str) else ""
            choice(label("population"), options, chosen, sample_of, id="population")
    on(zone, "received", received)
    on(zone, "refused", lambda sentence: view.say(str(sentence)))


def importance(view: View, verdict: Element) -> None:
    """The weight of each quasi-identifier, and how it is recoded."""
    words = view.session.words

    async def weigh(name: str, value: str) -> None:
        number = number_of(view, value or "1", f"The importance of {name!r}")
        if number is not None:
            await set_word_for(view, verdict, "weights", name, None if number == 1 else number)

    def recode(name: str, value: str) -> Any:
        return set_word_for(view, verdict, "recodings", name, value or None)

    weights, recodings = words.get("weights", {}), words.get("recodings", {})
    for name in words.get("quasi_identifiers", []):
        column, weight, recoding = cut(name, 40), f"{weights.get(name, 1):g}", recodings.get(name, "")
        with tag("div", class_="fields"):
            limits = {"id": f"weight-{name}", "min": "0", "step": "any"}
            field(f"{label('weights')} of {column}", "number", weight, partial(weigh, name), **limits)
            give = partial(recode, name)
            choice(f"{label('recodings')} of {column}", _RECODINGS, recoding, give, id=f"recoding-{name}")
