"""The clipboard: candidate solutions to come back to, with their information loss and risk."""

from __future__ import annotations

from functools import partial

from shoal.report.figures import figure, percent
from shoal.report.solutions import Solution, Solutions, spelled
from shoal.web.pages.publishing import publish
from shoal.web.pages.tags import button, tag
from shoal.web.pages.view import View
from shoal.web.run import Run
from shoal.web.run_list import Candidate


async def pin(view: View, run: Run, node: Solution, space: Solutions) -> None:
    """Put a lattice node on the clipboard."""
    session = view.session
    kept = Candidate(run.id, node.levels, space.metric, node.loss, node.risk, node.n_suppressed)
    session.runs.pin(f"{run.id}:{spelled(node.levels)}", kept)
    await view.draw()


def draw_pinned(view: View) -> None:
    """Draw everything on the clipboard, lowest loss first, each with buttons to publish or drop it."""
    session = view.session
    if not session.runs.pinned:
        return
    with tag("section", class_="card", id="pinned"):
        tag("h2", "Pinned candidates")
        with tag("ul", class_="plain"):
            for key, kept in sorted(session.runs.pinned.items(), key=lambda item: item[1].loss):
                run = session.runs.get(kept.run)
                name = run.name if run else "a run that was removed"
                with tag("li"):
                    tag(
                        "p",
                        f"{spelled(kept.levels)} of {name}: loss ({kept.metric}) {figure(kept.loss)}, highest risk "
                        f"{percent(kept.risk)}, {kept.n_suppressed:,} suppressed",
                    )
                    if run is not None:
                        label = f"Publish {spelled(kept.levels)}"
                        button("Publish", partial(_publish, view, run, kept), id=f"publish-{key}", aria_label=label)
                    label = f"Unpin {spelled(kept.levels)}"
                    button("Unpin", partial(_drop, view, key), id=f"unpin-{key}", aria_label=label)


async def _publish(view: View, run: Run, kept: Candidate) -> None:
    await publish(view, run, kept.levels)


async def _drop(view: View, key: str) -> None:
    view.session.runs.pin(key, None)
    await view.draw()
