"""One open page: which section it shows, and when it is redrawn."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple

from nicegui import background_tasks
from nicegui.client import Client
from nicegui.element import Element

from shoal.errors import ShoalError
from shoal.web.pages.drafts import Drafts
from shoal.web.pages.tags import handlers_of, hint, tag
from shoal.web.projects import Projects
from shoal.web.session import Session

Build = Callable[["View"], Awaitable[None] | None]


class Section(NamedTuple):
    """A section: its title; and for each part, by its name in the URL, title and drawing function."""

    title: str
    parts: Mapping[str, tuple[str, Build]]


_PAUSE = 0.3
"""Seconds during which several changes are collected for one redraw."""

_SAYING = {"said", "chip"}
"""Events that carry input: later events are handled after them."""

_N_HEARD = 100
"""Number of handled messages reported to the browser, which may miss all but the last report."""


class View:
    """The page of a session in one browser tab.

    Args:
        session: the session that the page belongs to.
        client: the tab.
        sections: the sections by their names in the URL.
        projects: the saved projects.
        is_local: whether only this machine's own user has access, who may reach any database.
    """

    def __init__(
        self,
        session: Session,
        client: Client,
        sections: Mapping[str, Section],
        projects: Projects,
        *,
        is_local: bool = False,
    ) -> None:
        self.session, self._client, self.sections, self.projects = session, client, sections, projects
        self.is_local = is_local
        self.place, self.part = "", ""
        """From the URL: a section and, after a slash, a part of it."""
        self.live: Callable[[], Awaitable[None] | None] | None = None
        self.watchers: list[Callable[[], None]] = []
        """Other updates of the drawn section when the session changes."""
        self.told: Callable[[], None] = lambda: None
        """Called whenever something may have changed, to update the bar at the top."""
        self.go: Callable[[str], None] = lambda address: None
        """Go to a URL, as if by a link."""
        self.said: Element | None = None
        self.main: Element | None = None
        self.heard: Callable[[Iterable[int]], None] = lambda numbers: None
        """Tell the browser which of its messages have been handled."""
        self.folded: dict[str, bool] = {}
        """Which collapsible parts are open, by their ids."""
        self._drawn: tuple[object, ...] = ()
        self._generation = 0
        self._is_waiting = False
        self._n_handled = 0
        self._saying: list[asyncio.Event] = []
        self._heard: deque[int] = deque(maxlen=_N_HEARD)
        self.drafts = Drafts()
        self.questions: dict[str, Callable[[Element], None]] = {}
        """Functions that draw unanswered questions, by the ids of their boxes."""
        self.asked = ""
        """The name of a table that awaits confirmation to replace the open one."""
        self._loop = asyncio.get_running_loop()
        self.changing = asyncio.Lock()
        """Held while settings are changed, so that no change is lost when two follow each other."""
        self.counting = asyncio.Lock()
        """Held while unique rows are counted, so that of several counts only the last is awaited."""

    async def show(self, address: str) -> None:
        """Draw a section."""
        self.session.touch()
        place, _, self.part = address.partition("/")
        self.place = place if place in self.sections else next(iter(self.sections))
        self.questions.clear()
        self.clear_said()
        await self.draw()

    async def handle(self, told: dict[str, Any]) -> None:
        """Handle a click or input, reported by the id of its element, after all earlier input."""
        self.session.touch()
        name, event = str(told.get("id")), str(told.get("event"))
        before, done = [*self._saying], asyncio.Event()
        if event in _SAYING:
            self._saying.append(done)
        try:
            if event in {"click", *_SAYING} and not told.get("is_now"):
                for one in before:
                    await one.wait()
            await self._do(name, event, told.get("detail"))
        finally:
            done.set()
            if event in _SAYING:
                self._saying.remove(done)
            if isinstance(n := told.get("n"), int):
                self._heard.append(n)
                self.heard(self._heard)

    async def _do(self, name: str, event: str, detail: Any) -> None:
        """Call the handler, and redraw what it changed if the page was redrawn meanwhile."""
        handler = handlers_of(self._client).get((name, event))
        if handler is None or self.main is None:
            return self.say("The page has changed in the meantime; please try again.")
        before, generation = self._state(), self._generation
        self._n_handled += 1
        try:
            with self.main:
                await self.attempt(handler, detail)
        finally:
            self._n_handled -= 1
        if generation != self._generation and self._drawn != self._state() and not self._n_handled:
            with self.main:
                await self.draw()
        elif generation == self._generation and before == self._drawn and self._state()[:2] == before[:2]:
            self._drawn = self._state()  # the handler drew its change; another table needs a redraw
        self.told()
        return None

    def _state(self) -> tuple[object, ...]:
        """What the drawing depends on, in this tab or in another."""
        return self.session.table.name, id(self.session.table.size), self.session.table.history.version

    async def draw(self) -> None:
        """Draw the section from the current session, in a box of its own that hides any slower, earlier drawing."""
        self._generation += 1
        generation = self._generation
        self.live = None
        self.watchers.clear()
        self._drawn = self._state()
        self.told()
        if self.main is None:
            return
        self.main.clear()
        with self.main, tag("div"):
            tag("h1", self.sections[self.place].title)
            try:
                await self.attempt(self._part(), self)
            except RuntimeError:
                if generation == self._generation:
                    raise
        self.told()

    def _part(self) -> Build:
        """Draw links to the parts of the section; the function that draws the one in the URL, or else the first."""
        parts = self.sections[self.place].parts
        shown = self.part if self.part in parts else next(iter(parts))
        with tag("nav", class_="parts", aria_label="Parts of this page"), tag("ul"):
            for name, (title, _) in parts.items():
                with tag("li"):
                    current = "page" if name == shown else None
                    tag("a", title, href=f"#{self.place}/{name}", id=f"part-{name}", aria_current=current)
        return parts[shown][1]

    async def inspect(self) -> dict[str, Any]:
        """Inspect the columns. Suggested roles are shown by what is drawn next, so they need no redraw of this page."""
        before = self._state()
        found = await self.session.inspect()
        if self._drawn == before:
            self._drawn = self._state()
        return found

    async def attempt(self, act: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function; show the message if it raises a ShoalError."""
        try:
            answer = act(*arguments)
            return await answer if isinstance(answer, Awaitable) else answer
        except ShoalError as problem:
            self.say(str(problem))
            return None

    async def ask(self, meanwhile: str, verb: str, **arguments: Any) -> Any:
        """Ask the desk; show a sentence in place of the answer until it arrives."""
        shown = hint(meanwhile)
        try:
            return await self.session.desk.ask(verb, **arguments)
        finally:
            if not shown.is_deleted:
                shown.delete()

    def say(self, sentence: str, *, is_good: bool = False) -> None:
        """Show a message above the section."""
        self.session.touch()
        if self.said is None:
            return
        self.said.clear()
        with self.said:
            shown = without_options(sentence)
            tag("p", shown, class_="good-news" if is_good else "alert", role="status" if is_good else "alert")

    def clear_said(self) -> None:
        """Remove the message."""
        if self.said is not None:
            self.said.clear()

    def later(self, box: Element, fill: Callable[[], Awaitable[None]]) -> None:
        """Fill a part of the page when its data arrives, unless the page was redrawn meanwhile."""
        generation = self._generation

        async def work() -> None:
            with box:
                if generation == self._generation and not self._client.is_deleted:
                    await self.attempt(fill)

        background_tasks.create(work())

    def wake(self) -> None:
        """Note that the session has changed; may be called from any thread."""
        self._loop.call_soon_threadsafe(self._schedule)

    def _schedule(self) -> None:
        if not self._is_waiting and not self._client.is_deleted:
            self._is_waiting = True
            background_tasks.create(self._refresh())

    async def _refresh(self) -> None:
        await asyncio.sleep(_PAUSE)
        self._is_waiting = False
        if self._client.is_deleted or self.main is None:
            return
        self.told()
        with self.main:
            if self._drawn != self._state() and self._n_handled:
                self._schedule()  # the active handler may draw the news; check again afterwards
            elif self._drawn != self._state():
                await self.draw()
            else:
                for watch in self.watchers:
                    watch()
                if self.live is not None:
                    await self.attempt(self.live)


def without_options(sentence: str) -> str:
    """Remove command-line options from a sentence that is shown on a page.

    >>> without_options("Give it a role; 'other' publishes it unchanged (others, --others).")
    "Give it a role; 'other' publishes it unchanged."
    """
    return re.sub(r" \([^()]*--[^()]*\)", "", sentence)
