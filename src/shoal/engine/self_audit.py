"""The audit of every release before anybody sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from shoal.audit.findings import Audit
from shoal.audit.repeated_people import RepeatedPeople
from shoal.core.contracts import PrivacyModel
from shoal.core.progress import Progress
from shoal.engine.auditing_result import audit_result
from shoal.engine.result import Result
from shoal.engine.vocabulary import Auditing
from shoal.errors import BrokenPromise, InputError
from shoal.io.inspect.exact_dates import notes_on_exact_dates
from shoal.report.figures import listed


def audited(result: Result, how: Auditing, progress: Progress) -> Result:
    """The result with its audit, and a note if an attack succeeds.

    Raises:
        BrokenPromise: an attack succeeds that a privacy model rules out, which is our bug.
    """
    if how == "off":
        return replace(result, not_audited='The release was not audited: that was turned off (audit = "off").')
    progress.stage("auditing")
    start = perf_counter()
    try:
        found = audit_result(result, pace=how)
    except InputError as problem:
        why = f"The release was not audited: {problem}"
        return replace(result, notes=(*result.notes, why), not_audited=why)
    refuse_forbidden(found, result.goal.promises)
    seconds = {**result.seconds, "audit": perf_counter() - start}
    told = notes_on_exact_dates(result.frame, result.schema.quasi_identifiers)
    return replace(result, audited=found, notes=(*result.notes, *warnings(found), *told), seconds=seconds)


def refuse_forbidden(found: Audit, promises: Sequence[PrivacyModel]) -> None:
    """Raise BrokenPromise if an attack succeeds that a privacy model rules out."""
    for risk in found.falling:
        for promise in promises:
            if promise.forbids(risk.attack, risk.about):
                raise BrokenPromise(
                    f"The release failed its own audit ({risk.attack}, which {promise} forbids: "
                    f"{risk.says.rstrip('.')}); this is a bug in shoal, please report it. Nothing was written."
                )


def warnings(found: Audit) -> list[str]:
    """A sentence about the most serious successful attack that no privacy model rules out."""
    falling = [risk for risk in found.falling if risk.attack != RepeatedPeople.name]  # which has its own note
    if not falling:
        return []
    first = falling[0]
    more = sorted({risk.attack for risk in falling} - {first.attack})
    others = f" {listed(more)} succeed{'s' if len(more) == 1 else ''} too." if more else ""
    helps = found.remedies[first.attack]
    return [f"An attack on this release succeeds ({first.attack}): {first.says}{others} {helps}"]
