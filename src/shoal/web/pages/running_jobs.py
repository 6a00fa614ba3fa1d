"""Runs in progress: starting one, how far each is, and a button to cancel it."""

from __future__ import annotations

from functools import partial

from nicegui.element import Element

from shoal.report.figures import seconds
from shoal.web.pages.tags import button, hint, tag, text_tag
from shoal.web.pages.view import View
from shoal.web.run import Run


class UnderWay:
    """Cards of runs in progress. A card stays as long as its run, so that a click on its button is never lost."""

    def __init__(self, view: View, box: Element) -> None:
        self._view, self._box = view, box
        self._cards: dict[str, _Card] = {}
        self._shape: list[tuple[str, object]] = []

    def tell(self) -> None:
        """Show the progress of runs; cards come and go with their runs."""
        runs = self._view.session.runs
        shape: list[tuple[str, object]] = [
            (run.id, run.state) for run in runs.values() if run.state == "running" or _is_preparing(run)
        ]
        if shape != self._shape:
            self._shape = shape
            self._draw()
        for name, card in self._cards.items():
            card.tell(runs[name])

    def _draw(self) -> None:
        self._box.clear()
        self._cards = {}
        with self._box:
            for run in self._view.session.runs.values():
                if run.state == "running":
                    self._cards[run.id] = _Card(self._view, run)
                elif _is_preparing(run):
                    hint(f"{run.name} is done; its pages are still being prepared.")


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
