"""Asking before something is removed or replaced."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from nicegui.element import Element

from shoal.web.pages.tags import button, tag
from shoal.web.pages.view import View

Deed = Callable[[], Awaitable[None] | None]


def ask_in(view: View, box: Element, question: str, deeds: Mapping[str, Deed], keep: str = "Keep it") -> None:
    """A question with a button for each answer; the last one changes nothing.

    Args:
        view: the page.
        box: where the question stands; what was in it goes.
        question: what is asked, and what cannot be undone.
        deeds: what is done, by what its button says; the first is the main one.
        keep: the button that changes nothing.
    """
    box.clear()

    def answered(deed: Deed) -> Deed:
        async def act() -> None:
            box.clear()
            await view.attempt(deed)

        return act

    with box, tag("div", class_="alert", role="alertdialog", aria_label=question):
        tag("p", question)
        with tag("div", class_="fields"):
            for number, (label, deed) in enumerate(deeds.items()):
                button(label, answered(deed), id=f"answer-{box.id}-{number}", class_="main" if not number else None)
            button(keep, lambda: _close(box), id=f"answer-{box.id}-keep")


def _close(box: Element) -> None:
    box.clear()
