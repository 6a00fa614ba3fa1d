"""A button that asks a question about a file, the progress of the answer, and the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import background_tasks
from nicegui.element import Element

from shoal.web.pages.tags import button, markup, redrawn, tag
from shoal.web.pages.view import View
from shoal.web.tool_process import Told
from shoal.web.tools import Tool

Ask = Callable[[], Awaitable[None]]


def tool_answer(view: View, tool: Tool, more: Callable[[Told], None] = lambda found: None) -> None:
    """Draw the answer of a tool, updated while it is computed; ``more`` draws what only this tool tells."""

    def draw() -> None:
        if tool.is_running:
            tag("p", f"Running: {tool.stage} …", class_="note", role="status")
            button("Cancel", tool.stop, id=f"stop-{tool.name}", data_now="")
        elif tool.sentence:
            tag("p", tool.sentence, class_="alert", role="alert")
        elif tool.answer is not None:
            _answer(tool.name, tool.answer, more)

    box = tag("div", id=f"answer-{tool.name}", aria_live="polite")
    tell = redrawn(box, lambda: (tool.is_running, tool.stage, tool.sentence, id(tool.answer)), draw)
    tell()
    view.watchers.append(tell)


def _answer(name: str, found: Told, more: Callable[[Told], None]) -> None:
    tag("p", found["headline"], class_="good-news" if found["is_good"] else "alert", id=f"headline-{name}")
    more(found)
    for number, part in enumerate(found["parts"], 1):
        label = f"Part {number} of the answer ({name})"
        markup(part, class_="scroll", tabindex="0", role="region", aria_label=label)
    if found["notes"]:
        with tag("details"):
            tag("summary", f"Remarks ({len(found['notes'])})")
            for note in found["notes"]:
                tag("p", note)


def ask_button(view: View, label: str, tool: Tool, ask: Ask) -> Element:
    """A button that asks in the background, so that the page stays responsive."""

    async def begin() -> None:
        background_tasks.create(view.attempt(ask))

    return button(label, begin, id=f"ask-{tool.name}", class_="main")
