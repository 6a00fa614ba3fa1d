"""Risk: re-identification risk of the release, as standard figures and by attacks run on it."""

from __future__ import annotations

from functools import partial
from typing import Any

from shoal.report.figures import figure, percent
from shoal.report.grids import Grid
from shoal.report.sections import table
from shoal.web.findings import findings_of
from shoal.web.pages.chart import chart
from shoal.web.pages.finding_cards import finding_card
from shoal.web.pages.shown_run import pieces
from shoal.web.pages.tags import hint, markup, tag
from shoal.web.pages.view import View
from shoal.web.run import Run

_OUTCOMES = {"stopped": "stopped", "weak": "weak", "falls": "SUCCEEDS", "not run": "not run"}


def build(view: View, run: Run) -> None:
    """Gauges, successful attacks with their fixes, privacy models, class sizes, the worst classes."""
    pieces(view, run, {"audit": partial(_audit, view, run), "classes": _classes})


def _audit(view: View, run: Run, found: dict[str, Any]) -> None:
    figures = found["figures"]
    with tag("div", class_="gauges"):
        _gauge("Prosecutor", figures["prosecutor"], "a person known to be in the table is found")
        _gauge("Journalist", figures["journalist"], "somebody of the population is found", "a table of the population")
        _gauge("Marketer", figures["marketer"], "a record of the whole release is matched")
        _uniqueness(figures["uniqueness"])
    falling = findings_of(run)
    tag("h2", "Successful attacks and other findings")
    if not falling:
        tag("p", "No attack that was run succeeds.", class_="good-news")
    for finding in falling:
        finding_card(view, run, finding)
    rows = [
        [risk["attack"] + (f" ({risk['about']})" if risk["about"] else ""), _OUTCOMES[risk["outcome"]], risk["says"]]
        for risk in found["risks"]
    ]
    with tag("details"):
        tag("summary", f"All {len(rows)} attacks")
        markup(table(Grid("Attacks on this release", ["attack", "outcome", "what it comes to"], rows)))


def _gauge(title: str, exposure: dict[str, Any] | None, meaning: str, needs: str = "") -> None:
    with tag("section", class_="card"):
        tag("h2", title)
        if exposure is None:
            hint(f"Not known: it needs {needs}.")
            return
        highest, average = exposure["highest"], exposure["average"]
        is_single = highest == average
        _dial(title, highest, "risk" if is_single else "highest")
        told = f"Chance that {meaning}"
        hint(f"{told}: {percent(highest)}." if is_single else f"{told}: on average {percent(average)}.")


def _uniqueness(found: dict[str, Any] | None) -> None:
    with tag("section", class_="card"):
        tag("h2", "Population uniqueness")
        if found is None:
            hint("Not known: it needs the size of the population.")
            return
        _dial("Population uniqueness", found["share"], "unique")
        hint(f"Estimated by {found['model']} for {found['population']:,} people.")


def _dial(title: str, value: float, what: str) -> None:
    color = "--bad" if value >= 0.5 else "--before" if value > 0.2 else "--good"
    option = {
        "series": [
            {
                "type": "gauge",
                "min": 0,
                "max": 1,
                "splitNumber": 2,
                "radius": "95%",
                "center": ["50%", "62%"],
                "startAngle": 200,
                "endAngle": -20,
                "progress": {"show": True, "width": 12, "itemStyle": {"color": color}},
                "axisLine": {"lineStyle": {"width": 12, "color": [[1, "--rule"]]}},
                "pointer": {"show": False},
                "axisTick": {"show": False},
                "splitLine": {"show": False},
                "axisLabel": {"show": False},
                "detail": {"offsetCenter": [0, "5%"], "fontSize": 22, "color": "--ink", "formatter": percent(value)},
                "title": {"offsetCenter": [0, "38%"], "color": "--soft", "fontSize": 12},
                "data": [{"value": value, "name": what, "tip": f"{title}: {percent(value)} ({what})"}],
            }
        ]
    }
    key = title.lower().replace(" ", "-")
    label, rows = f"{title} risk: {percent(value)}", [[f"{title}, {what}", value]]
    chart(option, name=f"gauge-{key}", label=label, heads=["figure", "value"], rows=rows, size="gauge")


def _classes(found: dict[str, Any]) -> None:
    tag("h2", "Privacy models")
    markup(found["promises"])
    tag("h2", "Equivalence classes by size")
    tag("p", found["said"])
    _sizes(found["sizes"], found["wanted"])
    tag("h2", "Re-identification risk")
    if found["before"]:
        tag("p", found["before"])
    markup(found["risks"])
    tag("h2", "Smallest and least diverse classes")
    tag("p", "Internal: computed with the original. Do not publish it with the release.", class_="note secret")
    markup(found["worst"])


def _sizes(sizes: list[list[int]], wanted: int | None) -> None:
    data = [{"value": n * size, "tip": f"{n:,} classes of {size:,}\n{n * size:,} records"} for size, n in sizes]
    names = [f"{size:,}" for size, _ in sizes]
    line = next((place for place, (size, _) in enumerate(sizes) if wanted is not None and size >= wanted), None)
    mark = {
        "symbol": "none",
        "silent": True,
        "label": {"formatter": f"asked for: {wanted}", "color": "--ink"},
        "lineStyle": {"color": "--ink"},
        "data": [{"xAxis": line}],
    }
    option = {
        "grid": {"left": 70, "right": 30, "top": 30, "bottom": 50},
        "xAxis": {"type": "category", "data": names, "name": "class size", "nameLocation": "middle", "nameGap": 30},
        "yAxis": {"type": "value", "name": "records"},
        "series": [
            {
                "type": "bar",
                "name": "records",
                "itemStyle": {"color": "--after"},
                "data": data,
                **({"markLine": mark} if line is not None else {}),
            }
        ],
    }
    rows = [[size, n, n * size] for size, n in sizes]
    heads = ["class size", "classes", "records"]
    label = f"Records by the size of their class, {figure(len(sizes))} sizes"
    chart(option, name="class-sizes", label=label, heads=heads, rows=rows, zoom=len(sizes) > 30)
