"""Which patterns a set of rules allows on a table, before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal import algorithms
from shoal.algorithms.patterns.allowance import Allowance, allowance
from shoal.algorithms.patterns.base import PatternAlgorithm
from shoal.core.contracts import Algorithm
from shoal.core.domain import Kind
from shoal.core.plugins import build
from shoal.engine.job import read_job
from shoal.engine.schemas import schema_of
from shoal.engine.source import load
from shoal.errors import InputError
from shoal.io.encode import encode


def list_patterns(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str],
    algorithm: str | Mapping[str, Any] | Algorithm = "patterns",
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    recodings: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    folder: str | Path = ".",
    **reading: Any,
) -> Allowance:
    """Count and list what the rules of a pattern algorithm allow on a table; the words are those of ``anonymize``.

    Raises:
        InputError: the algorithm has no patterns, or its rules do not fit the columns.
    """
    made = algorithm if isinstance(algorithm, Algorithm) else build("algorithm", algorithm, algorithms.ALL)
    if not isinstance(made, PatternAlgorithm):
        known = [name for name, one in algorithms.ALL.items() if issubclass(one, PatternAlgorithm)]
        raise InputError(f"The algorithm {made.name!r} has no patterns; take one of {', '.join(known)}.")
    frame = load(data, **reading).frame
    schema = schema_of(
        quasi_identifiers,
        others=[name for name in frame.columns if name not in quasi_identifiers],
        hierarchies=hierarchies,
        kinds=kinds,
        orders=orders,
        recodings=recodings,
        weights=weights,
        folder=folder,
    )
    return allowance(made.rules, encode(frame, schema).table.quasi)


def list_job_patterns(path: Path) -> Allowance:
    """The same for what a job file says."""
    job, folder = read_job(path), path.resolve().parent
    words = job.model_dump(
        include={"quasi_identifiers", "algorithm", "hierarchies", "kinds", "orders", "recodings", "weights"}
    )
    reading = job.reading.model_dump(exclude_defaults=True)
    return list_patterns(folder / job.input, folder=folder, **words, **reading)
