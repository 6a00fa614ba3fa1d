"""One open page: which step it shows, and how it is drawn again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import background_tasks
from nicegui.client import Client
from nicegui.element import Element

from shoal.errors import ShoalError
from shoal.web.pages.tags import tag
from shoal.web.session import Session

Build = Callable[["View"], Awaitable[None] | None]

_PAUSE = 0.3
"""Seconds in which several changes are drawn once."""


class View:
    """The page of a session in one browser tab."""

    def __init__(self, session: Session, client: Client, steps: dict[str, tuple[str, Build]]) -> None:
        self.session, self._client, self._steps = session, client, steps
        self.step = ""
        self.live: Callable[[], Awaitable[None] | None] | None = None
        self.links: dict[str, Element] = {}
        self.said: Element | None = None
        self.main: Element | None = None
        self._table: object = None
        self._generation = 0
        self._is_waiting = False
        self._loop = asyncio.get_running_loop()
        self.changing = asyncio.Lock()
        """Held while what was said is changed, so that of two changes in a row neither is lost."""
        self.counting = asyncio.Lock()
        """Held while it is counted who stands alone, so that of several counts only the last is waited for."""

    async def show(self, step: str) -> None:
        """Draw a step."""
        self.session.touch()
        self.step = step if step in self._steps else next(iter(self._steps))
        for name, link in self.links.items():
            link.props.set_optional("aria-current", "page" if name == self.step else None)
        self.clear_said()
        await self.draw()

    async def draw(self) -> None:
        """Draw the step from what the session has now, in a box of its own: a slower drawing before it is not seen."""
        self._generation += 1
        generation = self._generation
        self.live = None
        self._table = self.session.table, id(self.session.size)
        title, build = self._steps[self.step]
        if self.main is None:
            return
        self.main.clear()
        with self.main, tag("div"):
            tag("h1", title)
            try:
                await self.attempt(build, self)
            except RuntimeError:
                if generation == self._generation:
                    raise

    async def attempt(self, act: Callable[..., Any], *arguments: Any) -> Any:
        """Do something; what cannot be done is said in its sentence."""
        try:
            answer = act(*arguments)
            return await answer if isinstance(answer, Awaitable) else answer
        except ShoalError as problem:
            self.say(str(problem))
            return None

    async def ask(self, meanwhile: str, verb: str, **arguments: Any) -> Any:
        """Ask the desk; until it answers, a sentence stands where the answer will."""
        hint = tag("p", meanwhile, class_="hint")
        try:
            return await self.session.desk.ask(verb, **arguments)
        finally:
            if not hint.is_deleted:
                hint.delete()

    def say(self, sentence: str, *, is_good: bool = False) -> None:
        """Show a sentence above the step."""
        self.session.touch()
        if self.said is None:
            return
        self.said.clear()
        with self.said:
            tag("p", sentence, class_="good-news" if is_good else "alert", role="status" if is_good else "alert")

    def clear_said(self) -> None:
        """Nothing more to say."""
        if self.said is not None:
            self.said.clear()

    def later(self, box: Element, fill: Callable[[], Awaitable[None]]) -> None:
        """Fill a part of the page when its answer is there, unless the page has moved on."""
        generation = self._generation

        async def work() -> None:
            with box:
                if generation == self._generation and not self._client.is_deleted:
                    await self.attempt(fill)

        background_tasks.create(work())

    def wake(self) -> None:
        """Something of the session has changed; from any thread."""
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
        with self.main:
            if self._table != (self.session.table, id(self.session.size)):
                await self.draw()
            elif self.live is not None:
                await self.attempt(self.live)
