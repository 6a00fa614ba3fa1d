"""The patterns that a set of rules allows, for the terminal and as JSON.

Both take plain data: ``columns``, ``kept``, ``with_outliers``, ``by_stars`` and ``patterns``: text, stars and cost of
each pattern, or None if there are too many to list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from shoal.report.figures import counted

Data = Mapping[str, Any]


def patterns_text(data: Data, most: int) -> RenderableType:
    """The number of patterns by stars, and the cheapest ``most`` of them."""
    n = sum(data["by_stars"].values())
    outliers = "nothing but stars for outliers among them" if data["with_outliers"] else "outliers are not starred"
    said = f"{counted(n, 'pattern')} of {counted(len(data['columns']), 'column')}; {outliers}"
    parts: list[RenderableType] = [Text(said, "bold")]
    if data["kept"]:
        parts.append(Text(f"Never starred: {', '.join(data['kept'])}"))
    parts.append(_table(("stars", "patterns"), [(f"{s:,}", f"{n:,}") for s, n in data["by_stars"].items()]))
    patterns = data["patterns"]
    if patterns is None:
        parts.append(Text("Too many to be tried; say more, such as max_stars."))
    elif most:
        shown = [(f"{one['cost']:g}", f"{one['stars']}", one["pattern"]) for one in patterns[:most]]
        parts.append(_table(("cost", "stars", "pattern"), shown))
        if len(patterns) > most:
            parts.append(Text(f"… and {counted(len(patterns) - most, 'more pattern')}; JSON has them all."))
    return Group(*parts)


def patterns_json(data: Data) -> dict[str, object]:
    """The same for programs."""
    return {
        "n_patterns": sum(data["by_stars"].values()),
        "columns": list(data["columns"]),
        "never_starred": list(data["kept"]),
        "outliers": data["with_outliers"],
        "by_stars": {str(stars): n for stars, n in data["by_stars"].items()},
        "patterns": data["patterns"],
    }


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        table.add_column(head, justify="left" if head == "pattern" else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table
