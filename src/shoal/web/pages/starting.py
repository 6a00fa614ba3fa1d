"""Starting a run from a page."""

from __future__ import annotations

from shoal.web.pages.view import View


async def start_run(view: View, name: str = "") -> bool:
    """Start a run of what is said now; a second click while the first is on its way is no second run.

    Returns:
        whether a run was started.
    """
    session = view.session
    if session.is_starting or session.is_running_already():
        return False
    view.clear_said()
    session.is_starting = True
    try:
        view.told()
        if session.table.name is not None:
            await session.inspect()  # which suggests roles, where somebody was quicker than it
        await session.start(name)
    finally:
        session.is_starting = False
    session.changed()
    return True
