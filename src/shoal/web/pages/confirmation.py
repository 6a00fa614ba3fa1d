"""Asking for confirmation before something is removed or replaced."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from nicegui.element import Element

from shoal.web.pages.tags import button, tag
from shoal.web.pages.view import View

Deed = Callable[[], Awaitable[None] | None]


def question_box(view: View, name: str) -> Element:
    """The box for questions. An unanswered question reappears when the page is redrawn."""
    box = tag("div", id=name, aria_live="polite")
    if name in view.questions:
        view.questions[name](box)
    return box


def ask_in(view: View, box: Element, question: str, deeds: Mapping[str, Deed]) -> None:
    """Ask a question with a button for each answer; the last button changes nothing.

    Args:
        view: the page.
        box: where to show the question; its content is replaced.
        question: the question, and what cannot be undone.
        deeds: the actions by button label; the first is the main one.
    """
    name = str(box.props["id"])
    view.questions[name] = draw = partial(_draw, view, name, question, {**deeds, "Keep it": lambda: None})
    draw(box)


def _draw(view: View, name: str, question: str, deeds: Mapping[str, Deed], box: Element) -> None:
    async def answer(deed: Deed) -> None:
        if view.questions.pop(name, None) is not None:  # ignore the second half of a double click
            box.clear()
            await view.attempt(deed)

    box.clear()
    with box, tag("div", class_="alert", role="alertdialog", aria_label=question):
        tag("p", question)
        with tag("div", class_="fields"):
            for number, (label, deed) in enumerate(deeds.items()):
                is_main = "main" if not number else None
                button(label, partial(answer, deed), id=f"{name}-answer-{number}", class_=is_main)
