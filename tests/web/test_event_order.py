"""What is said and clicked on a page counts in the order in which it was told, whatever each of them takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, cast

from nicegui.client import Client
from nicegui.element import Element

from shoal.web.pages.tags import handlers_of
from shoal.web.pages.view import Section, View
from shoal.web.projects import Projects
from shoal.web.session import Session


class _Browser:
    """A client as far as a view without elements needs one."""

    is_deleted = False


def _in_a_view(folder: Path, walk: Callable[[View, Client], Awaitable[None]]) -> None:
    async def run() -> None:
        client = cast(Client, _Browser())
        sections = {"only": Section("Only", {"part": ("Part", lambda _: None)})}
        view = View(Session(folder), client, sections, Projects(folder))
        view.main = cast(Element, nullcontext())
        await walk(view, client)

    asyncio.run(run())


def test_a_click_waits_for_what_was_said_before_it_but_stopping_does_not(tmp_path: Path) -> None:
    done: list[str] = []

    async def walk(view: View, client: Client) -> None:
        is_taken = asyncio.Event()

        async def take(value: str) -> None:
            await is_taken.wait()
            done.append(value)

        handlers = handlers_of(client)
        handlers["field", "said"] = take
        handlers["start", "click"] = lambda _: done.append("start")
        handlers["stop", "click"] = lambda _: done.append("stop")

        def tell(name: str, event: str, **more: Any) -> asyncio.Task[None]:
            return asyncio.create_task(view.handle({"id": name, "event": event, **more}))

        told = [tell("field", "said", detail="first", n=1), tell("field", "said", detail="second", n=2)]
        told += [tell("start", "click"), tell("stop", "click", is_now=True)]
        await told[-1]
        assert done == ["stop"]
        is_taken.set()
        await asyncio.gather(*told)

    _in_a_view(tmp_path, walk)
    assert done == ["stop", "first", "second", "start"]


def test_what_comes_after_counts_for_what_is_drawn_then(tmp_path: Path) -> None:
    """A handler that the first drawing made would take back what was said just before."""
    taken: list[str] = []

    async def walk(view: View, client: Client) -> None:
        handlers = handlers_of(client)

        async def draw_again(value: str) -> None:
            await asyncio.sleep(0)
            handlers["other", "said"] = lambda other: taken.append(f"{value}, {other}")

        handlers["one", "said"] = draw_again
        handlers["other", "said"] = lambda other: taken.append(other)
        said = [{"id": name, "event": "said", "detail": name} for name in ("one", "other")]
        await asyncio.gather(*(view.handle(one) for one in said))

    _in_a_view(tmp_path, walk)
    assert taken == ["one, other"]


def test_the_browser_is_told_what_was_heard_also_where_nobody_listens(tmp_path: Path) -> None:
    heard: list[list[int]] = []

    async def walk(view: View, client: Client) -> None:
        view.heard = lambda numbers: heard.append([*numbers])
        handlers_of(client)["field", "said"] = lambda _: None
        await view.handle({"id": "field", "event": "said", "detail": "a", "n": 1})
        await view.handle({"id": "gone", "event": "said", "detail": "b", "n": 2})

    _in_a_view(tmp_path, walk)
    assert heard == [[1], [1, 2]]


def test_what_somebody_else_drew_meanwhile_is_drawn_again_with_the_change(tmp_path: Path) -> None:
    """Otherwise the page would go on showing what was there before the change, and call itself up to date."""
    drawn: list[dict[str, Any]] = []

    async def walk(view: View, client: Client) -> None:
        async def draw() -> None:
            view._generation += 1
            view._drawn = view._state()
            drawn.append(dict(view.session.words))

        view.draw = draw  # type: ignore[method-assign]

        async def change(_: str) -> None:
            await view.draw()  # as by another tab, before the change is made
            view.session.change({"seed": 1})

        handlers_of(client)["field", "said"] = change
        await view.handle({"id": "field", "event": "said", "detail": "1"})

    _in_a_view(tmp_path, walk)
    assert [one.get("seed") for one in drawn] == [None, 1]
