"""Input typed into the forms of a page that is not part of the session yet: it is kept when the page is redrawn."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from nicegui.element import Element

from shoal.web.pages.tags import choice, field

Draft = dict[str, Any]
"""The current input of a form, by field."""


class Drafts:
    """The drafts of one tab, by the name of the form and its subject, such as a run or a column."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Hashable, ...], Draft] = {}

    def of(self, form: str, *about: Hashable, **start: Any) -> Draft:
        """The current input of the form; initially, and for new fields, its defaults."""
        return begun(self._kept.setdefault((form, *about), {}), **start)

    def forget(self, form: str, *about: Hashable) -> None:
        """Discard the input after the form was used or abandoned; redraw it to show its defaults."""
        self._kept.pop((form, *about), None)


def begun(draft: Draft, **start: Any) -> Draft:
    """The input with a default for each field that it lacks."""
    for name, value in start.items():
        draft.setdefault(name, value)
    return draft


def draft_field(label: str, kind: str, draft: Draft, name: str, **attributes: Any) -> Element:
    """A labelled field of a form."""
    return field(label, kind, draft[name], lambda value: draft.update({name: value}), **attributes)


def draft_choice(
    label: str, options: Mapping[str, str] | Iterable[str], draft: Draft, name: str, **attributes: Any
) -> Element:
    """A labelled list of a form; a value that is no longer in the list is replaced by the first."""
    known = dict(options) if isinstance(options, Mapping) else {option: option for option in options}
    if draft[name] not in known:
        draft[name] = next(iter(known), "")
    return choice(label, known, draft[name], lambda value: draft.update({name: value}), **attributes)
