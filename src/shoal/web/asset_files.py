"""The files that pages load: our own, and the grid and chart libraries in NiceGUI's wheel.

Each URL contains the hash of its file, so that a browser can cache it forever and never mixes two versions.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_GRID, _CHARTS = "elements/aggrid/dist", "elements/echart/dist"


@cache
def _places() -> dict[str, Traversable]:
    """Every file that may be requested, by its name in the URL."""
    ours, wheel = files("shoal.web.assets"), files("nicegui")
    own = {one.name: one for one in ours.iterdir() if one.name.endswith((".js", ".css"))}
    charts = {one.name: one for one in wheel.joinpath(_CHARTS).iterdir() if one.name.startswith("index-")}
    return {
        **charts,
        "echarts.js": wheel.joinpath(_CHARTS, "index.js"),
        "ag-grid.js": wheel.joinpath(_GRID, "index.js"),
        "page.css": files("shoal.report").joinpath("page.css"),
        **own,
    }


def asset(name: str) -> bytes | None:
    """The content of a file that pages load; None if there is no such file."""
    place = _places().get(name)
    return None if place is None else place.read_bytes()


@cache
def address(name: str) -> str:
    """The URL of a file, with the hash of its content."""
    content = asset(name)
    if content is None:
        raise KeyError(name)
    return f"/assets/{name}?v={hashlib.sha256(content).hexdigest()[:16]}"
