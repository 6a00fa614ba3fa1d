"""Publishing a node of the lattice."""

from __future__ import annotations

from shoal.errors import InputError
from shoal.report.solutions import spelled
from shoal.web.pages.view import View
from shoal.web.receiving import say
from shoal.web.run import Run


async def publish(view: View, run: Run, levels: tuple[int, ...]) -> None:
    """Start a run with these levels and the settings of the shown run, which become the current settings.

    Raises:
        InputError: the run used another table.
    """
    session = view.session
    if run.table_key != session.table.key:
        raise InputError("This run was made of another table; open that table first.")
    only_here = {"levels": list(levels), "refine": None, "budget": None, "algorithm": "auto"}
    await say(session, {key: said for key, said in run.words.items() if key not in run.only_here})
    made = await session.start(f"Node {spelled(levels)}", only_here)
    view.say(f"{made.name} is running; the result will be shown here.", is_good=True)
    session.changed()
