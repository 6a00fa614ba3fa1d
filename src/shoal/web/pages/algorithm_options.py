"""The options of the algorithm: a form generated from what the algorithm declares."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui.element import Element

from shoal.errors import InputError
from shoal.report.figures import cut
from shoal.web.algorithm_forms import Option, from_words, kept_in, options_of, pattern_of, to_words
from shoal.web.pages.changing import set_word
from shoal.web.pages.tags import choice, field, several_choice, tag
from shoal.web.pages.view import View

Give = Callable[[Any], Any]


def draw_options(view: View, verdict: Element, box: Element) -> None:
    """Draw a field for each option of the chosen algorithm; nothing if it has none."""
    name, given = from_words(view.session.words.get("algorithm", "auto"))
    asked = options_of(name)
    box.clear()
    if not asked:
        return

    async def give(option: str, value: Any) -> None:
        try:
            words = to_words(name, {**given, option: value})
        except InputError as problem:
            draw_options(view, verdict, box)
            view.say(str(problem))
            return
        await set_word(view, verdict, "algorithm", words, "auto")
        draw_options(view, verdict, box)

    with box:
        tag("h3", f"Options of {name}")
        with tag("div", class_="fields"):
            for one in asked:
                _field(view, one, given.get(one.name, one.default), partial(give, one.name))


def _field(view: View, option: Option, value: Any, give: Give) -> None:
    name = f"option-{option.name}"
    columns = [str(one) for one in view.session.words.get("quasi_identifiers", [])]
    if option.form == "flag":
        field(option.label, "checkbox", bool(value), give, id=name)
    elif option.form in ("choice", "algorithm"):
        _choice(option, value, give, name)
    elif option.form == "columns":
        _several(option.label, columns, value, give, name)
    elif option.form in ("groups", "patterns"):
        _groups(option, columns, value or [], give, name)
    elif option.form in ("costs", "levels"):
        _by_column(option, columns, value, give, name)
    else:
        step = "1" if option.form == "whole" else "any"
        field(option.label, "number", _shown(value), give, id=name, step=step, min="0")


def _choice(option: Option, value: Any, give: Give, name: str) -> None:
    """A list of choices; a value from a job file that is not among them is kept."""
    named = {one: one.replace("_", " ") for one in option.choices}
    default = {str(option.default): _spoken(option.default)}
    if isinstance(value, str):
        choice(option.label, {**default, **named, value: _spoken(value)}, value, give, id=name)
    else:
        kept = {"": "as the job file says"}
        choice(option.label, {**kept, **default, **named}, "", lambda chosen: give(chosen or value), id=name)


def _spoken(value: Any) -> str:
    """The display text for an algorithm with options, such as ``mondrian:relaxed``."""
    return str(value).replace(":", ", ").replace("_", " ")


def _groups(option: Option, columns: list[str], value: list[list[str]], give: Give, name: str) -> None:
    """A list of columns for each group, and an empty one for the next group."""
    is_pattern = option.form == "patterns"

    def change(place: int, chosen: list[str]) -> Any:
        group = pattern_of(chosen, columns) if is_pattern else chosen
        return give([*value[:place], group, *value[place + 1 :]])

    for place, group in enumerate([*value, []]):
        chosen = kept_in(group) if is_pattern else group
        _several(f"{option.label} {place + 1}", columns, chosen, partial(change, place), f"{name}-{place}")


def _several(label: str, columns: list[str], chosen: list[str], give: Give, name: str) -> None:
    with tag("div", class_="field"):
        tag("label", label, for_=name)
        several_choice(columns, chosen or (), give, id=name)


def _by_column(option: Option, columns: list[str], value: Any, give: Give, name: str) -> None:
    """A number for each column."""
    is_list = option.form == "levels"
    known = dict(zip(columns, value or (), strict=False)) if is_list else dict(value or {})

    def change(column: str, text: str) -> Any:
        said = {**known, column: text}
        return give([said.get(one, "") for one in columns] if is_list else said)

    limits = {"step": "1" if is_list else "any", "min": "0"}
    for column in columns:
        title, shown = f"{option.label} {cut(column, 40)}", _shown(known.get(column))
        field(title, "number", shown, partial(change, column), id=f"{name}-{column}", **limits)


def _shown(value: Any) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, int | float) else str(value)
