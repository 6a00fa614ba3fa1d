"""The parts of a section, one shown at a time; the URL says which one."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.web.pages.tags import tag
from shoal.web.pages.view import Build, View


async def parts(view: View, known: Mapping[str, tuple[str, Build]]) -> None:
    """Draw links to the parts of a section, and the part named in the URL, or else the first.

    Args:
        view: the page.
        known: title and drawing function of each part, by its name in the URL.
    """
    shown = view.part if view.part in known else next(iter(known))
    with tag("nav", class_="parts", aria_label="Parts of this page"), tag("ul"):
        for name, (title, _) in known.items():
            with tag("li"):
                current = "page" if name == shown else None
                tag("a", title, href=f"#{view.place}/{name}", id=f"part-{name}", aria_current=current)
    await view.attempt(known[shown][1], view)
