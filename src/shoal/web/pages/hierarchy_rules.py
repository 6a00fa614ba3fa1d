"""A rule that builds a hierarchy: its form, and a preview of its cuts in the chart of the column."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from nicegui.element import Element

from shoal.core.builders.dates import PERIODS
from shoal.web.pages.chart import chart
from shoal.web.pages.fields import foldable, several, several_of
from shoal.web.pages.tags import button, choice, field, tag, text_tag
from shoal.web.pages.view import View
from shoal.web.rule_forms import HINTS, RULES, RuleField, fields_of, given_of, spec_of

Take = Callable[[object], Awaitable[None]]
"""Sets a hierarchy, given as a setting of a job, if it can be built over the values of the column."""

_SUITED = {"numeric": "intervals", "date": "dates"}


def draw_rules(view: View, column: str, found: dict[str, Any], picture: Element, take: Take) -> None:
    """Draw the rule, its parameters and the button, which is kept when the rule changes so that no click is lost."""
    spec = view.session.table.hierarchy(column)
    rule, given = given_of(spec) or (_SUITED.get(found["kind"], "mask"), {})
    about = view.session.table.key, column, repr(spec)
    state = view.drafts.of("rule", *about, rule=rule, given=dict(given))

    async def taken(spec: object) -> None:
        await take(spec)
        view.drafts.forget("rule", *about)

    name = "build" if spec is None else "rebuild"
    with foldable(view, f"{name}-by-rule", "Build it by a rule", is_open=spec is None):
        _form(view, state, taken, partial(_draw_cuts, found["counts"], picture))
    _draw_cuts(found["counts"], picture, state["given"])


def _form(view: View, state: dict[str, Any], take: Take, show: Callable[[dict[str, Any]], None]) -> None:
    def change(rule: str) -> None:
        state.update(rule=rule, given={})
        draw()

    def give(name: str, value: Any) -> None:
        state["given"][name] = value
        show(state["given"])

    async def build() -> None:
        await take(spec_of(state["rule"], state["given"]))

    def draw() -> None:
        meaning.text = HINTS[state["rule"]]
        parameters.clear()
        with parameters:
            for one in fields_of(state["rule"]):
                _field(one, state["given"].get(one.name), partial(give, one.name))

    meaning = text_tag("p", class_="hint")
    with tag("div", class_="fields"):
        choice("Rule", RULES, state["rule"], change, id="rule")
        parameters = tag("div", class_="fields")
        button("Build", build, id="build", class_="main")
    draw()


def _field(one: RuleField, said: Any, give: Callable[[Any], None]) -> None:
    name = f"rule-{one.name}"
    default = one.default if one.default is not None else ""
    if one.form == "numbers":
        several(one.label, "number", said or (), give, name=name, step="any")
    elif one.form == "texts":
        several(one.label, "text", said or (), give, name=name)
    elif one.form == "periods":
        several_of(one.label, PERIODS, said or one.default, give, name=name)
    elif one.form == "flag":
        ticked = one.default if said is None else said in (True, "true")
        field(one.label, "checkbox", ticked, give, id=name)
    else:
        more = {"step": "any"} if one.form == "number" else {"size": "6"}
        field(one.label, one.form, "" if said is None else said, give, id=name, placeholder=str(default), **more)


def _draw_cuts(counts: dict[str, Any], picture: Element, given: dict[str, Any]) -> None:
    cuts = []
    for one in given.get("cuts") or ():
        with suppress(ValueError):
            cuts.append(float(one))
    picture.clear()
    with picture:
        _column_chart(counts, cuts)


def _column_chart(found: dict[str, Any], cuts: Sequence[float]) -> Element:
    """Bars along the line, or of the commonest values; each cut is a line across them."""
    parts = found["parts"]
    element = chart(
        _option(found, cuts),
        name="histogram",
        label=found["label"],
        heads=["value", "rows"],
        rows=parts,
        zoom="middles" in found,
        size="short",
    )
    element.props["data-cuts"] = " ".join(f"{one:g}" for one in cuts)
    return element


def _option(found: dict[str, Any], cuts: Sequence[float]) -> dict[str, Any]:
    parts, middles = found["parts"], found.get("middles")
    data = [
        {"value": n if middles is None else [middles[place], n], "tip": f"{name}: {n:,} rows"}
        for place, (name, n) in enumerate(parts)
    ]
    series: dict[str, Any] = {"type": "bar", "name": "rows", "itemStyle": {"color": "--after"}, "data": data}
    if middles is None:
        across = {"type": "category", "data": [name for name, _ in parts], "axisLabel": {"hideOverlap": True}}
    else:
        half = found["width"] / 2
        across = {"type": "value", "min": middles[0] - half, "max": middles[-1] + half}
        if found["ends"]:
            across |= {"name": " to ".join(found["ends"]), "nameLocation": "middle", "axisLabel": {"show": False}}
        series |= {"barWidth": f"{100 / len(parts):.2f}%", "markLine": _lines(cuts)}
    return {
        "grid": {"left": 60, "right": 20, "top": 20, "bottom": 40},
        "xAxis": across,
        "yAxis": {"type": "value"},
        "series": [series],
    }


def _lines(cuts: Sequence[float]) -> dict[str, Any]:
    return {
        "symbol": "none",
        "lineStyle": {"color": "--bad", "type": "solid", "width": 2},
        "label": {"color": "--ink"},
        "data": [{"xAxis": one} for one in cuts],
    }
