"""A button that asks a question about a file, the progress of the answer, and the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import background_tasks
from nicegui.element import Element

from shoal.web.pages.tags import button, markup, tag
from shoal.web.pages.view import View
from shoal.web.tools import Tool

Ask = Callable[[], Awaitable[None]]


class ToolAnswer:
    """The answer of a tool, updated while it is computed."""

    def __init__(self, view: View, tool: Tool, draw: Callable[[Tool], None] | None = None) -> None:
        self._view, self._tool, self._draw = view, tool, draw
        self._box = tag("div", id=f"answer-{tool.name}", aria_live="polite")
        self._shown: tuple[object, ...] = ()
        self.tell()
        view.watchers.append(self.tell)

    def tell(self) -> None:
        """Show the current state, if it has changed."""
        tool = self._tool
        now = tool.is_running, tool.stage, tool.sentence, id(tool.answer)
        if now == self._shown or self._box.is_deleted:
            return
        self._shown = now
        self._box.clear()
        with self._box:
            if tool.is_running:
                tag("p", f"Running: {tool.stage} …", class_="note", role="status")
                button("Cancel", tool.stop, id=f"stop-{tool.name}", data_now="")
            elif tool.sentence:
                tag("p", tool.sentence, class_="alert", role="alert")
            elif tool.answer is not None:
                self._answer(tool)

    def _answer(self, tool: Tool) -> None:
        found = tool.answer or {}
        tag("p", found["headline"], class_="good-news" if found["is_good"] else "alert", id=f"headline-{tool.name}")
        if self._draw is not None:
            self._draw(tool)
        for number, part in enumerate(found["parts"], 1):
            label = f"Part {number} of the answer ({tool.name})"
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
