"""Generic fields for settings without a special form."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui.element import Element

from shoal.engine.words import Word
from shoal.errors import InputError
from shoal.web.pages.changing import set_word
from shoal.web.pages.list_field import several
from shoal.web.pages.tags import choice, field, tag
from shoal.web.pages.view import View
from shoal.web.word_forms import is_list, other_words, texts_of, value_of


def word_field(known: Word, said: Any, give: Callable[[Any], Any], name: str) -> None:
    """A labelled field for a setting; ``give`` is called with the input: a text, a list of texts, or a Boolean."""
    if known.form == "flag":
        field(known.label, "checkbox", bool(said), give, id=name)
    elif known.choices:
        empty = {} if known.default in known.choices else {"": "no"}
        chosen = {**empty, **{one: one for one in known.choices}}
        choice(known.label, chosen, str(said or known.default or ""), give, id=name)
    elif is_list(known):
        several(known.label, "text", texts_of(said), give, name=name)
    else:
        shown = "" if said is None else str(said)
        field(known.label, "text", shown, give, id=name, size="10", placeholder=known.example or None)


def more_settings(view: View, verdict: Element) -> None:
    """Fields for all settings of a job that no other form covers."""
    with tag("div", class_="fields"):
        for one in other_words():
            give = partial(_say, view, verdict, one)
            word_field(one, view.session.words.get(one.name), give, f"word-{one.name.replace('_', '-')}")
    for one in other_words():
        tag("p", f"{one.label}: {one.help}", class_="hint")


async def _say(view: View, verdict: Element, known: Word, typed: Any) -> None:
    try:
        value = value_of(known, typed)
    except InputError as problem:
        view.say(str(problem))
        return
    await set_word(view, verdict, known.name, None if value == known.default else value)
