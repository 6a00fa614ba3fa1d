"""Publishing one node of the lattice."""

from __future__ import annotations

from shoal.report.solutions import spelled
from shoal.web.pages.view import View
from shoal.web.runs import Run


async def publish(view: View, run: Run, levels: tuple[int, ...]) -> None:
    """A run of its own, with the settings of the run that is shown and these levels."""
    session = view.session
    more = {**run.words, "levels": list(levels), "refine": None, "budget": None, "algorithm": "auto"}
    made = await session.start(f"Node {spelled(levels)}", more)
    view.say(f"{made.name} is under way; it is shown here when it is done.", is_good=True)
    session.changed()
