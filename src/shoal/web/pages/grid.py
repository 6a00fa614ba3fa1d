"""A data grid on a page: sorted and filtered in place, thousands of rows by virtual scrolling, chips in the header."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from nicegui.element import Element

from shoal.web.asset_files import address
from shoal.web.pages.tags import Handler, on, tag


@dataclass(frozen=True)
class Chip:
    """A short list to choose from in the header of a column, such as its role.

    Args:
        key: what is chosen; the list's id is this, ``-`` and the name of the column.
        label: what a screen reader says.
        options: values and their texts.
        value: the one that is chosen now.
    """

    key: str
    label: str
    options: Mapping[str, str]
    value: str


@dataclass(frozen=True)
class GridColumn:
    """A column of a grid: its name in questions and events, its title, and what stands in its header."""

    name: str
    title: str
    kind: Literal["text", "number"] = "text"
    chips: tuple[Chip, ...] = ()
    pinned: Literal["", "left", "right"] = ""
    width: int | None = None


@dataclass(frozen=True)
class GridRow:
    """A row with more than its cells.

    Args:
        cells: what it says, by column.
        key: told when the row is picked.
        marks: a CSS class for each cell, such as ``changed``; empty for none.
        tips: a text for each cell that is shown when one rests on it.
        tone: the number of its colour; rows of one equivalence class have the same.
    """

    cells: Sequence[Any]
    key: str | None = None
    marks: Sequence[str] = ()
    tips: Sequence[str] = ()
    tone: int | None = None

    def as_data(self) -> dict[str, Any]:
        """What the grid in the browser reads."""
        return {name: value for name, value in asdict(self).items() if value not in (None, (), [])}


def grid(
    columns: Sequence[GridColumn],
    rows: Sequence[GridRow | Sequence[Any]] | str,
    *,
    name: str,
    label: str,
    size: Literal["short", "middle", "tall"] = "middle",
    link: str | None = None,
    filters: bool = True,
    on_chip: Handler | None = None,
    on_pick: Handler | None = None,
) -> Element:
    """A grid with an id and a name for screen readers.

    Args:
        columns: in the order of the cells.
        rows: all of them; or the address that answers ``?start=&n=&sort=&descending=&filters=`` with
            ``{"rows": […], "n": how many there are in all}``, which suits long tables.
        name: its id in the page.
        label: what a screen reader calls it.
        size: how tall it is.
        link: grids of the same link scroll, sort and filter together; their column names must differ.
        filters: whether each column has a field to filter by.
        on_chip: told ``{"column", "chip", "value"}`` when something was chosen in a header.
        on_pick: told the key of a row that was clicked, or chosen by the enter key.
    """
    element = tag(
        "data-grid",
        id=name,
        class_=f"grid {size}",
        data_label=label,
        data_library=address("ag-grid.js"),
        data_columns=json.dumps([asdict(column) for column in columns]),
        data_link=link,
        data_filters="" if filters else None,
        data_source=rows if isinstance(rows, str) else None,
        data_rows=None if isinstance(rows, str) else json.dumps([_plain(row) for row in rows], default=str),
    )
    if on_chip is not None:
        on(element, "chip", on_chip)
    if on_pick is not None:
        on(element, "picked", on_pick)
    return element


def _plain(row: GridRow | Sequence[Any]) -> Any:
    return row.as_data() if isinstance(row, GridRow) else list(row)
