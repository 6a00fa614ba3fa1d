"""The frame of every page: the permanent bar at the top, and the section below it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from math import inf
from time import monotonic

from nicegui.element import Element

from shoal.io.inspect.column_values import merged
from shoal.report.figures import counted, cut
from shoal.web import undo
from shoal.web.findings import light_of, open_findings
from shoal.web.fixes import fix, ready
from shoal.web.history import Way
from shoal.web.pages.running_jobs import start_run
from shoal.web.pages.tags import button, on, tag, text_tag
from shoal.web.pages.view import View

_SHOW = "Show the run"
_DOUBLE_CLICK = 0.6
"""Seconds within which two clicks count as one."""

Step = tuple[str, Callable[[], Awaitable[None] | None]]
"""The label of a button, and its action."""


def draw_shell(view: View) -> None:
    """Draw the bar, a box for messages, and a box for the section."""
    tag("a", "Skip to the content", href="#main", class_="skip")
    with tag("div", class_="bench"):
        _Bar(view)
        view.said = tag("div", class_="said")
        view.main = tag("main", id="main", tabindex="-1")


class _Bar:
    """The bar: table, sections, safety light, progress, undo and redo, and a button for the next step."""

    def __init__(self, view: View) -> None:
        self._view, self._links = view, dict[str, Element]()
        with tag("header", class_="bar"):
            with tag("div", class_="whose"):
                tag("p", "shoal", class_="brand")
                self._table = text_tag("p", class_="table-name", id="table-name")
            with tag("nav", aria_label="Places", data_router="", id="router") as self._router, tag("ol"):
                for name, section in view.sections.items():
                    with tag("li"):
                        self._links[name] = tag("a", section.title, href=f"#{name}", id=f"place-{name}")
            with tag("div", class_="state"):
                self._light = text_tag("p", class_="light", id="light", role="status")
                self._badge = text_tag("p", class_="badge", id="running", role="status")
                ways: tuple[Way, ...] = ("undo", "redo")
                self._steps = {way: button(way.capitalize(), partial(self._step, way), id=way) for way in ways}
                self._next = button("", self._press, id="next", class_="main")
        self._pressed = -inf
        on(self._router, "route", view.show)
        on(self._router, "event", view.handle)
        view.told, view.go, view.heard = self.tell, self._go, self._hear

    def _press(self) -> Awaitable[None] | None:
        """Do the next step; the second click of a double click that starts a run does not also open the runs."""
        label, step = next_step(self._view)
        now, before = monotonic(), self._pressed
        self._pressed = now
        return None if label == _SHOW and now - before < _DOUBLE_CLICK else step()

    async def _step(self, way: Way) -> None:
        await undo.step(self._view.session, way)
        await self._view.draw()

    def _go(self, address: str) -> None:
        """Make the browser go to a URL, as if a link had been clicked."""
        n_gone = int(str(self._router.props.get("data-go", "0")).partition(" ")[0]) + 1
        self._router.props["data-go"] = f"{n_gone} {address}"

    def _hear(self, numbers: Iterable[int]) -> None:
        """Tell the browser which of its messages have been handled, so that the page shows the drawn values."""
        self._router.props["data-heard"] = " ".join(str(n) for n in numbers)

    def tell(self) -> None:
        """Show the current state."""
        view, session = self._view, self._view.session
        rows = session.table.size.get("n_rows", 0)
        name = session.table.name
        self._table.text = f"{cut(name, 40)} · {counted(rows, 'row')}" if name else "No table"
        for place, link in self._links.items():
            link.props.set_optional("aria-current", "page" if place == view.place else None)
        light = light_of(session)
        self._light.text = light.word
        self._light.props.update({"class": f"light {light.color}", "title": light.sentence})
        self._badge.text = _under_way(view)
        self._badge.props.set_optional("hidden", None if self._badge.text else True)
        for way, button_ in self._steps.items():
            button_.props.set_optional("disabled", None if undo.can(session, way) else True)
        self._next.text = next_step(view)[0]


def _under_way(view: View) -> str:
    if view.session.is_starting:
        return "Starting …"
    running = [run for run in view.session.runs.values() if run.state == "running"]
    return f"{running[0].name}: {running[0].stage}" if running else ""


def next_step(view: View) -> Step:
    """The next step, as far as it can be determined."""
    session, run = view.session, view.session.runs.chosen()
    if session.table.name is None:
        return "Open a table", lambda: view.go("prepare")
    if session.runs.is_busy or session.is_starting:
        return _SHOW, lambda: view.go("protect/runs")
    if run is not None and session.is_current(run):
        is_open = bool(open_findings(run))
        return ("Review findings" if is_open else "Export"), lambda: view.go("release")
    if view.place == "prepare":
        n_ready = len(ready(session))
        label = f"Fix {counted(n_ready, 'finding')} and go on" if n_ready else "Go on to Protect"
        return label, lambda: _fix_and_go_on(view)
    return "Anonymize", lambda: _anonymize(view)


async def _fix_and_go_on(view: View) -> None:
    """Apply the import fixes that need no decision, then go on."""
    if view.session.table.inspection is not None:
        await fix(view.session, merged(one["words"] for one in ready(view.session)))
    view.go("protect")


async def _anonymize(view: View) -> None:
    """Start a run and go to its results, unless the user has gone elsewhere meanwhile."""
    before = view.place, view.part
    if await start_run(view) and (view.place, view.part) == before:
        view.go("release")
