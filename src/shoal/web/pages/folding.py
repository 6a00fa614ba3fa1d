"""Collapsible parts of a page, whose state is kept when the page is redrawn."""

from __future__ import annotations

from nicegui.element import Element

from shoal.web.pages.tags import on, tag
from shoal.web.pages.view import View


def foldable(view: View, name: str, title: str, *, is_open: bool = False) -> Element:
    """A collapsible part with a title; the caller draws its content."""
    is_open = view.folded.get(name, is_open)
    box = tag("details", id=name, class_="drawer", open=True if is_open else None)
    with box:
        tag("summary", title)
    on(box, "toggled", lambda is_open: view.folded.update({name: bool(is_open)}))
    return box
