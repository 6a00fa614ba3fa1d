"""Runs: start, watch, cancel, compare, restore settings, rename."""

from __future__ import annotations

from functools import partial

from nicegui.element import Element

from shoal.errors import InputError
from shoal.report.figures import figure, percent
from shoal.web.pages.confirmation import ask_in, question_box
from shoal.web.pages.drafts import draft_field
from shoal.web.pages.running_jobs import start_run, under_way
from shoal.web.pages.tags import bare_field, button, redrawn, tag
from shoal.web.pages.view import View
from shoal.web.receiving import say
from shoal.web.run import Run

_HEADS = ("Run", "State", "Records", "Suppressed", "Loss", "Highest risk", "Smallest class", "Algorithm", "")


def build(view: View) -> None:
    """The start button, and the list of runs."""
    if view.session.table.name is None:
        tag("p", "Open a table under Prepare first.")
        return
    draft = view.drafts.of("run", name="")

    async def start() -> None:
        if await start_run(view, draft["name"]):
            view.drafts.forget("run")
            await view.draw()

    with tag("div", class_="fields"):
        draft_field("Name of the run", "text", draft, "name", id="run-name")
        button("Start the run", start, id="start", class_="main")
    tell_running = under_way(view)
    asking = question_box(view, "asking")
    history = tag("div", id="history")

    def shape() -> object:
        return [(run.id, run.state, run.name) for run in view.session.runs.values()], view.session.runs.shown

    tell_history = redrawn(history, shape, partial(_history, view, asking))

    def live() -> None:
        tell_running()
        tell_history()

    view.live = live
    live()


def _history(view: View, asking: Element) -> None:
    if not view.session.runs:
        return
    tag("h2", "Every run so far")
    with tag("div", class_="scroll", role="region", aria_label="Runs", tabindex="0"), tag("table"):
        tag("caption", "Compare and Release show the marked run")
        with tag("thead"), tag("tr"):
            for head in _HEADS:
                tag("th", head or "What to do", scope="col")
        with tag("tbody"):
            for run in reversed(view.session.runs.values()):
                _row(view, run, asking)


def _row(view: View, run: Run, asking: Element) -> None:
    shown = view.session.runs.shown == run.id
    with tag("tr"):
        with tag("th", scope="row"):
            rename, named = partial(view.session.runs.rename, run), f"Name of {run.name}"
            bare_field("text", run.name, rename, aria_label=named, id=f"name-{run.id}", size="14")
        tag("td", f"{run.state}{', shown' if shown and run.state == 'done' else ''}", id=f"state-{run.id}")
        for text in _figures(run):
            tag("td", text, class_="num")
        tag("td", run.figures.get("algorithm", ""))
        with tag("td"):
            _deeds(view, run, asking)
    if run.sentence:
        with tag("tr"):
            tag("td", run.sentence, colspan=str(len(_HEADS)), class_="alert" if run.state == "failed" else "hint")


def _figures(run: Run) -> list[str]:
    if run.state != "done":
        return [""] * 5
    found = run.figures
    loss = found["losses"][found["metric"]]
    return [
        f"{found['n_records']:,}",
        f"{found['n_suppressed']:,}",
        f"{found['metric'].upper()} {figure(loss)}",
        percent(found["highest_risk"]),
        f"{found['smallest']:,}",
    ]


def _deeds(view: View, run: Run, asking: Element) -> None:
    session = view.session

    def show() -> None:
        session.runs.shown = run.id
        session.changed()

    async def go_back() -> None:
        if run.table_key != session.table.key:
            raise InputError("This run was made of another table; open that table first.")
        await say(session, run.words)
        view.say(f"The settings of {run.name} are restored.", is_good=True)

    if run.state == "done":
        button("Show", show, id=f"show-{run.id}", aria_label=f"Show {run.name}")
    button("Restore", go_back, id=f"back-{run.id}", aria_label=f"Restore the settings of {run.name}")
    if run.state != "running":
        ask = partial(ask_to_remove, view, run, asking)
        button("Remove", ask, id=f"remove-{run.id}", aria_label=f"Remove {run.name}")


def ask_to_remove(view: View, run: Run, box: Element) -> None:
    """Ask whether to remove a run from the list, which can be undone, or to delete it with its files."""

    def remove() -> None:
        if run.id in view.session.runs:
            view.session.runs.remove(run.id)
        view.say(f"{run.name} is removed; Undo brings it back.", is_good=True)

    def wipe() -> None:
        if run.id in view.session.runs:
            view.session.runs.forget(run.id)
        view.say(f"{run.name} and its files are deleted.", is_good=True)

    question = f"Remove {run.name}? Undo brings it back until the session ends. Deleting its files cannot be undone."
    ask_in(view, box, question, {"Remove the run": remove, "Delete its files permanently": wipe})
