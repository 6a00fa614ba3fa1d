"""Explore: all runs and all nodes, loss against risk; click one to look at it and to publish it."""

from __future__ import annotations

from functools import partial
from typing import Any

from nicegui.element import Element

from shoal.report.figures import counted, figure, percent
from shoal.report.grids import Grid, front_grid
from shoal.report.runs_plot import RunDot, runs_plot
from shoal.report.sections import table
from shoal.report.solutions import Solution, Solutions, front_plot, lattice_plot, spelled
from shoal.web.pages.shown import chosen
from shoal.web.pages.tags import button, choice, markup, on, tag
from shoal.web.pages.view import View
from shoal.web.runs import Run


def build(view: View) -> None:
    """The runs; then the lattice of the run that is shown."""
    run = chosen(view)
    if run is None:
        return
    metric = run.figures["metric"]
    done = [one for one in view.session.runs.values() if one.state == "done" and one.figures["metric"] == metric]
    tag("h2", "Runs: loss against risk")
    dots = [RunDot(r.name, r.figures["losses"][metric], r.figures["highest_risk"], r is run) for r in done]
    markup(runs_plot(dots, metric))
    box = tag("div", id="nodes")
    drawn: list[bool] = []

    def live() -> None:
        if drawn:
            return
        found = run.nodes()
        if found is not None:
            drawn.append(True)
        box.clear()
        with box:
            _nodes(view, run, found)

    view.live = live
    live()


def _nodes(view: View, run: Run, found: dict[str, Any] | None) -> None:
    tag("h2", "The nodes of a full-domain search")
    if found is None:
        tag(
            "p",
            "They are being looked through …" if run.is_preparing else "They were not looked through.",
            class_="hint",
        )
        return
    if "sentence" in found:
        tag("p", found["sentence"])
        return
    space = _solutions(found)
    n_feasible = sum(node.is_feasible for node in space.nodes)
    tag(
        "p",
        f"{counted(len(space.nodes), 'node')}, one for each choice of a level per column; {n_feasible:,} keep every "
        "promise within the suppression limit. Click a dot, or choose levels below.",
    )
    with tag("div", data_picker="", id="pictures") as pictures:
        tag("h3", "Loss against risk")
        markup(front_plot(space))
        tag("h3", "By height")
        markup(lattice_plot(space))
    detail = tag("div", id="node", aria_live="polite")
    picked = dict(zip(space.names, space.best or (0,) * len(space.names), strict=True))
    _levels(view, run, space, picked, detail)
    markup(table(front_grid(space)))
    on(pictures, "picked", lambda said: _look(view, run, space, _parsed(str(said), space), detail))


def _parsed(said: str, space: Solutions) -> tuple[int, ...]:
    levels = tuple(int(part) for part in said.split(",") if part.isdigit())
    return levels if len(levels) == len(space.names) else space.nodes[0].levels


def _solutions(found: dict[str, Any]) -> Solutions:
    """The lattice again from plain data."""
    nodes = tuple(Solution(**{**node, "levels": tuple(node["levels"])}) for node in found["nodes"])
    best, chosen_ = found["best"], found["chosen"]
    return Solutions(
        tuple(found["names"]),
        found["metric"],
        nodes,
        None if best is None else tuple(best),
        None if chosen_ is None else tuple(chosen_),
    )


def _levels(view: View, run: Run, space: Solutions, picked: dict[str, int], detail: Element) -> None:
    """One list for each column, so that no mouse is needed."""
    tops = {name: max(node.levels[j] for node in space.nodes) for j, name in enumerate(space.names)}

    def pick(name: str, level: str) -> None:
        picked[name] = int(level)

    def look() -> None:
        _look(view, run, space, tuple(picked.values()), detail)

    with tag("div", class_="fields"):
        for name in space.names:
            levels = [str(level) for level in range(tops[name] + 1)]
            choice(
                f"Level of {name}",
                levels,
                str(picked[name]),
                partial(pick, name),
                id=f"level-{name}",
            )
        button("Look at this node", look, id="look")


def _look(view: View, run: Run, space: Solutions, levels: tuple[int, ...], box: Element) -> None:
    """A node: its levels, figures, some records, and the way to publish it."""
    node = next((one for one in space.nodes if one.levels == levels), None)
    if node is None:
        return
    box.clear()
    with box, tag("div", class_="card"):
        tag("h2", f"Node {spelled(levels)}")
        named = ", ".join(f"{name} {level}" for name, level in zip(space.names, levels, strict=True))
        tag("p", f"Levels: {named}.")
        state = "keeps every promise" if node.is_feasible else "does not keep every promise within the limit"
        tag(
            "p",
            f"It {state}: loss {figure(node.loss)}, highest risk {percent(node.risk)}, "
            f"{counted(node.n_suppressed, 'row')} suppressed.",
            id="node-figures",
        )
        if node.is_feasible:
            button("Publish this node", lambda: view.attempt(_publish, view, run, levels), id="publish", class_="main")
            rows = tag("div", id="node-rows")
            view.later(rows, lambda: _records(view, run, levels, rows))


async def _records(view: View, run: Run, levels: tuple[int, ...], box: Element) -> None:
    found = await view.session.desk.ask("node", job=run.job, levels=list(levels))
    grid = Grid(
        f"{len(found['rows'])} of {counted(found['n_records'], 'record')} as this node would publish them",
        found["columns"],
        found["rows"],
        headed=False,
    )
    if box.is_deleted:
        return
    box.clear()
    with box:
        markup(table(grid))


async def _publish(view: View, run: Run, levels: tuple[int, ...]) -> None:
    """A run of its own, with the settings of the run that is shown and these levels."""
    session = view.session
    more = {**run.words, "levels": list(levels), "refine": None, "budget": None, "algorithm": "auto"}
    made = await session.start(f"Node {spelled(levels)}", more)
    view.say(f"{made.name} is under way; see Protect.", is_good=True)
    session.changed()
