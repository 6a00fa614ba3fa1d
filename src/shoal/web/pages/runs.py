"""Run: start, watch, cancel, compare, go back, rename."""

from __future__ import annotations

from functools import partial

from nicegui.element import Element

from shoal.errors import InputError
from shoal.report.figures import figure, percent, seconds
from shoal.web.pages.starting import start_run
from shoal.web.pages.tags import bare_field, button, field, tag, text_tag
from shoal.web.pages.view import View
from shoal.web.runs import Run

_HEADS = ("Run", "State", "Records", "Suppressed", "Loss", "Highest risk", "Smallest class", "Algorithm", "")


def build(view: View) -> None:
    """The button, and every run so far."""
    if view.session.table is None:
        tag("p", "Open a table under Prepare first.")
        return
    state = {"name": ""}

    with tag("div", class_="fields"):
        field("Name of the run", "text", "", lambda value: state.update(name=value), id="run-name")
        button("Start the run", lambda: view.attempt(start_run, view, state["name"]), id="start", class_="main")
    now = tag("div", id="now", aria_live="polite")
    history = tag("div", id="history")
    under_way = _UnderWay(view, now)
    shape: list[object] = []

    def live() -> None:
        under_way.tell()
        fresh = [(run.id, run.state, run.name) for run in view.session.runs.values()] + [view.session.shown_run]
        if fresh != shape:
            shape[:] = fresh
            _history(view, history)

    view.live = live
    live()


class _UnderWay:
    """What is under way. A card stays as long as its run does, so that a click on its button always finds it."""

    def __init__(self, view: View, box: Element) -> None:
        self._view, self._box = view, box
        self._cards: dict[str, _Card] = {}
        self._shape: list[tuple[str, object]] = []

    def tell(self) -> None:
        """Show how far runs are; cards come and go with their runs."""
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
                    tag("p", f"{run.name} is done; its pages are still being prepared.", class_="hint")


class _Card:
    """A run: stage, share, estimate, and the way to stop it."""

    def __init__(self, view: View, run: Run) -> None:
        with tag("div", class_="card"):
            self._title = text_tag("h2")
            self._bar = tag("progress", aria_label=f"Progress of {run.name}", max="1")
            self._hint = text_tag("p", class_="hint")
            button(f"Cancel {run.name}", partial(_cancel, view, run), id=f"cancel-{run.id}")

    def tell(self, run: Run) -> None:
        """How far it is now."""
        self._title.text = f"{run.name}: {run.stage}"
        self._hint.text = " · ".join(filter(None, [seconds(run.elapsed), run.estimate, run.note]))
        self._bar.props.set_optional("^value", str(run.done / run.total) if run.total else None)
        self._bar.update()


def _is_preparing(run: Run) -> bool:
    return run.state == "done" and run.is_preparing


def _cancel(view: View, run: Run) -> None:
    run.cancel()
    view.session.changed()


def _history(view: View, box: Element) -> None:
    box.clear()
    if not view.session.runs:
        return
    with box:
        tag("h2", "Every run so far")
        with tag("div", class_="scroll", role="region", aria_label="Runs", tabindex="0"), tag("table"):
            tag("caption", "The one that is shown on the pages after this one is marked")
            with tag("thead"), tag("tr"):
                for head in _HEADS:
                    tag("th", head or "What to do", scope="col")
            with tag("tbody"):
                for run in reversed(view.session.runs.values()):
                    _row(view, run)


def _row(view: View, run: Run) -> None:
    def rename(name: str) -> None:
        run.name = str(name).strip()[:80] or run.name

    shown = view.session.shown_run == run.id
    with tag("tr"):
        with tag("th", scope="row"):
            bare_field("text", run.name, rename, aria_label=f"Name of {run.name}", id=f"name-{run.id}", size="14")
        tag("td", f"{run.state}{', shown' if shown and run.state == 'done' else ''}", id=f"state-{run.id}")
        for text in _figures(run):
            tag("td", text, class_="num")
        tag("td", run.figures.get("algorithm", ""))
        with tag("td"):
            _deeds(view, run)
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


def _deeds(view: View, run: Run) -> None:
    session = view.session

    def show() -> None:
        session.shown_run = run.id
        session.changed()

    async def go_back() -> None:
        if run.table_key != session.table_key:
            raise InputError("This run was made of another table; open that table first.")
        await session.say(run.words)
        view.say(f"The settings are those of {run.name} again.", is_good=True)

    def forget() -> None:
        session.forget(run.id)
        session.changed()

    if run.state == "done":
        button("Show", show, id=f"show-{run.id}", aria_label=f"Show {run.name}")
    button(
        "Go back",
        lambda: view.attempt(go_back),
        id=f"back-{run.id}",
        aria_label=f"Go back to the settings of {run.name}",
    )
    if run.state != "running":
        button("Remove", forget, id=f"remove-{run.id}", aria_label=f"Remove {run.name}")
