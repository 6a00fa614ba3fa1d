"""From a file to a verified file within a memory limit: rows in pieces, blocks on disk, never all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import polars as pl

from shoal import metrics
from shoal.core.contracts import Algorithm, Goal, PriceMetric, Verdict
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.engine.scale.blocks import in_blocks
from shoal.engine.scale.checking import Counted, check_file
from shoal.engine.scale.choosing import choose_for_pieces
from shoal.engine.scale.columns import Columns, learn_columns
from shoal.engine.scale.full_domain import at_levels
from shoal.engine.scale.memory import Memory, peak
from shoal.engine.scale.rows import Rows, open_rows
from shoal.engine.scale.shuffling import Shards, writer_of
from shoal.errors import BrokenPromise, InputError
from shoal.io.locking import temporary_folder
from shoal.io.together import together


@dataclass(frozen=True, eq=False)
class Published:
    """What a run within a memory limit came to; the release itself is in its file."""

    target: Path
    verdicts: tuple[Verdict, ...]
    losses: dict[str, float]
    n_rows: int
    n_records: int
    n_classes: int
    smallest_class: int
    algorithm: Algorithm
    reason: str
    goal: Goal
    schema: Schema = field(repr=False)
    levels: tuple[int, ...] | None = None
    peak_memory: int = 0
    seconds: dict[str, float] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()
    seed: int | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False)
class Made:
    """Records in shards, and what is known of them besides."""

    algorithm: Algorithm
    reason: str
    losses: dict[str, float]
    exact: frozenset[str]
    levels: tuple[int, ...] | None = None
    account: tuple[str, ...] = ()


def publish_file(
    source: Path,
    target: Path,
    schema: Schema,
    goal: Goal,
    memory: Memory,
    progress: Progress,
    *,
    algorithm: str | Mapping[str, Any] | Algorithm = "auto",
    levels: tuple[int, ...] | None = None,
    seed: int | None = None,
    record: Callable[[Published, Path], tuple[Path, str]] | None = None,
    **reading: Any,
) -> Published:
    """Publish a file within a memory limit. Two or three passes over the rows, one over the records.

    What ``record`` makes of the release and of the file that will have its name is written with it, or neither is.

    Raises:
        InputError: something given cannot be used, or needs all rows in memory.
        GoalNotMet: no release was found that keeps the promises.
        BrokenPromise: the written file failed our own check, which is our bug; nothing is left of it.
    """
    _refuse(goal, schema)
    ending, start = target.suffix.lower(), perf_counter()
    with temporary_folder(target.parent) as spill:
        progress.stage("reading")
        rows = open_rows(source, spill, **reading)
        schema.check_columns(rows.names)
        rows.refuse_oversights(schema)
        columns = learn_columns(rows.values(schema), schema, rows.names, rows.n_rows)
        memory.check()
        read = perf_counter()
        randomness = Randomness(seed)
        shards = Shards(spill, -(-rows.n_rows // memory.batch), randomness.child("publish"))
        made = _make(rows, columns, schema, goal, memory, shards, randomness, progress, algorithm, levels, spill)
        done = perf_counter()
        progress.stage("checking")
        with together(target) as files:
            path = files.path(target)
            with writer_of(path, ending) as writer:
                shards.write(writer, lambda frame: _typed(frame, columns, made.exact))
            memory.check()
            found = check_file(path, ending, columns, goal.promises)
            _refuse_lost(found, shards, rows, goal)
            published = Published(
                target=target,
                verdicts=found.verdicts,
                losses={**made.losses, "suppression": 1 - found.n_records / rows.n_rows, **_by_classes(found)},
                n_rows=rows.n_rows,
                n_records=found.n_records,
                n_classes=found.sizes.size,
                smallest_class=int(found.sizes.min()),
                algorithm=made.algorithm,
                reason=made.reason,
                goal=goal,
                schema=schema,
                levels=made.levels,
                peak_memory=peak(),
                seconds={"read": read - start, "anonymize": done - read, "write and check": perf_counter() - done},
                notes=made.account,
                seed=seed,
            )
            if record is not None:
                beside, text = record(published, path)
                files.path(beside, private=True).write_text(text, encoding="utf-8", newline="\n")
    return published


def _make(
    rows: Rows,
    columns: Columns,
    schema: Schema,
    goal: Goal,
    memory: Memory,
    shards: Shards,
    randomness: Randomness,
    progress: Progress,
    algorithm: str | Mapping[str, Any] | Algorithm,
    levels: tuple[int, ...] | None,
    spill: Path,
) -> Made:
    nobody = columns.table(next(rows.batches(1000)))
    choice = choose_for_pieces(algorithm, levels, nobody, goal)
    if choice.algorithm.works_on_counts:
        found = at_levels(rows, columns, goal, choice.algorithm, memory, shards, progress, levels)
        exact = {c.name for c, texts in zip(columns.quasi, found.labels, strict=True) if texts.dtype != pl.String}
        return Made(
            choice.algorithm, choice.reason, {goal.metric.name: found.loss}, frozenset(exact), found.levels,
            (found.account,) if found.account else (),
        )  # fmt: skip
    priced: list[PriceMetric] = [m for m in _priced(goal) if isinstance(m, PriceMetric)]
    losses, exact_columns = in_blocks(
        rows, columns, goal, choice.algorithm, memory, shards, randomness, progress, priced, spill
    )
    scores = {m.name: float(m.combine(losses[m.name], nobody)) for m in priced}
    return Made(choice.algorithm, choice.reason, scores, frozenset(exact_columns))


def _priced(goal: Goal) -> Iterator[Any]:
    yield from {m.name: m for m in (metrics.LM(), metrics.GCP(), goal.metric)}.values()


def _refuse(goal: Goal, schema: Schema) -> None:
    for promise in goal.promises:
        if not promise.survives_union:
            raise InputError(f"{promise} can only be judged with all rows in memory; leave out the memory limit.")
    if schema.missing == "drop":
        raise InputError(
            "missing = 'drop' needs all rows in memory; drop them yourself, or leave out the memory limit."
        )


def _refuse_lost(found: Counted, shards: Shards, rows: Rows, goal: Goal) -> None:
    """Nothing may be lost on the way but what is allowed to be."""
    if found.n_records != shards.n_records:
        raise BrokenPromise(f"{shards.n_records - found.n_records:,} records were lost in writing; a bug in shoal.")
    if rows.n_rows - found.n_records > goal.most_suppressed(rows.n_rows):
        raise BrokenPromise(
            f"{rows.n_rows - found.n_records:,} rows were suppressed, more than allowed; a bug in shoal."
        )


def _typed(frame: pl.DataFrame, columns: Columns, exact: frozenset[str]) -> pl.DataFrame:
    """Columns in which every cell is exact with their own type again."""
    kinds = {c.name: c.domain.values.dtype for c in columns.quasi if c.name in exact}
    return frame.with_columns(pl.col(name).cast(kind) for name, kind in kinds.items()).select(columns.order)


def _by_classes(found: Counted) -> dict[str, float]:
    return {"aecs": found.n_records / found.sizes.size, "dm": float((found.sizes.astype(float) ** 2).sum())}
