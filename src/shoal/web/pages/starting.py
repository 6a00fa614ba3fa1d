"""Starting a run from a page."""

from __future__ import annotations

from shoal.web.pages.view import View


async def start_run(view: View, name: str = "") -> None:
    """Start a run of what is said now; a second click while the first is on its way is no second run."""
    session = view.session
    if session.is_starting or session.is_running_already():
        return
    view.clear_said()
    session.is_starting = True
    try:
        view.told()
        await session.start(name)
    finally:
        session.is_starting = False
    session.changed()
