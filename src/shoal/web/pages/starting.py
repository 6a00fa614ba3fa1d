"""Starting a run from a page."""

from __future__ import annotations

from shoal.web.pages.view import View


async def start_run(view: View, name: str = "") -> bool:
    """Start a run with the current settings; a second click during the start does not start another run.

    Returns:
        Whether a run was started.
    """
    session = view.session
    if session.is_starting or session.is_running_already():
        return False
    view.clear_said()
    session.is_starting = True
    try:
        view.told()
        if session.table.name is not None:
            await session.inspect()  # suggests roles, in case the user was faster
        await session.start(name)
    finally:
        session.is_starting = False
    session.changed()
    return True
