"""The chart of a lattice, and reading the lattice from a run's data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.report.figures import figure, percent
from shoal.report.solutions import Solution, Solutions, mark, spelled
from shoal.web.pages.chart import loss_and


def lattice_option(nodes: Sequence[Solution], space: Solutions, *, is_by_risk: bool) -> dict[str, Any]:
    """Nodes by loss and risk, with the front joined by a line; or by loss and height."""
    dots = [_dot(node, node.risk if is_by_risk else sum(node.levels), space) for node in nodes]
    front = sorted((n for n in nodes if n.is_feasible and n.is_on_front), key=lambda node: node.loss)
    line = {
        "type": "line",
        "name": "front",
        "silent": True,
        "symbol": "none",
        "lineStyle": {"color": "--before"},
        "data": [[n.loss, n.risk] for n in front],
    }
    name = "highest risk" if is_by_risk else "height: sum of levels"
    return {
        "grid": {"left": 60, "right": 20, "top": 40, "bottom": 50},
        **loss_and(name, space.metric),
        "series": [{"type": "scatter", "name": "nodes", "data": dots}, *([line] if is_by_risk else [])],
    }


def _dot(node: Solution, y: float, space: Solutions) -> dict[str, Any]:
    said = mark(node, space)
    color = "--before" if said else "--after" if node.is_feasible else "--rule"
    return {
        "value": [node.loss, y],
        "key": spelled(node.levels),
        "tip": f"{spelled(node.levels)} {said}\nloss {figure(node.loss)}\nhighest risk {percent(node.risk)}",
        "symbolSize": 14 if said else 6,
        "itemStyle": {"color": color},
    }


def solutions_of(found: dict[str, Any]) -> Solutions:
    """Rebuild the lattice from plain data."""
    nodes = tuple(Solution(**{**node, "levels": tuple(node["levels"])}) for node in found["nodes"])
    best, chosen = (None if found[one] is None else tuple(found[one]) for one in ("best", "chosen"))
    return Solutions(tuple(found["names"]), found["metric"], nodes, best, chosen)
