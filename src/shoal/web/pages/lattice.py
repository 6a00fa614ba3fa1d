"""Lattice: every combination of one level per column, by loss and risk; the selected node and pinned candidates."""

from __future__ import annotations

from functools import partial

from nicegui.element import Element

from shoal.errors import InputError
from shoal.report.figures import counted, figure, percent
from shoal.report.solutions import Solution, Solutions, mark, spelled
from shoal.web.pages.chart import chart
from shoal.web.pages.fields import foldable
from shoal.web.pages.grid import GridColumn, grid
from shoal.web.pages.lattice_chart import lattice_option, solutions_of
from shoal.web.pages.shown_run import pieces
from shoal.web.pages.tags import button, choice, hint, tag
from shoal.web.pages.view import View
from shoal.web.receiving import say
from shoal.web.run import Run
from shoal.web.run_list import Candidate

_WHICH: dict[str, str] = {
    "feasible": "that keep every privacy model",
    "front": "on the Pareto front (loss and risk)",
    "all": "all of them",
}


def build(view: View, run: Run) -> None:
    """Draw the chart, filters, and the details of one node."""
    pieces(view, run, {"nodes": lambda found: _Lattice(view, run, solutions_of(found)).draw()})


class _Lattice:
    """The lattice of a run: its filters, and the selected node."""

    def __init__(self, view: View, run: Run, space: Solutions) -> None:
        self._view, self._run, self._space = view, run, space
        start = dict(zip(space.names, space.chosen or space.best or (0,) * len(space.names), strict=True))
        which = "feasible" if any(node.is_feasible for node in space.nodes) else "all"
        self._said = view.drafts.of("lattice", run.id, which=which, by="risk", most={}, picked=start)

    def draw(self) -> None:
        """Draw the filters above, the chart on the left, the details and the clipboard on the right."""
        space = self._space
        n_feasible = sum(node.is_feasible for node in space.nodes)
        tag(
            "p",
            f"{counted(len(space.nodes), 'node')}, one for each choice of a level per column; {n_feasible:,} keep "
            "every privacy model within the suppression limit. Click a dot, or go through them with the arrow keys.",
        )
        with tag("div", class_="fields"):
            choice("Nodes", _WHICH, self._said["which"], partial(self._say, "which"), id="nodes-shown")
            axes = {"risk": "highest risk", "height": "height"}
            choice("Vertical axis", axes, self._said["by"], partial(self._say, "by"), id="nodes-axis")
            for j, name in enumerate(space.names):
                top = max(node.levels[j] for node in space.nodes)
                options = {"": "any", **{str(level): f"at most {level}" for level in range(top)}}
                most = str(self._said["most"].get(name, ""))
                choice(f"Level of {name}", options, most, partial(self._limit, name), id=f"most-{name}")
        with tag("div", class_="columns"):
            self._picture = tag("div", id="pictures")
            with tag("div"):
                detail = tag("div", id="node", aria_live="polite")
                _draw_pinned(self._view)
        self._draw_picture()
        with detail:
            self._levels()
        self.look(tuple(self._said["picked"].values()))

    def _say(self, what: str, value: str) -> None:
        self._said[what] = value
        self._draw_picture()

    def _limit(self, name: str, most: str) -> None:
        self._said["most"].pop(name, None)
        if most:
            self._said["most"][name] = int(most)
        self._draw_picture()

    def _nodes(self) -> list[Solution]:
        which, most = self._said["which"], self._said["most"]
        limits = [(j, most[name]) for j, name in enumerate(self._space.names) if name in most]
        kept = [n for n in self._space.nodes if which == "all" or n.is_feasible]
        return [
            n for n in kept if (which != "front" or n.is_on_front) and all(n.levels[j] <= most for j, most in limits)
        ]

    def _draw_picture(self) -> None:
        nodes, space, is_by_risk = self._nodes(), self._space, self._said["by"] == "risk"
        self._picture.clear()
        with self._picture:
            if not nodes:
                tag("p", "No node matches; loosen a filter.", class_="note")
                return
            heads = ["levels", f"loss ({space.metric})", "highest risk", "suppressed", "keeps all"]
            rows = [
                [spelled(n.levels), n.loss, n.risk, n.n_suppressed, "yes" if n.is_feasible else "no"]
                for n in sorted(nodes, key=lambda node: node.loss)[:_MOST_ROWS]
            ]
            label = f"{counted(len(nodes), 'node')} by loss and {'highest risk' if is_by_risk else 'height'}"
            chart(
                lattice_option(nodes, space, is_by_risk=is_by_risk),
                name="lattice",
                label=label,
                heads=heads,
                rows=rows,
                zoom=True,
                size="tall",
                on_pick=self._pick,
            )

    def _pick(self, said: str) -> None:
        levels = tuple(int(part) for part in str(said).split(",") if part.isdigit())
        if len(levels) == len(self._space.names):
            self._said["picked"].update(zip(self._space.names, levels, strict=True))
            self.look(levels)

    def _levels(self) -> None:
        """One list for each column, so that no mouse is needed."""
        picked = self._said["picked"]
        with foldable(self._view, "choose-levels", "Choose levels"), tag("div", class_="fields"):
            for j, name in enumerate(self._space.names):
                top = max(node.levels[j] for node in self._space.nodes)
                levels = [str(level) for level in range(top + 1)]
                choice(name, levels, str(picked[name]), partial(self._set, name), id=f"level-{name}")
            button("Look at this node", lambda: self.look(tuple(picked.values())), id="look")
        self._found = tag("div", id="node-found")

    def _set(self, name: str, level: str) -> None:
        self._said["picked"][name] = int(level)

    def look(self, levels: tuple[int, ...]) -> None:
        """Show a node: its levels, figures, some records, and buttons to keep or publish it."""
        node = next((one for one in self._space.nodes if one.levels == levels), None)
        if node is None:
            return
        view, run = self._view, self._run
        self._found.clear()
        with self._found, tag("div", class_="card"):
            tag("h2", f"Node {spelled(levels)}")
            said = mark(node, self._space)
            if said:
                hint(said.capitalize())
            named = ", ".join(f"{name} {level}" for name, level in zip(self._space.names, levels, strict=True))
            tag("p", f"Levels: {named}.")
            state = "keeps every privacy model" if node.is_feasible else "does not keep every privacy model"
            tag(
                "p",
                f"It {state}: loss {figure(node.loss)}, highest risk {percent(node.risk)}, "
                f"{counted(node.n_suppressed, 'row')} suppressed.",
                id="node-figures",
            )
            if not node.is_feasible:
                return
            with tag("div", class_="fields"):
                button("Publish this node", lambda: publish(view, run, levels), id="publish", class_="main")
                button("Pin it", lambda: pin(view, run, node, self._space), id="pin")
            rows = tag("div", id="node-rows")
            view.later(rows, lambda: _records(view, run, levels, rows))


