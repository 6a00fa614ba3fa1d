"""Open findings block the export of a release until they are fixed, or accepted with a reason that is recorded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Literal

from shoal.engine.release_findings import AUDIT, ReleaseFinding
from shoal.errors import InputError
from shoal.report.figures import counted
from shoal.web.run import Run
from shoal.web.run_process import RECORD
from shoal.web.session import Session

Color = Literal["none", "amber", "red", "green"]

DOSSIER = "dossier.zip"
"""The dossier in all its formats, generated on request."""

_SHORTEST = 10


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


def answer(session: Session, run: Run, key: str, reason: str) -> None:
    """Accept a finding, or withdraw that, as an action that can be undone."""
    session.do(partial(accept, run, key, reason), partial(accept, run, key, run.accepted.get(key, "")))


def accept(run: Run, key: str, reason: str) -> None:
    """Accept a finding, or withdraw the acceptance if the reason is empty; the run record is updated."""
    known = {finding.key: finding for finding in findings_of(run)}
    if key not in known:
        raise InputError("There is no such finding about this release.")
    reason = " ".join(reason.split())
    if not reason:
        run.accepted.pop(key, None)
    elif len(reason) < _SHORTEST:
        raise InputError(f"Give a reason of at least {_SHORTEST} characters; it goes into the run record.")
    else:
        run.accepted[key] = reason
    run.written.pop(DOSSIER, None)  # it lists accepted findings, so it must be regenerated
    _put_down(run)


def _put_down(run: Run) -> None:
    """Write to the record what was accepted, why and when."""
    path = run.folder.fetch(RECORD, run.written.get(RECORD, ""))
    record = json.loads(path.read_text("utf-8"))
    before = {one["finding"]: one for one in record.get("accepted", [])}
    told = {finding.key: finding.sentence for finding in findings_of(run)}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    record["accepted"] = [
        before[key]
        if key in before and before[key]["reason"] == reason
        else {"finding": key, "sentence": told[key], "reason": reason, "when": now}
        for key, reason in run.accepted.items()
    ]
    run.written[RECORD] = run.folder.put(RECORD, json.dumps(record, indent=2, ensure_ascii=False) + "\n")


def check_may_leave(run: Run) -> None:
    """Refuse to release while a finding is neither fixed nor accepted."""
    unanswered = open_findings(run)
    if unanswered:
        raise InputError(
            f"The release is locked: {unanswered[0].sentence} Fix it, or accept it with a reason"
            + (f"; {len(unanswered) - 1} more findings are open." if len(unanswered) > 1 else ".")
        )
