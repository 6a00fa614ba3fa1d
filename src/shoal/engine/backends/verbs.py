"""Publish a file within a memory limit, in the words of ``anonymize``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shoal.core.progress import Progress, Silent
from shoal.engine.backends.disk import Published, publish_file
from shoal.engine.backends.memory_limit import Memory
from shoal.engine.plan import Request
from shoal.engine.record import run_record
from shoal.engine.targets import Targets, record_path
from shoal.engine.vocabulary import AnonymizeWords
from shoal.errors import InputError

AT_ONCE = (
    "auto", "person", "linked", "population", "refine", "budget", "certify", "certify_budget", "query", "sheet",
    "cells", "draws",
)  # fmt: skip
"""Words that want all rows at once."""


def anonymize_file(
    source: str | Path,
    target: str | Path,
    *,
    memory: str | int,
    progress: Progress | None = None,
    folder: str | Path = ".",
    **words: Any,
) -> Published:
    """Publish a file that need not fit into memory, as a file.

    Full-domain levels (``algorithm="lattice"`` or ``levels``) are looked for on the distinct rows with their counts.
    Any other algorithm is run on blocks of similar rows, which lie on disk beside the target and are gone at the end.
    The written file is read again and judged before it takes its name; the private run record lies beside it.

    Args:
        source: a .parquet, .csv, .tsv or .txt file.
        target: the .parquet, .csv or .tsv file to write.
        memory: the most memory to use, as in ``"4GiB"``.
        progress: told what is going on.
        folder: where relative paths of hierarchies start.
        words: those of ``anonymize``; the ones that want all rows at once are refused.

    Raises:
        InputError: something given cannot be used, or needs all rows in memory.
        GoalNotMet: no release was found that keeps the promises.
        BrokenPromise: the written file failed our own check, which is our bug; nothing is left of it.
    """
    said, path = AnonymizeWords.said(words), Path(target)
    refuse_said(said, AT_ONCE, "With a memory limit {word!r} cannot be used, since it wants all rows at once.")
    return publish_file(
        Path(source),
        path,
        Request.of(said, Path(folder)),
        Memory.of(memory),
        progress or Silent(),
        record=lambda made, written: (record_path(path), _record(made, Path(source), written)),
    )


def refuse_said(said: AnonymizeWords, words: Sequence[str], sentence: str) -> None:
    """Raise InputError where one of these words was said, or an audit that wants the records."""
    for word in words:
        if getattr(said, word) != AnonymizeWords.model_fields[word].default:
            raise InputError(sentence.format(word=word))
    if said.audit not in ("quick", "off"):
        raise InputError(sentence.format(word="audit"))


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


def _record(made: Published, source: Path, path: Path) -> str:
    """The private run record; the release has not its name yet and is at ``path``."""
    return run_record(
        made, source, made.target, path, seed=made.seed, levels=made.levels, losses=made.losses, rows=made.n_rows,
        records=made.n_records, peak_memory=made.peak_memory,
    )  # fmt: skip