_MOST_ROWS = 500
"""Maximum number of nodes in the table beside the chart: those with the least loss."""


async def _records(view: View, run: Run, levels: tuple[int, ...], box: Element) -> None:
    found = await view.session.desk.ask("node", job=run.job, levels=list(levels))
    if box.is_deleted:
        return
    box.clear()
    with box:
        tag("p", f"{len(found['rows'])} of {counted(found['n_records'], 'record')} as this node publishes them:")
        columns = [GridColumn(name, name) for name in found["columns"]]
        grid(columns, found["rows"], name="node-grid", label="Some records of this node", size="short", filters=False)


async def publish(view: View, run: Run, levels: tuple[int, ...]) -> None:
    """Start a run with these levels and the settings of the shown run, which become the current settings."""
    session = view.session
    if run.table_key != session.table.key:
        raise InputError("This run was made of another table; open that table first.")
    only_here = {"levels": list(levels), "refine": None, "budget": None, "algorithm": "auto"}
    await say(session, {key: said for key, said in run.words.items() if key not in run.only_here})
    made = await session.start(f"Node {spelled(levels)}", only_here)
    view.say(f"{made.name} is running; the result will be shown here.", is_good=True)
    session.changed()


async def pin(view: View, run: Run, node: Solution, space: Solutions) -> None:
    """Put a lattice node on the clipboard."""
    session = view.session
    kept = Candidate(run.id, node.levels, space.metric, node.loss, node.risk, node.n_suppressed)
    session.runs.pin(f"{run.id}:{spelled(node.levels)}", kept)
    await view.draw()


def _draw_pinned(view: View) -> None:
    """Draw everything on the clipboard, lowest loss first, each with buttons to publish or drop it."""
    session = view.session
    if not session.runs.pinned:
        return
    with tag("section", class_="card", id="pinned"):
        tag("h2", "Pinned candidates")
        with tag("ul", class_="plain"):
            for key, kept in sorted(session.runs.pinned.items(), key=lambda item: item[1].loss):
                run = session.runs.get(kept.run)
                name = run.name if run else "a run that was removed"
                with tag("li"):
                    tag(
                        "p",
                        f"{spelled(kept.levels)} of {name}: loss ({kept.metric}) {figure(kept.loss)}, highest risk "
                        f"{percent(kept.risk)}, {kept.n_suppressed:,} suppressed",
                    )
                    if run is not None:
                        label = f"Publish {spelled(kept.levels)}"
                        button(
                            "Publish", partial(publish, view, run, kept.levels), id=f"publish-{key}", aria_label=label
                        )
                    label = f"Unpin {spelled(kept.levels)}"
                    button("Unpin", partial(_drop, view, key), id=f"unpin-{key}", aria_label=label)


async def _drop(view: View, key: str) -> None:
    view.session.runs.pin(key, None)
    await view.draw()
