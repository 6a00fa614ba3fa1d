"""What was typed into the forms of a page and is not part of the session yet: it stays when the page is drawn again."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from nicegui.element import Element

from shoal.web.pages.tags import choice, field

Draft = dict[str, Any]
"""What a form says so far, by its fields."""


class Drafts:
    """The drafts of one tab, by the name of the form and what it is about, such as a run or a column."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Hashable, ...], Draft] = {}

    def of(self, form: str, *about: Hashable, **start: Any) -> Draft:
        """What the form says so far; at first, and for fields that are new, what it starts with."""
        draft = self._kept.setdefault((form, *about), {})
        for name, value in start.items():
            draft.setdefault(name, value)
        return draft

    def forget(self, form: str, *about: Hashable) -> None:
        """The form was used, or given up; draw it again, so that it shows what it starts with."""
        self._kept.pop((form, *about), None)


def draft_field(label: str, kind: str, draft: Draft, name: str, **attributes: Any) -> Element:
    """A field of a form, under its label."""
    return field(label, kind, draft[name], lambda value: draft.update({name: value}), **attributes)


def draft_choice(
    label: str, options: Mapping[str, str] | Iterable[str], draft: Draft, name: str, **attributes: Any
) -> Element:
    """A list of a form, under its label; what is no longer in the list is not chosen."""
    known = dict(options) if isinstance(options, Mapping) else {option: option for option in options}
    if draft[name] not in known:
        draft[name] = next(iter(known), "")
    return choice(label, known, draft[name], lambda value: draft.update({name: value}), **attributes)
