"""Later rows: published with the recoding of a finished run, and checked against every privacy model."""

from __future__ import annotations

from shoal.report.figures import cut
from shoal.web.pages.drafts import begun, draft_choice
from shoal.web.pages.fields import file_field
from shoal.web.pages.tags import button, hint, tag
from shoal.web.pages.view import View
from shoal.web.run import NO_RECODING
from shoal.web.run_process import RECODING


def build(view: View) -> None:
    """Choose a run with a recoding and a file with new rows; the result is a run like any other."""
    session = view.session
    usable = {run.id: cut(run.name, 40) for run in session.runs.values() if RECODING in run.written}
    hint(
        "Rows that came after a release can be published with its recoding: the same levels of the same hierarchies. "
        "The result is a run of its own, with its findings and exports."
    )
    if not usable:
        tag("p", NO_RECODING, class_="note", id="no-recoding")
        return
    said = begun(view.session.later, run=next(reversed(usable)), file="")
    if said["run"] not in usable:
        said["run"] = next(reversed(usable))

    async def received(name: str) -> None:
        said["file"] = name
        await view.draw()

    async def publish() -> None:
        run = await session.apply(session.runs[said["run"]], said["file"])
        session.changed()
        view.say(f"{run.name} is running; the result will be shown under Export.", is_good=True)
        view.go("release/export")

    with tag("div", class_="fields"):
        draft_choice(
            "Recoding of", {key: cut(name, 40) for key, name in usable.items()}, said, "run", id="recoding-run"
        )
    file_field(view, "Later rows", "later-file", said["file"], received)
    with tag("div", class_="fields"):
        button("Publish these rows", publish, id="apply-recoding", class_="main")
