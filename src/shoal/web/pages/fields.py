"""Fields of forms: for any setting of the vocabulary, lists of values, files; and collapsible parts of a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from nicegui.element import Element

from shoal.engine.words import Word
from shoal.errors import InputError
from shoal.report.figures import cut
from shoal.web.pages.changing import set_word
from shoal.web.pages.tags import bare_field, choice, field, hint, on, tag
from shoal.web.pages.view import View
from shoal.web.word_forms import is_list, label, other_words, texts_of, value_of

KINDS = ".csv,.tsv,.txt,.parquet,.arrow,.feather,.xlsx"


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


def word_choice(view: View, verdict: Element, word: str, options: Mapping[str, str], default: str) -> None:
    """A list for a setting of the job; the default is not written into the job."""
    said = view.session.words.get(word, default)
    choice(label(word), options, said, lambda value: set_word(view, verdict, word, value, default), id=word)


def more_settings(view: View, verdict: Element) -> None:
    """Fields for all settings of a job that no other form covers."""
    with tag("div", class_="fields"):
        for one in other_words():
            give = partial(_say, view, verdict, one)
            word_field(one, view.session.words.get(one.name), give, f"word-{one.name.replace('_', '-')}")
    for one in other_words():
        hint(f"{one.label}: {one.help}")


async def _say(view: View, verdict: Element, known: Word, typed: Any) -> None:
    try:
        value = value_of(known, typed)
    except InputError as problem:
        view.say(str(problem))
        return
    await set_word(view, verdict, known.name, None if value == known.default else value)


def several(
    label: str, kind: str, values: Sequence[Any], give: Callable[[list[str]], Any], *, name: str, **attributes: Any
) -> Element:
    """Draw fields under one label, with an empty one for the next value, so that no separators are typed.

    ``give`` gets all values whenever one changes, without empty ones.

    Args:
        label: what the values are.
        kind: ``number`` or ``text``.
        values: the initial values.
        give: called with the texts of all fields that are not empty.
        name: the id; each field's id is this, ``-`` and its number.
        attributes: attributes of each field.
    """
    said = [str(value) for value in values]

    async def change(place: int, value: str) -> None:
        said[place:] = [*([value] if value.strip() else []), *said[place + 1 :]]
        draw()
        answer = give(list(said))
        if answer is not None:
            await answer

    def draw() -> None:
        box.clear()
        with box:
            for place, value in enumerate([*said, ""]):
                named = {"id": f"{name}-{place}", "aria_label": f"{label}, number {place + 1}"}
                bare_field(kind, value, partial(change, place), size="7", **named, **attributes)

    with tag("fieldset", class_="several", id=name):
        tag("legend", label)
        box = tag("div")
    draw()
    return box


def several_of(
    label: str, options: Sequence[str], chosen: Sequence[str], give: Callable[[list[str]], Any], *, name: str
) -> Element:
    """Checkboxes for a few options; ``give`` is called with the selected ones, in order."""
    ticked = {*chosen}

    async def tick(option: str, is_ticked: bool) -> None:
        (ticked.add if is_ticked else ticked.discard)(option)
        answer = give([one for one in options if one in ticked])
        if answer is not None:
            await answer

    with tag("fieldset", class_="several", id=name) as box:
        tag("legend", label)
        for option in options:
            with tag("label", class_="tick"):
                bare_field("checkbox", option in ticked, partial(tick, option), id=f"{name}-{option}")
                tag("span", option)
    return box


def file_field(view: View, label: str, name: str, known: str, received: Callable[[str], Awaitable[None]]) -> None:
    """Choose or drop a file; ``known`` is the one that was uploaded already."""
    url = f"/api/sessions/{view.session.id}/others"
    with tag("div", id=f"{name}-zone", class_="field drop-small", data_upload=url) as zone:
        tag("label", label, for_=name)
        tag("input", type="file", id=name, accept=KINDS)
        hint(f"Here: {cut(known, 40)}" if known else "No file yet.", id=f"{name}-here")
    on(zone, "received", lambda given: received(str(given)))
    on(zone, "refused", lambda sentence: view.say(str(sentence)))


def foldable(view: View, name: str, title: str, *, is_open: bool = False) -> Element:
    """A collapsible part with a title; the caller draws its content."""
    is_open = view.folded.get(name, is_open)
    box = tag("details", id=name, class_="drawer", open=True if is_open else None)
    with box:
        tag("summary", title)
    on(box, "toggled", lambda is_open: view.folded.update({name: bool(is_open)}))
    return box
