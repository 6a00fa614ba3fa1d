"""A chart on a page: ECharts with its data as a table, a picture to keep, zoom, and a way through it by keyboard."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from nicegui.element import Element

from shoal.web.asset_files import address
from shoal.web.pages.tags import Handler, on, tag


def chart(
    option: Mapping[str, Any],
    *,
    name: str,
    label: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[Any]],
    zoom: bool = False,
    size: Literal["gauge", "short", "middle", "tall"] = "middle",
    on_pick: Handler | None = None,
) -> Element:
    """A chart with an id and a name for screen readers.

    Args:
        option: as ECharts takes it, in plain data. A colour may be a variable of the page's style, such as
            ``--after``. An item of a series may have a ``tip`` (its lines are shown when one rests on it) and a
            ``key`` (told when it is picked).
        name: its id in the page; the name of the picture to keep.
        label: what it shows, in a sentence without a full stop.
        heads: the heads of its data as a table.
        rows: its data as a table.
        zoom: whether both axes can be zoomed.
        size: how tall it is.
        on_pick: told the key of an item that was clicked, or chosen by the arrow keys and the enter key.
    """
    element = tag(
        "data-chart",
        id=name,
        class_=f"chart {size}",
        data_label=label,
        data_library=address("echarts.js"),
        data_option=json.dumps(_finite(option)),
        data_table=json.dumps({"heads": list(heads), "rows": _finite(rows)}, default=str),
        data_zoom="" if zoom else None,
    )
    return element if on_pick is None else on(element, "picked", on_pick)


def _finite(value: Any) -> Any:
    """Plain data that browsers read: numbers that are not finite are left out."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
