"""Risk: what the release gives away."""

from __future__ import annotations

from shoal.web.pages.shown import chosen, pieces
from shoal.web.pages.view import View


def build(view: View) -> None:
    """Promises, class sizes, the worst classes; then what an adversary gets."""
    run = chosen(view)
    if run is not None:
        pieces(view, run, "risk", "audit")
