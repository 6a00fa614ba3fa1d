"""Algorithms side by side on the open table: information loss, risk, time and memory, each in a separate process."""

from __future__ import annotations

from typing import Any

from shoal import algorithms
from shoal.engine.vocabulary import CompareWords
from shoal.report.figures import figure, percent
from shoal.web.pages.changing import number_of
from shoal.web.pages.chart import chart, loss_and
from shoal.web.pages.drafts import begun, draft_field
from shoal.web.pages.fields import several, several_of
from shoal.web.pages.tags import hint, tag
from shoal.web.pages.tool_answers import ask_button, tool_answer
from shoal.web.pages.view import View
from shoal.web.tool_process import Told

_FIRST = ("mondrian", "agglomerative", "lattice")
"""The algorithms selected by default."""


def build(view: View) -> None:
    """Choose algorithms, values of k and a time limit; then show the results."""
    session, tool = view.session, view.session.tools["compare"]
    if session.table.name is None:
        tag("p", "Open a table under Prepare first.")
        return
    said = begun(tool.said, algorithms=[one for one in _FIRST if one in algorithms.ALL], ks=[], limit="30")
    hint("The privacy models, columns and hierarchies are the current ones. Nothing is published.")

    async def ask() -> None:
        limit = number_of(view, str(said["limit"]), "The time limit")
        if limit is not None:
            words = comparison_words(session.words, said, limit) | {"folder": str(session.inputs)}
            await tool.ask({"table": session.inputs / str(session.table.name)}, words, session.changed)

    several_of(
        "Algorithms",
        list(algorithms.ALL),
        said["algorithms"],
        lambda names: said.update(algorithms=names),
        name="compared-algorithms",
    )
    with tag("div", class_="fields"):
        several("Values of k (none: as set)", "number", said["ks"], lambda ks: said.update(ks=ks), name="compared-k")
        draft_field("Seconds for each", "number", said, "limit", id="compared-limit", min="1")
        ask_button(view, "Compare them", tool, ask)
    tool_answer(view, tool, _dots)


def comparison_words(words: dict[str, Any], said: dict[str, Any], limit: float) -> dict[str, Any]:
    """The settings of ``compare``: those of the job that it shares, and those of the form."""
    flat = {**words, **words.get("reading", {})}
    known = {name: value for name, value in flat.items() if name in CompareWords.model_fields}
    return {
        **known,
        "privacy": words.get("privacy", {}),
        "ks": [int(float(k)) for k in said.get("ks", ())],
        "algorithms": said["algorithms"],
        "time_limit": limit,
        "utility": False,
    }


def _dots(found: Told) -> None:
    dots = found["dots"]
    if not dots:
        return
    data = [
        {
            "value": [loss, risk],
            "tip": f"{name}, {goal}: loss {figure(loss)}, highest risk {percent(risk)}",
            "itemStyle": {"color": "--after" if is_best else "--before"},
        }
        for loss, risk, name, goal, is_best in dots
    ]
    option = {
        "grid": {"left": 70, "right": 20, "top": 20, "bottom": 50},
        **loss_and("highest risk", "LM"),
        "series": [{"type": "scatter", "name": "algorithms", "symbolSize": 14, "data": data}],
    }
    rows = [[name, goal, loss, risk, "yes" if is_best else "no"] for loss, risk, name, goal, is_best in dots]
    heads = ["algorithm", "privacy models", "loss (LM)", "highest risk", "on the front"]
    chart(
        option, name="algorithms-chart", label="Algorithms by loss and highest risk", heads=heads, rows=rows, zoom=True
    )
