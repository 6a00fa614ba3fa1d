"""Runs: information loss and risk of each, and a comparison of any two."""

from __future__ import annotations

from typing import Any

from nicegui.element import Element

from shoal.report.figures import figure, percent
from shoal.report.grids import Grid
from shoal.report.sections import table
from shoal.web.findings import open_findings
from shoal.web.pages.chart import chart, loss_and
from shoal.web.pages.tags import choice, hint, markup, tag
from shoal.web.pages.view import View
from shoal.web.run import Run


def build(view: View, run: Run) -> None:
    """All runs in a chart; two of them in a table."""
    done = [one for one in view.session.runs.values() if one.state == "done"]
    tag("h2", "Loss against risk")
    _picture(view, run, [one for one in done if one.figures["metric"] == run.figures["metric"]])
    tag("h2", "Two runs side by side")
    others = {one.id: one.name for one in done if one is not run}
    if not others:
        hint("There is only one finished run; change something under Protect and run again.")
        return
    box = tag("div", id="two-runs")
    draft = view.drafts.of("two runs", run.id, other="")
    if draft["other"] not in others:
        draft["other"] = next(iter(others))

    def show(key: str) -> None:
        draft["other"] = key
        _two(view, run, key, box)

    with tag("div", class_="fields"):
        choice("Compare with", others, draft["other"], show, id="other-run")
    _two(view, run, draft["other"], box)


def _picture(view: View, run: Run, runs: list[Run]) -> None:
    metric = run.figures["metric"]
    data = [
        {
            "value": [one.figures["losses"][metric], one.figures["highest_risk"]],
            "name": one.name,
            "key": one.id,
            "tip": f"{one.name}\nloss {figure(one.figures['losses'][metric])}\n"
            f"highest risk {percent(one.figures['highest_risk'])}",
            "symbolSize": 18 if one is run else 12,
            "itemStyle": {"color": "--after" if one is run else "--before"},
            "label": {"show": True, "formatter": one.name, "position": "right", "color": "--ink"},
        }
        for one in runs
    ]
    option = {
        "grid": {"left": 70, "right": 120, "top": 30, "bottom": 50},
        **loss_and("highest risk", metric),
        "series": [{"type": "scatter", "name": "runs", "data": data}],
    }

    async def show(key: str) -> None:
        view.session.runs.shown = str(key)
        await view.draw()

    rows = [[one.name, one.figures["losses"][metric], one.figures["highest_risk"]] for one in runs]
    label = "Runs by loss and highest risk"
    chart(option, name="runs", label=label, heads=["run", "loss", "risk"], rows=rows, zoom=len(data) > 5, on_pick=show)


def _two(view: View, run: Run, key: str, box: Element) -> None:
    other = view.session.runs.get(key)
    if other is None:
        return
    ours, theirs = _figures(run), _figures(other)
    rows = [[what, ours[what], theirs.get(what, "")] for what in ours]
    rows += [[what, "", value] for what, value in theirs.items() if what not in ours]
    box.clear()
    with box:
        markup(table(Grid(f"{run.name} and {other.name}", ["figure", run.name, other.name], rows)))


def _figures(run: Run) -> dict[str, str]:
    found: dict[str, Any] = run.figures
    return {
        "privacy models": "; ".join(found["promises"]),
        "algorithm": found["algorithm"],
        "records": f"{found['n_records']:,}",
        "suppressed": f"{found['n_suppressed']:,}",
        "classes": f"{found['n_classes']:,}",
        "smallest class": f"{found['smallest']:,}",
        "highest risk": percent(found["highest_risk"]),
        **{f"loss ({name})": figure(loss) for name, loss in found["losses"].items()},
        "open findings": f"{len(open_findings(run)):,}",
    }
