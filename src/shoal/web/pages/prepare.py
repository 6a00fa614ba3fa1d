"""Prepare: open a table, say what its columns are, and how their values are made coarser."""

from __future__ import annotations

from shoal.web.pages import data, hierarchies
from shoal.web.pages.parts import parts
from shoal.web.pages.view import View


async def build(view: View) -> None:
    """The table and its columns; the hierarchies."""
    await parts(view, {"table": ("Table", data.build), "hierarchies": ("Hierarchies", hierarchies.build)})
