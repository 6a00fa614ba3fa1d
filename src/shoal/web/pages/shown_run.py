"""Common parts of the pages about a run: the selected run, and results that are still being prepared."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from shoal.report.figures import counted
from shoal.web.findings import open_findings
from shoal.web.pages.running_jobs import under_way
from shoal.web.pages.tags import choice, hint, tag
from shoal.web.pages.view import Build, View
from shoal.web.run import Run


def of_run(draw: Callable[[View, Run], None]) -> Build:
    """A part of a section that is about the selected run; it is drawn only if there is one."""

    def build(view: View) -> None:
        run = _chosen(view)
        if run is not None:
            draw(view, run)

    return build


def _chosen(view: View) -> Run | None:
    """Draw the list of runs and return the selected one; None, with a message, if no run is done."""
    session = view.session
    tell = under_way(view)
    tell()
    view.watchers.append(tell)
    done = {run.id: run.name for run in session.runs.values() if run.state == "done"}
    if not done:
        if not session.runs.is_busy:
            tag("p", "There is no finished run yet; start one under Protect.")
        view.live = _when_done(view)
        return None
    wanted = session.runs.get(session.runs.shown or "")
    if wanted is None or wanted.state not in ("done", "running"):  # a running one is shown once it is done
        session.runs.shown = next(reversed(done))

    async def show(run: str) -> None:
        session.runs.shown = run
        await view.draw()

    run = session.runs.chosen() or session.runs[next(reversed(done))]
    with tag("div", class_="fields"):
        choice("Run", done, run.id, show, id="shown-run")
        tag("p", run.figures["headline"], class_="note", id="headline")
    _tell_of(view, run)
    return run


def _tell_of(view: View, run: Run) -> None:
    """Show open findings and remarks about the run first."""
    unanswered = open_findings(run)
    if unanswered and view.place != "release":
        with tag("p", class_="alert", id="unanswered"):
            tag("strong", f"{counted(len(unanswered), 'open finding')}: not fit to be released. ")
            tag("a", "Review them", href="#release")
    if not view.session.is_current(run):
        tag(
            "p",
            f"{run.name} was made with other settings or another table than the current ones.",
            class_="note",
            id="stale",
        )
    if run.figures["notes"]:
        with tag("details"):
            tag("summary", f"Remarks of the run ({len(run.figures['notes'])})")
            for note in run.figures["notes"]:
                tag("p", note)


def keep_up(view: View, run: Run, live: Callable[[], None]) -> None:
    """Draw news of a run now and on every change; redraw the page if another run is selected."""

    async def follow() -> None:
        if view.session.runs.chosen() not in (None, run):
            await view.draw()
        else:
            live()

    view.live = follow
    live()


Draw = Callable[[dict[str, Any]], None]
"""Draws a part of the page from its data."""


def pieces(view: View, run: Run, draws: Mapping[str, Draw]) -> None:
    """Draw parts of a page, each as soon as its data is available."""
    boxes = {name: tag("div", id=f"piece-{name}") for name in draws}
    told: dict[str, tuple[bool, bool]] = {}

    def live() -> None:
        for name, draw in draws.items():
            state = name in run.pieces, run.is_preparing
            if told.get(name, (False, None)) in ((True, True), (True, False), state):
                continue
            told[name] = state
            boxes[name].clear()
            with boxes[name]:
                _fill(run.piece(name), draw, run)

    keep_up(view, run, live)


def _fill(found: dict[str, Any] | None, draw: Draw, run: Run) -> None:
    if found is None:
        hint("This is being prepared …" if run.is_preparing else "This was not prepared.")
    elif "sentence" in found:
        tag("p", found["sentence"], class_="note")
    else:
        draw(found)


def _when_done(view: View) -> Callable[[], Awaitable[None]]:
    async def live() -> None:
        if any(run.state == "done" for run in view.session.runs.values()):
            await view.draw()

    return live
