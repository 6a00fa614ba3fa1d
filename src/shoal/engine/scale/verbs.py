"""Publish a file within a memory limit, in the words of ``anonymize``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shoal.core.contracts import Algorithm, Goal, Metric, PrivacyModel
from shoal.core.domain import Kind
from shoal.core.progress import Progress, Silent
from shoal.engine.choice import check_promises, choose_metric
from shoal.engine.provenance import options_of, versions
from shoal.engine.scale.disk import Published, publish_file
from shoal.engine.scale.memory import Memory
from shoal.engine.schemas import schema_of
from shoal.engine.targets import Targets, record_path
from shoal.errors import InputError
from shoal.io.read import file_hash


def anonymize_file(
    source: str | Path,
    target: str | Path,
    *,
    memory: str | int,
    quasi_identifiers: Sequence[str],
    privacy: PrivacyModel | Sequence[PrivacyModel],
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    others: Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    recodings: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    algorithm: str | Mapping[str, Any] | Algorithm = "auto",
    levels: Sequence[int] | None = None,
    suppression_limit: float | str = 0.0,
    metric: str | Metric = "lm",
    seed: int | None = None,
    progress: Progress | None = None,
    folder: str | Path = ".",
    **more: Any,
) -> Published:
    """Publish a file that need not fit into memory, as a file; the words are those of ``anonymize``.

    Full-domain levels (``algorithm="lattice"`` or ``levels``) are looked for on the distinct rows with their counts.
    Any other algorithm is run on blocks of similar rows, which lie on disk beside the target and are gone at the end.
    The written file is read again and judged before it takes its name; the private run record lies beside it.

    The ``source`` is .parquet, .csv, .tsv or .txt, the ``target`` .parquet, .csv or .tsv, and ``memory`` the
    most memory to use, as in ``"4GiB"``. Words of ``anonymize`` that want all rows at once are refused.

    Raises:
        InputError: something given cannot be used, or needs all rows in memory.
        GoalNotMet: no release was found that keeps the promises.
        BrokenPromise: the written file failed our own check, which is our bug; nothing is left of it.
    """
    schema = schema_of(
        quasi_identifiers,
        sensitive=sensitive,
        identifiers=identifiers,
        others=others,
        hierarchies=hierarchies,
        kinds=kinds,
        orders=orders,
        recodings=recodings,
        weights=weights,
        missing=more.pop("missing", "own"),
        folder=folder,
    )
    goal = Goal(check_promises(privacy), choose_metric(metric), suppression_limit)
    return publish_file(
        Path(source),
        Path(target),
        schema,
        goal,
        Memory.of(memory),
        progress or Silent(),
        algorithm=algorithm,
        levels=None if levels is None else tuple(levels),
        seed=seed,
        record=lambda made, path: (record_path(Path(target)), _record(made, Path(source), path)),
        **_reading(more),
    )


def check_for_memory(source: Any, targets: Targets) -> tuple[Path, Path]:
    """The two files of a run with a memory limit.

    Raises:
        InputError: one is not a file, or something is to be written that wants all rows at once.
    """
    if not isinstance(source, Path) or not isinstance(targets.output, Path):
        raise InputError("With a memory limit both the table and the release are files; give two paths.")
    if targets.report or targets.public_report or targets.explore or targets.save_recoding:
        raise InputError("With a memory limit only the release and its run record are written; leave the others out.")
    return source, targets.output


def _reading(more: Mapping[str, Any]) -> dict[str, Any]:
    """How to read the file; everything else that was said is refused."""
    known = ("delimiter", "encoding", "quote", "missing_values")
    for word, value in more.items():
        if word not in known and value not in (None, (), [], {}, False, "quick", "off", "given"):
            raise InputError(f"With a memory limit {word!r} cannot be used, since it wants all rows at once.")
    return {word: more[word] for word in known if more.get(word) is not None}


def _record(made: Published, source: Path, path: Path) -> str:
    """The private run record: what ``anonymize`` puts into its own, as far as it is known here.

    The release has not its name yet and is at ``path``.
    """
    said = {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "input": {"path": str(source), "sha256": file_hash(source)},
        "output": {"path": str(made.target), "sha256": file_hash(path)},
        "seed": made.seed,
        "roles": {
            role: list(getattr(made.schema, role))
            for role in ("identifiers", "quasi_identifiers", "sensitive", "others")
        },
        "hierarchies": sorted(made.schema.hierarchies),
        "privacy": [str(promise) for promise in made.goal.promises],
        "achieved": {verdict.promise: verdict.achieved for verdict in made.verdicts},
        "algorithm": {"name": made.algorithm.name, **options_of(made.algorithm)},
        "levels": made.levels,
        "suppression_limit": made.goal.suppression_limit,
        "metric": made.goal.metric.name,
        "losses": made.losses,
        "rows": made.n_rows,
        "records": made.n_records,
        "peak_memory": made.peak_memory,
        "seconds": {phase: round(spent, 4) for phase, spent in made.seconds.items()},
    }
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"
