"""The rows of a column by value, with the cuts under consideration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nicegui.element import Element

from shoal.web.pages.chart import chart


def column_chart(found: dict[str, Any], cuts: Sequence[float]) -> Element:
    """Bars along the line, or of the commonest values; each cut is a line across them."""
    parts = found["parts"]
    element = chart(
        _option(found, cuts),
        name="histogram",
        label=found["label"],
        heads=["value", "rows"],
        rows=parts,
        zoom="middles" in found,
        size="short",
    )
    element.props["data-cuts"] = " ".join(f"{one:g}" for one in cuts)
    return element


def _option(found: dict[str, Any], cuts: Sequence[float]) -> dict[str, Any]:
    parts, middles = found["parts"], found.get("middles")
    data = [
        {"value": n if middles is None else [middles[place], n], "tip": f"{name}: {n:,} rows"}
        for place, (name, n) in enumerate(parts)
    ]
    series: dict[str, Any] = {"type": "bar", "name": "rows", "itemStyle": {"color": "--after"}, "data": data}
    if middles is None:
        across = {"type": "category", "data": [name for name, _ in parts], "axisLabel": {"hideOverlap": True}}
    else:
        half = found["width"] / 2
        across = {"type": "value", "min": middles[0] - half, "max": middles[-1] + half}
        if found["ends"]:
            across |= {"name": " to ".join(found["ends"]), "nameLocation": "middle", "axisLabel": {"show": False}}
        series |= {"barWidth": f"{100 / len(parts):.2f}%", "markLine": _lines(cuts)}
    return {
        "grid": {"left": 60, "right": 20, "top": 20, "bottom": 40},
        "xAxis": across,
        "yAxis": {"type": "value"},
        "series": [series],
    }


def _lines(cuts: Sequence[float]) -> dict[str, Any]:
    return {
        "symbol": "none",
        "lineStyle": {"color": "--bad", "type": "solid", "width": 2},
        "label": {"color": "--ink"},
        "data": [{"xAxis": one} for one in cuts],
    }
