"""Release: export the release, the reports, and what makes them again."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.web.pages.shown import chosen
from shoal.web.pages.tags import button, tag
from shoal.web.pages.view import View

_CARDS: dict[str, tuple[str, Mapping[str, str]]] = {
    "The release": (
        "May leave the house. Every promise was checked before it was written.",
        {"release.csv": "CSV", "release.parquet": "Parquet", "release.xlsx": "Excel"},
    ),
    "Reports": (
        "The public one may go out with the release; the internal one holds facts about the original.",
        {"public.html": "Public report", "report.html": "Internal report (for you alone)"},
    ),
    "The same again": (
        "Put them beside the table. With a seed, and no time limit that was used up, they give the same bytes.",
        {
            "job.toml": "Job file: shoal run job.toml",
            "job.py": "Script: python job.py",
            "again.zip": "Both, with the hierarchy files they read",
        },
    ),
}


def build(view: View) -> None:
    """Links to everything that a run made, and the way to wipe it."""
    run = chosen(view)
    if run is None:
        return
    url = f"/api/sessions/{view.session.id}/runs/{run.id}/files"
    with tag("div", class_="cards"):
        for title, (hint, links) in _CARDS.items():
            with tag("section", class_="card"):
                tag("h2", title)
                tag("p", hint, class_="hint")
                with tag("ul"):
                    for name, text in links.items():
                        with tag("li"):
                            tag("a", text, href=f"{url}/{name}", download=name, id=f"take-{name}")
    tag("h2", "When you are done")
    tag("p", "Everything here is wiped when the workbench ends, and after some hours. To wipe this run now:")

    async def remove() -> None:
        view.session.forget(run.id)
        await view.draw()

    button(f"Remove {run.name} and its files", remove, id="remove")
