"""Utility of the release: information loss, and each column before and after."""

from __future__ import annotations

from typing import Any

from shoal.report.figures import figure, percent
from shoal.web.pages.chart import chart
from shoal.web.pages.shown_run import pieces
from shoal.web.pages.tags import hint, markup, tag
from shoal.web.pages.view import View
from shoal.web.run import Run


def build(view: View, run: Run) -> None:
    """Losses, each column before and after, pairs of columns."""
    pieces(view, run, {"utility": _utility})


def _utility(found: dict[str, Any]) -> None:
    with tag("div", class_="side-by-side"):
        with tag("section"):
            tag("h2", "Information loss")
            markup(found["losses"])
            for sentence in found["said"]:
                tag("p", sentence)
            markup(found["claims"])
        with tag("section"):
            tag("h2", "Loss by column")
            _by_column(found["by_column"])
    tag("h2", "Every column before and after")
    with tag("div", class_="cards wide"):
        for place, spread in enumerate(found["spreads"]):
            with tag("section", class_="card"):
                tag("h3", spread["column"])
                _spread(spread, place)
    if found["pairs"]:
        tag("h2", "Two columns at a time")
        hint("Largest changes first; darker means more records.")
        for place, pair in enumerate(found["pairs"]):
            with tag("details"):
                tag("summary", f"{pair['first']} × {pair['second']}: {percent(pair['moved'])} of the records moved")
                with tag("div", class_="side-by-side"):
                    _heat(pair, "before", "original", place)
                    _heat(pair, "after", "published", place)


def _by_column(losses: dict[str, float]) -> None:
    names = list(losses)
    data = [{"value": losses[name], "tip": f"{name}: {figure(losses[name])}"} for name in names]
    option = {
        "grid": {"left": 130, "right": 30, "top": 10, "bottom": 30},
        "xAxis": {"type": "value", "min": 0, "max": 1},
        "yAxis": {"type": "category", "data": names, "inverse": True},
        "series": [{"type": "bar", "name": "loss", "itemStyle": {"color": "--after"}, "data": data}],
    }
    rows = [[name, losses[name]] for name in names]
    chart(option, name="loss-by-column", label="Loss (LM) by column", heads=["column", "loss"], rows=rows)


def _spread(spread: dict[str, Any], place: int) -> None:
    parts = spread["parts"]
    if spread["means"]:
        before, after = spread["means"]
        hint(f"Mean {figure(before)}; by the published cells {figure(after)}.")
    if spread["said"]:
        hint(spread["said"])

    def series(side: str, name: str, what: str) -> dict[str, Any]:
        data = [
            {"value": value, "tip": f"{part}: {figure(value)} {what}"}
            for part, value in zip(parts, spread[side], strict=True)
        ]
        return {"type": "bar", "name": name, "itemStyle": {"color": f"--{side}"}, "data": data}

    option = {
        "legend": {"top": 0},
        "grid": {"left": 60, "right": 10, "top": 30, "bottom": 70},
        "xAxis": {"type": "category", "data": parts, "axisLabel": {"rotate": 40, "hideOverlap": True}},
        "yAxis": {"type": "value"},
        "series": [series("before", "original", "rows"), series("after", "published", "records")],
    }
    rows = [list(row) for row in zip(parts, spread["before"], spread["after"], strict=True)]
    heads = [spread["column"], "rows of the original", "published records"]
    label = f"{spread['column']} before and after"
    chart(option, name=f"spread-{place}", label=label, heads=heads, rows=rows, zoom=len(parts) > 15)


def _heat(pair: dict[str, Any], side: str, said: str, place: int) -> None:
    counts = pair[side]
    most = max((max(row, default=0) for row in counts), default=0) or 1
    data = [
        {"value": [j, i, (count / most) ** 0.5], "tip": f"{pair['rows'][i]}, {pair['columns'][j]}: {figure(count)}"}
        for i, row in enumerate(counts)
        for j, count in enumerate(row)
    ]
    option = {
        "grid": {"left": 110, "right": 10, "top": 10, "bottom": 70},
        "xAxis": {"type": "category", "data": pair["columns"], "axisLabel": {"rotate": 40}},
        "yAxis": {"type": "category", "data": pair["rows"], "inverse": True},
        "visualMap": {"show": False, "min": 0, "max": 1, "inRange": {"color": ["--panel", f"--{side}"]}},
        "series": [{"type": "heatmap", "name": said, "data": data}],
    }
    rows = [[pair["rows"][i], pair["columns"][j], count] for i, row in enumerate(counts) for j, count in enumerate(row)]
    heads = [pair["first"], pair["second"], said]
    with tag("section"):
        tag("h3", said.capitalize())
        label = f"{pair['first']} by {pair['second']}, {said}"
        chart(option, name=f"pair-{place}-{side}", label=label, heads=heads, rows=rows)
