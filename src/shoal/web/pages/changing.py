"""Changing settings on a page: accepted if some release could satisfy them, otherwise refused with a reason."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from nicegui.element import Element

from shoal.errors import ImpossibleGoal, InputError
from shoal.web.pages.tags import Handler, tag
from shoal.web.pages.view import View, without_options


async def judge(view: View, box: Element) -> None:
    """Show which algorithm would run, why, and remarks on the rows; or why the job cannot run."""
    try:
        found = await view.session.desk.ask("try_out", job=view.session.table.job())
    except InputError as problem:
        sentence, class_, found = without_options(str(problem)), "alert", {}
    else:
        algorithm, reason = found["algorithm"], found["reason"].removeprefix(f"auto chose {found['algorithm']}: ")
        chosen = f"{algorithm} (chosen automatically)" if reason != found["reason"] else algorithm
        sentence, class_ = f"{', '.join(found['promises'])} by {chosen}: {reason}.", "good-news"
    if box.is_deleted:
        return
    box.clear()
    with box:
        tag("p", sentence, class_=class_)
        for note in found.get("notes", ()):
            tag("p", without_options(note), class_="note")


async def change(view: View, verdict: Element, alter: Callable[[dict[str, Any]], None]) -> None:
    """Apply changed settings, unless no release of this table could satisfy them."""
    async with view.changing:
        words = copy.deepcopy(view.session.words)
        alter(words)
        view.clear_said()
        sentence = await against(view, words)
        if not sentence:
            view.session.change(words)
            await judge(view, verdict)
    if sentence:
        await view.draw()
        view.say(sentence)


async def against(view: View, words: dict[str, Any]) -> str:
    """The objection to the settings; empty if they are acceptable, even if something is still missing."""
    try:
        await view.session.desk.ask("try_out", job=view.session.table.job(words))
    except ImpossibleGoal as problem:
        return str(problem)
    except InputError as problem:
        return "" if _is_understood(view, words) else str(problem)
    return ""


def _is_understood(view: View, words: dict[str, Any]) -> bool:
    """Whether all settings can be parsed, so that only something missing remains."""
    try:
        _ = view.session.table.job(words).promises
    except InputError:
        return False
    return True


def set_word(view: View, verdict: Element, key: str, value: Any, default: Any = None) -> Any:
    """Change one setting; a value equal to the default is left out."""

    def alter(words: dict[str, Any]) -> None:
        words.pop(key, None)
        if value != default:
            words[key] = value

    return change(view, verdict, alter)


def set_word_for(view: View, verdict: Element, key: str, name: str, value: Any) -> Any:
    """Change a setting for one column; None removes it."""

    def alter(words: dict[str, Any]) -> None:
        said = {column: one for column, one in words.get(key, {}).items() if column != name}
        words[key] = said if value is None else {**said, name: value}

    return change(view, verdict, alter)


def set_number(
    view: View, verdict: Element, key: str, what: str, spelled: Callable[[float], Any], default: Any = None
) -> Handler:
    """Changes a setting to what is typed as a number, which the job has as ``spelled``; empty is the default."""

    async def give(typed: str) -> None:
        number = number_of(view, typed, what) if typed.strip() else None
        if number is not None or not typed.strip():
            await set_word(view, verdict, key, default if number is None else spelled(number), default)

    return give


def number_of(view: View, text: str, what: str) -> float | None:
    """Parse a typed number; None, with a message, if it is not a number."""
    try:
        return float(text)
    except ValueError:
        view.say(f"{what} must be a number, got {text!r}.")
        return None
