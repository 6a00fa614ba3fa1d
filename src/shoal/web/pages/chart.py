"""A chart on a page: ECharts with its data as a table, image download, zoom and keyboard navigation."""

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
    """Draw a chart with an id and a label for screen readers.

    Args:
        option: the options of ECharts, as plain data. A color may be a variable of the page's style, such as
            ``--after``. An item of a series may have a ``tip`` (lines shown on hover) and a ``key`` (passed to
            ``on_pick``).
        name: its id in the page, and the file name of the image.
        label: a description without a full stop.
        heads: the column headings of the data table.
        rows: the rows of the data table.
        zoom: whether both axes can be zoomed.
        size: its height.
        on_pick: called with the key of an item that was clicked, or selected with the arrow keys and Enter.
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


def loss_and(other: str, metric: str) -> dict[str, Any]:
    """The axes of a chart of losses, by this metric, against something else."""
    across = {"type": "value", "name": f"loss ({metric})", "nameLocation": "middle", "nameGap": 28, "scale": True}
    return {"xAxis": across, "yAxis": {"type": "value", "name": other, "min": 0}}


def _finite(value: Any) -> Any:
    """Plain data that browsers can read: non-finite numbers become None."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
