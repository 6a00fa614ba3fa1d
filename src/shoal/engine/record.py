"""The private record of a run: enough to repeat it, so nothing to hand out."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shoal.engine.provenance import options_of, versions
from shoal.engine.verified_release import VerifiedRelease
from shoal.io.databases import Address
from shoal.io.places import Place
from shoal.io.read import file_hash


def record(result: VerifiedRelease, written: Place, path: Path | None = None) -> str:
    """The run record as JSON: versions, parameters, the seed if one was given, hashes of input and output.

    A file that has not its name yet is at ``path``.
    """
    source, address = result.source.path, result.source.address
    said: dict[str, Any] = {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "input": _place(source or address or result.source.url),
        "output": _place(written, path),
        "seed": result.seed,
        "roles": {
            role: list(getattr(result.schema, role))
            for role in ("identifiers", "quasi_identifiers", "sensitive", "others")
        },
        "missing": result.schema.missing,
        "recodings": {column.name: column.recoding.name for column in result.release.table.quasi},
        "hierarchies": sorted(result.schema.hierarchies),
        "privacy": [str(promise) for promise in result.goal.promises],
        "achieved": {verdict.promise: verdict.achieved for verdict in result.verdicts},
        "algorithm": {"name": result.choice.algorithm.name, **options_of(result.choice.algorithm)},
        "suppression_limit": result.goal.suppression_limit,
        "metric": result.goal.metric.name,
        "losses": result.losses(),
        "audit": _audit(result),
        "claims": [dataclasses.asdict(claim) for claim in result.claims],
        "floor": None if result.floor is None else dataclasses.asdict(result.floor),
        "rows": result.release.table.n_rows,
        "records": result.release.n_records,
        "seconds": {phase: round(spent, 4) for phase, spent in result.seconds.items()},
    }
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


def _audit(result: VerifiedRelease) -> dict[str, Any] | None:
    """How the release was attacked, and what came of it."""
    found = result.audited
    if found is None:
        return {"failed": result.not_audited} if result.not_audited in result.notes else None
    return {"form": found.pace, "outcomes": {f"{r.attack} {r.about}".strip(): r.outcome for r in found.risks}}


def _place(place: Place | None, path: Path | None = None) -> dict[str, str] | None:
    """A file with its hash, an object, or a table in a database without whoever read or wrote it."""
    if isinstance(place, Path):
        return {"path": str(place), "sha256": file_hash(path or place)}
    if isinstance(place, Address):
        return {"database": place.shown}
    return None if place is None else {"path": str(place)}
