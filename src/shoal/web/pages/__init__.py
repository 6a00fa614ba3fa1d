"""The pages: four sections at one URL, under a permanent header bar.

Read in this order. Every page: ``view`` (one tab), ``shell`` (the bar), ``tags``, ``drafts`` (unsaved input),
``changing`` (changing settings), ``fields``, ``confirmation``, ``grid``, ``chart``. Prepare: ``upload``, ``doctor``,
``column_list``, ``hierarchies`` with ``hierarchy_rules`` and ``hierarchy_tree``, ``preparation``, ``projects``.
Protect: ``protect`` with ``k_slider``, ``protections``, ``cost_settings``, ``search_settings`` and
``algorithm_options``; ``runs`` with ``running_jobs``. Compare: ``shown_run`` (the selected run), ``records``, ``risk``,
``utility``, ``lattice`` with ``lattice_chart``, ``run_comparison``, ``algorithms``. Release: ``release`` with
``finding_cards``, ``checking`` with ``tool_answers``, ``later_rows``.
"""

from __future__ import annotations

from fastapi import FastAPI, Request
from nicegui import Client, ui
from nicegui import app as nicegui
from nicegui.element import Element

from shoal.web.asset_files import address
from shoal.web.pages import (
    algorithms,
    checking,
    column_list,
    hierarchies,
    later_rows,
    lattice,
    preparation,
    projects,
    protect,
    records,
    release,
    risk,
    run_comparison,
    runs,
    utility,
)
from shoal.web.pages.shell import draw_shell
from shoal.web.pages.shown_run import of_run
from shoal.web.pages.tags import tag
from shoal.web.pages.view import Section, View
from shoal.web.projects import Projects, default_folder
from shoal.web.session import Session
from shoal.web.sessions import Sessions

SECTIONS = {
    "prepare": Section(
        "Prepare",
        {
            "table": ("Table", column_list.build),
            "hierarchies": ("Hierarchies", hierarchies.build),
            "preparation": ("Preparation", preparation.build),
            "projects": ("Projects", projects.build),
        },
    ),
    "protect": Section("Protect", {"models": ("Privacy models", protect.build), "runs": ("Runs", runs.build)}),
    "compare": Section(
        "Compare",
        {
            "records": ("Records", of_run(records.build)),
            "risk": ("Risk", of_run(risk.build)),
            "utility": ("Utility", of_run(utility.build)),
            "lattice": ("Lattice", of_run(lattice.build)),
            "runs": ("Other runs", of_run(run_comparison.build)),
            "algorithms": ("Algorithms", algorithms.build),
        },
    ),
    "release": Section(
        "Release",
        {
            "export": ("Export", of_run(release.build)),
            "check": ("Check a file", checking.build),
            "later": ("Later rows", later_rows.build),
        },
    ),
}
"""The sections and their parts by their names in the URL, in order."""

_HEAD = "".join(
    [
        *(f'<link rel="stylesheet" href="{address(name)}">' for name in ("page.css", "workbench.css")),
        *(f'<script src="{address(name)}" defer></script>' for name in ("workbench.js", "fields.js")),
        *(f'<script type="module" src="{address(name)}"></script>' for name in ("grid.js", "chart.js")),
    ]
)
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="5" cy="6" r="3" fill="#1f6fb2"/>'
    '<circle cx="11" cy="6" r="3" fill="#1f6fb2"/><circle cx="8" cy="11" r="3" fill="#1f6fb2"/></svg>'
)


def mount(app: FastAPI) -> None:
    """Add the pages to the API. Their events arrive only through sockets; the gate refuses everything else."""
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
    """Draw the page. The section it shows is in the URL after the ``#``."""
    session: Session | None = request.scope.get("shoal.session")
    sessions: Sessions | None = request.scope.get("shoal.sessions")
    if session is None or sessions is None:
        tag("p", "Open the workbench by the link that shoal serve printed.")
        return
    sessions.hold(session, client.id)
    session.desk.warm_up()
    projects = Projects(sessions.settings.projects or default_folder())
    view = View(session, client, SECTIONS, projects, is_local=not sessions.settings.is_remote)
    ui.add_head_html(_HEAD)
    _only_one_main(ui.context.client.content)
    draw_shell(view)
    session.listeners.add(view.wake)
    client.on_delete(lambda: _leave(view, sessions, client))


def _leave(view: View, sessions: Sessions, client: Client) -> None:
    view.session.listeners.discard(view.wake)
    sessions.let_go(client.id)


def _only_one_main(content: Element) -> None:
    """NiceGUI's own page is a ``main`` landmark, too; keep only ours."""
    slot = content.parent_slot
    if slot is not None:
        slot.parent.tag = "div"
