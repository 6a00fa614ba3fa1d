"""A field for a file other than the table: one to check, to attack, or with later rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from shoal.report.figures import cut
from shoal.web.pages.tags import on, tag
from shoal.web.pages.view import View

KINDS = ".csv,.tsv,.txt,.parquet,.arrow,.feather,.xlsx"


def file_field(view: View, label: str, name: str, known: str, received: Callable[[str], Awaitable[None]]) -> None:
    """Choose or drop a file; ``known`` is the one that was uploaded already."""
    url = f"/api/sessions/{view.session.id}/others"
    with tag("div", id=f"{name}-zone", class_="field drop-small", data_upload=url) as zone:
        tag("label", label, for_=name)
        tag("input", type="file", id=name, accept=KINDS)
        tag("p", f"Here: {cut(known, 40)}" if known else "No file yet.", class_="hint", id=f"{name}-here")
    on(zone, "received", lambda given: view.attempt(received, str(given)))
    on(zone, "refused", lambda sentence: view.say(str(sentence)))
