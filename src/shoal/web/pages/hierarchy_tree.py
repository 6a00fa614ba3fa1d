"""Drawing a hierarchy: nested groups, and values that can be dragged or ticked."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from nicegui.element import Element

from shoal.report.figures import cut
from shoal.web.pages.tags import bare_field, tag


def draw_tree(found: dict[str, Any], chosen: set[str]) -> Element:
    """Draw the tree; ticked values are added to ``chosen``."""
    rows = found["rows"]
    n_levels = len(found["sizes"])
    with tag("div", class_="tree", data_tree="", role="group", aria_label="Tree", id="tree") as box, tag("ul"):
        _draw(rows, n_levels - 2, chosen)
        if len(rows) < found["n_values"]:
            tag("li", f"… and {found['n_values'] - len(rows):,} more values", class_="hint")
    return box


def groups_of(found: dict[str, Any]) -> list[tuple[int, str]]:
    """The groups between values and root, with their levels."""
    levels = range(1, len(found["sizes"]) - 1)
    return [(level, label) for level in levels for label in dict.fromkeys(row[level] for row in found["rows"])]


def _draw(rows: list[list[Any]], level: int, chosen: set[str]) -> None:
    """Draw the groups of a level, each with its content."""
    if level <= 0:
        with tag("li"):
            for row in rows:
                _value(row, chosen)
        return
    for label, members in groupby(rows, key=lambda row: row[level]):
        inside = list(members)
        with tag("li", class_="group"):
            title = f"{cut(label, 40)} ({sum(row[-1] for row in inside):,} rows)"
            tag("span", title, data_group=label, data_level=str(level))
            with tag("ul"):
                _draw(inside, level - 1, chosen)


def _value(row: list[Any], chosen: set[str]) -> None:
    def tick(is_ticked: bool) -> None:
        (chosen.add if is_ticked else chosen.discard)(row[0])

    with tag("label", class_="value", draggable="true", data_value=row[0]):
        bare_field("checkbox", row[0] in chosen, tick, id=f"tick-{row[0]}")
        tag("span", cut(row[0], 40))
        tag("span", f"{row[-1]:,}", class_="count")
