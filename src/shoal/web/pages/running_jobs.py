"""Runs in progress: starting one, how far each is, and a button to cancel it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from shoal.report.figures import seconds
from shoal.web.pages.tags import button, hint, redrawn, tag, text_tag
from shoal.web.pages.view import View
from shoal.web.run import Run


def under_way(view: View) -> Callable[[], None]:
    """A box with cards of runs in progress; call the answer to show their progress.

    A card stays as long as its run, so that a click on its button is never lost.
    """
    cards: dict[str, _Card] = {}

    def shape() -> object:
        runs = view.session.runs.values()
        return [(run.id, run.state) for run in runs if run.state == "running" or _is_preparing(run)]

    def draw() -> None:
        cards.clear()
        for run in view.session.runs.values():
            if run.state == "running":
                cards[run.id] = _Card(view, run)
            elif _is_preparing(run):
                hint(f"{run.name} is done; its pages are still being prepared.")

    redraw = redrawn(tag("div", id="now", aria_live="polite"), shape, draw)

    def tell() -> None:
        redraw()
        for name, card in cards.items():
            card.tell(view.session.runs[name])

    return tell


class _Card:
    """A run in progress: stage, share, estimate, and a button to cancel it."""

    def __init__(self, view: View, run: Run) -> None:
        with tag("div", class_="card"):
            self._title = text_tag("h2")
            self._bar = tag("progress", aria_label=f"Progress of {run.name}", max="1")
            self._hint = text_tag("p", class_="hint")
            button(f"Cancel {run.name}", partial(_cancel, view, run), id=f"cancel-{run.id}", data_now="")

    def tell(self, run: Run) -> None:
        """Show the current progress."""
        self._title.text = f"{run.name}: {run.stage}"
        self._hint.text = " · ".join(filter(None, [seconds(run.elapsed), run.estimate, run.note]))
        self._bar.props.set_optional("^value", str(run.done / run.total) if run.total else None)
        self._bar.update()


def _is_preparing(run: Run) -> bool:
    return run.state == "done" and run.is_preparing


def _cancel(view: View, run: Run) -> None:
    run.cancel()
    view.session.changed()


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
