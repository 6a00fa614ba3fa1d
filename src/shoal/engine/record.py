"""The private record of a run: enough to repeat it, so it must not be published."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from shoal.core.contracts import Goal
from shoal.core.parallel_work import meanwhile
from shoal.core.schema import Schema
from shoal.engine.datapackage import Packaged
from shoal.engine.file_formats import RUN
from shoal.engine.verified_release import VerifiedRelease, options_of, versions
from shoal.errors import InputError
from shoal.io.location import Location
from shoal.io.place import place_at
from shoal.report.published import PolicyFollowed


class Ran(Packaged, Protocol):
    """What the record needs to know about a run on any backend."""

    @property
    def schema(self) -> Schema:
        """The columns."""

    @property
    def goal(self) -> Goal:
        """The goal."""

    @property
    def policy(self) -> PolicyFollowed | None:
        """The policy that was followed, if one was named."""

    @property
    def seconds(self) -> dict[str, float]:
        """How long each phase took."""


def record(result: VerifiedRelease, written: Location, path: Path | None = None, package: Path | None = None) -> str:
    """The run record of a release that was made in memory.

    ``path`` is where the file is before it gets its final name; the data package will be at ``package``.
    """
    return run_record(
        result,
        result.source.place,
        written,
        path,
        seed=result.seed,
        cells=result.formed,
        preparation=result.preparation.recorded(),
        beside=names_beside(written, result.tables, package),
        recodings={column.name: column.recoding.name for column in result.release.table.quasi},
        losses=result.losses(),
        audit=_audit(result),
        claims=[dataclasses.asdict(claim) for claim in result.claims],
        floor=None if result.floor is None else dataclasses.asdict(result.floor),
        rows=result.release.table.n_rows,
        records=result.release.n_records,
    )


def names_beside(written: Location, tables: Iterable[str], package: Path | None) -> list[str]:
    """The files of the same run beside a release: further tables, and the data package if it is in the same folder."""
    own = place_at(written).package_path
    named = [Path(place_at(written).beside(name)).name for name in tables if name]
    is_beside = package is not None and own is not None and package.resolve().parent == own.resolve().parent
    return [*named, *([package.name] if package is not None and is_beside else [])]


def run_record(ran: Ran, source: Location | None, written: Location, path: Path | None = None, **more: Any) -> str:
    """A run record as JSON: versions, parameters, hashes of input and output; ``more`` are facts of some runs only."""
    with meanwhile(lambda: None if source is None else place_at(source).recorded()) as read:
        output = place_at(written).recorded(path)
    said: dict[str, Any] = {
        "format": RUN.mark,
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "input": read.result(),
        "output": output,
        "roles": {
            role: list(getattr(ran.schema, role))
            for role in ("identifiers", "quasi_identifiers", "sensitive", "others", "masked")
        },
        "person": ran.schema.person,
        "sample_weight": ran.schema.sample_weight,
        "adjust_weights": ran.schema.adjust_weights,
        "missing": ran.schema.missing,
        "hierarchies": sorted(ran.schema.hierarchies),
        "policy": None if ran.policy is None else dataclasses.asdict(ran.policy),
        "privacy": [str(promise) for promise in ran.goal.promises],
        "achieved": {verdict.promise: verdict.achieved for verdict in ran.verdicts},
        "algorithm": {"name": ran.algorithm.name, **options_of(ran.algorithm)},
        "suppression_limit": ran.goal.suppression_limit,
        "metric": ran.goal.metric.name,
        **more,
        "seconds": {phase: round(spent, 4) for phase, spent in ran.seconds.items()},
    }
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


def read_record(path: str | Path) -> dict[str, Any]:
    """Read the private record of a run, in the terms of this version, whichever version wrote it.

    Raises:
        InputError: it is missing, cannot be read, or is not a run record.

    Example:
        >>> import shoal
        >>> from shoal.io.example import people
        >>> table = people(60).select("sex", "job", "diagnosis")
        >>> words = {"quasi_identifiers": ["sex", "job"], "sensitive": ["diagnosis"]}
        >>> release = shoal.anonymize(table, privacy=shoal.KAnonymity(5), quick=True, **words)
        >>> release.write("release.csv")
        >>> shoal.read_record("release.run.json")["algorithm"]
        {'name': 'mondrian', 'relaxed': True}
    """
    where = repr(str(path))
    try:
        said = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as problem:
        raise InputError(f"The run record {where} cannot be read: {problem}.") from None
    if not isinstance(said, dict) or not {"versions", "privacy"} <= said.keys():
        raise InputError(f"{where} is not a run record; give the .run.json beside a release.")
    return RUN.read(said, where)


def _audit(result: VerifiedRelease) -> dict[str, Any] | None:
    """How the release was attacked, and the outcomes."""
    found = result.audited
    if found is None:
        return {"failed": result.not_audited} if result.not_audited in result.notes else None
    return {"form": found.pace, "outcomes": {f"{r.attack} {r.about}".strip(): r.outcome for r in found.risks}}
