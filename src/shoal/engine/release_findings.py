"""Findings that must be resolved before a release is published: fixed, or accepted with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from shoal.audit import ALL
from shoal.audit.findings import Audit
from shoal.engine.verified_release import VerifiedRelease
from shoal.io.inspect.exact_dates import share_of_exact_dates
from shoal.report.figures import percent

AUDIT, DATES = "audit", "dates"
"""Kinds of findings besides attacks: no audit, exact dates."""


@dataclass(frozen=True)
class ReleaseFinding:
    """A successful attack, or something that an adversary can read without one.

    Args:
        key: identifies the finding across runs: ``homogeneity:diagnosis``, ``dates:admitted``.
        sentence: what was found.
        remedy: how to resolve it.
        promises: privacy models that prevent it, as in a job file, the weakest first.
        columns: the columns concerned.
    """

    key: str
    sentence: str
    remedy: str = ""
    promises: tuple[tuple[str, str], ...] = ()
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> ReleaseFinding:
        """Restore a finding from plain data."""
        promises = tuple((str(key), str(value)) for key, value in plain["promises"])
        return cls(plain["key"], plain["sentence"], plain["remedy"], promises, tuple(plain["columns"]))


def findings(result: VerifiedRelease, audit: Audit | None = None) -> list[dict[str, Any]]:
    """Every finding about a release, as plain data, from the later audit if there is one.

    Args:
        result: the release.
        audit: an audit after that of the run.
    """
    found = audit or result.audited
    if found is None:
        said = result.not_audited or "The release was not audited."
        attacks = [ReleaseFinding(AUDIT, said, "Turn the audit on (Algorithm, under Protect), and run again.")]
    else:
        attacks = [
            ReleaseFinding(
                f"{risk.attack}:{risk.about}",
                f"{risk.attack.capitalize()}: {risk.says}",
                found.remedies.get(risk.attack, ""),
                ALL[risk.attack].stopped_by if risk.attack in ALL else (),
                risk.columns,
            )
            for risk in found.falling
        ]
    return [asdict(one) for one in [*attacks, *date_findings(result.frame)]]


def date_findings(frame: pl.DataFrame) -> list[ReleaseFinding]:
    """Columns that print exact dates, whatever their role. O(records)."""
    shares = {name: share_of_exact_dates(frame[name]) for name in frame.columns}
    return [
        ReleaseFinding(
            f"{DATES}:{name}",
            f"{percent(share)} of the cells of {name!r} print exact dates: anyone who knows a person's date "
            "can find the record.",
            "Publish only the year (bands), or remove the column.",
            columns=(name,),
        )
        for name, share in shares.items()
        if share
    ]
