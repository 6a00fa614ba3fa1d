"""Findings that the user accepts with a reason: kept with the run, and in its private record."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial

from shoal.errors import InputError
from shoal.web.findings import findings_of, open_findings
from shoal.web.run import Run
from shoal.web.run_process import RECORD
from shoal.web.session import Session

DOSSIER = "dossier.zip"
"""The dossier in all its formats, generated on request."""

_SHORTEST = 10


def answer(session: Session, run: Run, key: str, reason: str) -> None:
    """Accept a finding, or withdraw that, as an action that can be undone.

    Raises:
        InputError: as for ``accept``.
    """
    session.do(partial(accept, run, key, reason), partial(accept, run, key, run.accepted.get(key, "")))


def accept(run: Run, key: str, reason: str) -> None:
    """Accept a finding, or withdraw the acceptance if the reason is empty; the run record is updated.

    Raises:
        InputError: there is no such finding, or the reason is not acceptable.
    """
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
    """Refuse to release while a finding is neither fixed nor accepted.

    Raises:
        InputError: names the first open finding.
    """
    unanswered = open_findings(run)
    if unanswered:
        raise InputError(
            f"The release is locked: {unanswered[0].sentence} Fix it, or accept it with a reason"
            + (f"; {len(unanswered) - 1} more findings are open." if len(unanswered) > 1 else ".")
        )
