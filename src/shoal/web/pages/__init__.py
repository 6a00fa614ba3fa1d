"""The pages: one for each step of the way, on one address."""

from __future__ import annotations

from fastapi import FastAPI, Request
from nicegui import Client, ui
from nicegui import app as nicegui
from nicegui.element import Element

from shoal.web.pages import data, explore, hierarchies, promises, risk, runs, take_away, utility
from shoal.web.pages.tags import on, tag
from shoal.web.pages.view import Build, View
from shoal.web.session import Session
from shoal.web.sessions import Sessions

STEPS: dict[str, tuple[str, Build]] = {
    "data": ("Data", data.build),
    "hierarchies": ("Hierarchies", hierarchies.build),
    "promises": ("Promises", promises.build),
    "run": ("Run", runs.build),
    "explore": ("Explore", explore.build),
    "utility": ("Utility", utility.build),
    "risk": ("Risk", risk.build),
    "take-away": ("Take away", take_away.build),
}
"""The steps by their part of the address, in order."""

_HEAD = (
    '<link rel="stylesheet" href="/assets/page.css"><link rel="stylesheet" href="/assets/workbench.css">'
    '<script src="/assets/workbench.js" defer></script>'
)
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="5" cy="6" r="3" fill="#1f6fb2"/>'
    '<circle cx="11" cy="6" r="3" fill="#1f6fb2"/><circle cx="8" cy="11" r="3" fill="#1f6fb2"/></svg>'
)


def mount(app: FastAPI) -> None:
    """Put the pages beside the API. Their events come by sockets alone; the gate refuses everything else."""
    nicegui.config.socket_io_js_transports = ["websocket"]
    ui.run_with(
        app,
        title="shoal workbench",
        favicon=_ICON,
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=30.0,
    )


@ui.page("/", title="shoal workbench", language="en-US")
async def workbench(request: Request, client: Client) -> None:
    """The page. Which step it shows stands in the address after the ``#``."""
    session: Session | None = request.scope.get("shoal.session")
    sessions: Sessions | None = request.scope.get("shoal.sessions")
    if session is None or sessions is None:
        tag("p", "Open the workbench by the link that shoal serve printed.")
        return
    sessions.hold(session, client.id)
    session.desk.warm_up()
    view = View(session, client, STEPS)
    _draw_frame(view)
    session.listeners.add(view.wake)
    client.on_delete(lambda: _leave(view, sessions, client))


def _leave(view: View, sessions: Sessions, client: Client) -> None:
    view.session.listeners.discard(view.wake)
    sessions.let_go(client.id)


def _only_one_main(content: Element) -> None:
    """NiceGUI's own page is a landmark too; ours is the one that counts."""
    slot = content.parent_slot
    if slot is not None:
        slot.parent.tag = "div"


def _draw_frame(view: View) -> None:
    ui.add_head_html(_HEAD)
    _only_one_main(ui.context.client.content)
    tag("a", "Skip to the step", href="#main", class_="skip")
    with tag("div", class_="bench"):
        with tag("header"):
            tag("p", "shoal workbench")
            with tag("nav", aria_label="Steps", data_router="") as router, tag("ol"):
                for name, (title, _) in STEPS.items():
                    with tag("li"):
                        view.links[name] = tag("a", title, href=f"#{name}", id=f"step-{name}")
        view.said = tag("div", class_="said")
        view.main = tag("main", id="main", tabindex="-1")
    on(router, "route", view.show)
