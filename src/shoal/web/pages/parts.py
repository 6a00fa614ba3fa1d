"""The parts of a place, one shown at a time; which one stands in the address."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.web.pages.tags import tag
from shoal.web.pages.view import Build, View


async def parts(view: View, known: Mapping[str, tuple[str, Build]]) -> None:
    """Links to the parts of a place, and the part that the address names, else the first.

    Args:
        view: the page.
        known: title and drawing of each part, by what the address calls it.
    """
    shown = view.part if view.part in known else next(iter(known))
    with tag("nav", class_="parts", aria_label="Parts of this page"), tag("ul"):
        for name, (title, _) in known.items():
            with tag("li"):
                current = "page" if name == shown else None
                tag("a", title, href=f"#{view.place}/{name}", id=f"part-{name}", aria_current=current)
    await view.attempt(known[shown][1], view)
