"""Open findings, which block the export of a release until they are fixed or accepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shoal.engine.release_findings import AUDIT, ReleaseFinding
from shoal.report.figures import counted
from shoal.web.run import Run
from shoal.web.session import Session

Color = Literal["none", "amber", "red", "green"]


@dataclass(frozen=True)
class Light:
    """The safety light: its color, a short text, and its meaning in a sentence."""

    color: Color
    word: str
    sentence: str


def findings_of(run: Run) -> list[ReleaseFinding]:
    """All findings about the release of a run, accepted or not."""
    found = [ReleaseFinding.of(one) for one in run.figures.get("findings", [])]
    if run.state == "done" and not run.is_preparing and "audit" not in run.pieces:
        found.append(
            ReleaseFinding(AUDIT, "Not every attack was tried: the process of the run ended early.", "Run it again.")
        )
    return found


def open_findings(run: Run) -> list[ReleaseFinding]:
    """The findings that have not been accepted with a reason."""
    return [found for found in findings_of(run) if found.key not in run.accepted]


def light_of(session: Session) -> Light:
    """Red while a finding is open; green only if the release passed everything and is up to date."""
    run = session.runs.chosen()
    if run is None:
        return Light("none", "No release", "There is no release to judge yet.")
    if unanswered := open_findings(run):
        sentence = f"{counted(len(unanswered), 'finding')} about {run.name} must be fixed or accepted with a reason."
        return Light("red", f"{counted(len(unanswered), 'open finding')}", sentence)
    if run.is_being_attacked:
        return Light("amber", "Checking", f"{run.name} is still being attacked; wait for the result.")
    if not session.is_current(run):
        return Light("amber", "Out of date", f"{run.name} was made with other settings than the current ones.")
    if run.accepted:
        sentence = f"{counted(len(run.accepted), 'finding')} about {run.name} accepted with a reason."
        return Light("amber", "Accepted risk", sentence)
    return Light("green", "Passed", f"Every privacy model of {run.name} holds, and no attack that was run succeeds.")
