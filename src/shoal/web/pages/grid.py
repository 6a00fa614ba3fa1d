"""A data grid on a page: sorting and filtering, thousands of rows by virtual scrolling, choices in the header."""

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
        label: the label for screen readers.
        options: values and their texts.
        value: the current choice.
    """

    key: str
    label: str
    options: Mapping[str, str]
    value: str


@dataclass(frozen=True)
class GridColumn:
    """A column of a grid: its name in requests and events, its title, and the chips in its header."""

    name: str
    title: str
    kind: Literal["text", "number"] = "text"
    chips: tuple[Chip, ...] = ()
    width: int | None = None


def grid(
    columns: Sequence[GridColumn],
    rows: Sequence[Sequence[Any]] | str,
    *,
    name: str,
    label: str,
    size: Literal["short", "middle", "tall"] = "middle",
    link: str | None = None,
    filters: bool = True,
    on_chip: Handler | None = None,
) -> Element:
    """Draw a grid with an id and a label for screen readers.

    Args:
        columns: in the order of the cells.
        rows: all rows; or, for long tables, a URL that answers ``?start=&n=&sort=&descending=&filters=`` with
            ``{"rows": […], "n": total number of rows}``.
        name: its id in the page.
        label: the label for screen readers.
        size: its height.
        link: grids with the same link scroll, sort and filter together; their column names must differ.
        filters: whether each column has a filter field.
        on_chip: called with ``{"column", "chip", "value"}`` when something was chosen in a header.
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
        data_rows=None if isinstance(rows, str) else json.dumps(rows, default=str),
    )
    return element if on_chip is None else on(element, "chip", on_chip)
