"""Utility: what the release still tells."""

from __future__ import annotations

from shoal.web.pages.shown import chosen, pieces
from shoal.web.pages.view import View


def build(view: View) -> None:
    """Losses, columns and pairs of columns before and after, rows beside their records."""
    run = chosen(view)
    if run is not None:
        pieces(view, run, "utility")
