"""What the pages after a run have in common: the run that is shown, and pieces that are not there yet."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui.element import Element

from shoal.web.pages.tags import choice, markup, tag
from shoal.web.pages.view import View
from shoal.web.runs import Run


def chosen(view: View) -> Run | None:
    """The run that is shown, with the list to choose another; None, and a sentence, where none is done."""
    session = view.session
    done = {run.id: run.name for run in session.runs.values() if run.state == "done"}
    if not done:
        tag("p", "There is no finished run yet; start one under Protect.")
        view.live = _when_done(view)
        return None
    if session.chosen_run() is None:
        session.shown_run = next(reversed(done))

    async def show(run: str) -> None:
        session.shown_run = run
        await view.draw()

    with tag("div", class_="fields"):
        choice("Run", done, session.shown_run, show, id="shown-run")
    run = session.runs[session.shown_run or ""]
    tag("p", run.figures["headline"], class_="note", id="headline")
    for note in run.figures["notes"]:
        tag("p", note, class_="hint")
    return run


def pieces(view: View, run: Run, *names: str) -> None:
    """Pieces of the report, each as soon as it is there."""
    boxes = {name: tag("div", id=f"piece-{name}") for name in names}
    drawn: set[str] = set()

    def live() -> None:
        for name, box in boxes.items():
            found = run.piece(name)
            if found is not None and name not in drawn:
                drawn.add(name)
                _fill(box, found)
            elif found is None and name not in drawn:
                _wait(box, run)

    view.live = live
    live()


def _fill(box: Element, piece: str) -> None:
    box.clear()
    with box:
        markup(piece)


def _wait(box: Element, run: Run) -> None:
    box.clear()
    with box:
        tag("p", "This is being prepared …" if run.is_preparing else "This was not prepared.", class_="hint")


def _when_done(view: View) -> Callable[[], Awaitable[None]]:
    async def live() -> None:
        if any(run.state == "done" for run in view.session.runs.values()):
            await view.draw()

    return live
