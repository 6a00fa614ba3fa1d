"""From a file to a verified file within a memory limit: rows in pieces, blocks on disk, never all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

from shoal import metrics
from shoal.core.contracts import Algorithm, Goal, GroupModel, PriceMetric, Verdict
from shoal.core.counted import CountedTable
from shoal.core.domain import Domain
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.backends.algorithm_for_pieces import choose_for_pieces, levels_in_order
from shoal.engine.backends.blocks import in_blocks
from shoal.engine.backends.columns import Columns, learn_columns
from shoal.engine.backends.full_domain import at_levels, count_rows, counted_table
from shoal.engine.backends.memory_limit import Memory, peak
from shoal.engine.backends.shuffling import Shards
from shoal.engine.backends.written_file import Counted, check_file
from shoal.engine.plan import Request
from shoal.errors import BrokenPromise, InputError
from shoal.io.appending import check_ending, writer_of
from shoal.io.inspect.unspoken import MOST_LOOKED_AT, unnamed
from shoal.io.locking import temporary_folder
from shoal.io.table_file import TableFile, open_table_file
from shoal.io.transaction import recover, together

_MOST_OUTLINED = 1_000_000


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
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    pools_are_classes: bool = True


def publish_file(
    source: Path,
    target: Path,
    request: Request,
    memory: Memory,
    progress: Progress,
    *,
    record: Callable[[Published, Path], tuple[Path, str]] | None = None,
) -> Published:
    """Publish a file within a memory limit. Two or three passes over the rows, one over the records.

    What ``record`` makes of the release and of the file that will have its name is written with it, or neither is.

    Raises:
        InputError: something given cannot be used, or needs all rows in memory.
        GoalNotMet: no release was found that keeps the promises.
        BrokenPromise: the written file failed our own check, which is our bug; nothing is left of it.
    """
    _refuse(request.goal, request.schema)
    ending, start = target.suffix.lower(), perf_counter()
    check_ending(ending)
    recover(target.parent)
    with temporary_folder(target.parent) as spill:
        progress.stage("reading")
        rows = open_table_file(source, spill, empty_nested=True, **_reading(request))
        request = _looked_at(request, rows)
        schema, goal, seed = request.schema, request.goal, request.words.seed
        columns = _learned(rows, schema)
        memory.check()
        read = perf_counter()
        randomness = Randomness(seed)
        shards = Shards(spill, -(-rows.n_rows // memory.batch), randomness.child("publish"))
        made = _make(rows, columns, schema, goal, memory, shards, randomness, progress, request, spill)
        done = perf_counter()
        progress.stage("checking")
        with together(target) as files:
            path = files.path(target)
            with writer_of(path, ending) as writer:
                shards.write(writer, lambda frame: _typed(frame, columns, made.exact))
            memory.check()
            found = check_file(path, ending, columns, _visible(goal, made))
            _refuse_lost(found, shards, rows, goal)
            verdicts = {**made.verdicts, **{verdict.promise: verdict for verdict in found.verdicts}}
            published = Published(
                target=target,
                verdicts=tuple(verdicts[str(promise)] for promise in goal.promises if str(promise) in verdicts),
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
                notes=(*rows.notes, *request.notes, *made.account),
                seed=seed,
            )
            if record is not None:
                beside, text = record(published, path)
                files.path(beside, private=True).write_text(text, encoding="utf-8", newline="\n")
    return published


def _make(
    rows: TableFile,
    columns: Columns,
    schema: Schema,
    goal: Goal,
    memory: Memory,
    shards: Shards,
    randomness: Randomness,
    progress: Progress,
    request: Request,
    spill: Path,
) -> Made:
    levels = levels_in_order(request)
    known = _outline(rows, columns, memory)
    for promise in goal.promises:
        promise.refuse(known)
    everybody = _spread(known)
    choice = choose_for_pieces(request.words.algorithm, levels, everybody, goal)
    choice.algorithm.refuse(everybody, goal)
    if choice.algorithm.works_on_counts:
        found = at_levels(rows, columns, goal, choice.algorithm, memory, shards, progress, levels)
        exact = {c.name for c, texts in zip(columns.quasi, found.labels, strict=True) if texts.dtype != pl.String}
        return Made(
            choice.algorithm, choice.reason, {goal.metric.name: found.loss}, frozenset(exact), found.levels,
            (found.account,) if found.account else (),
        )  # fmt: skip
    priced: list[PriceMetric] = [m for m in _priced(goal) if isinstance(m, PriceMetric)]
    done = in_blocks(rows, columns, goal, choice.algorithm, memory, shards, randomness, progress, priced, spill)
    return Made(
        choice.algorithm,
        choice.reason,
        {metric.name: float(metric.combine(done.losses[metric.name], known)) for metric in priced},
        frozenset(done.exact),
        verdicts=done.verdicts,
        pools_are_classes=done.pools_are_classes,
    )


def _reading(request: Request) -> dict[str, Any]:
    return {word: value for word, value in request.words.reading.items() if word != "query"}


def _looked_at(request: Request, rows: TableFile) -> Request:
    """The request once columns without a role were looked at, on a sample where rows are many."""
    request.schema.check_columns(rows.names)
    doubtful = unnamed(rows.names, request.schema)
    return request.on(rows.sample(rows.names, MOST_LOOKED_AT if doubtful else 1))


def _learned(rows: TableFile, schema: Schema) -> Columns:
    """The columns, numbered."""
    values = {name: rows.values(name) for name in (*schema.quasi_identifiers, *schema.sensitive)}
    return learn_columns(values, schema, rows.names, rows.n_rows)


def _outline(rows: TableFile, columns: Columns, memory: Memory) -> CountedTable:
    """What is known of all rows before any is recoded: how many there are, and their sensitive values."""
    if len(columns.sensitive) > 1:
        codes, counts = count_rows(rows, columns, columns.sensitive, memory)
    elif columns.sensitive:
        counts = columns.sensitive[0].domain.counts
        codes = np.arange(counts.size, dtype=np.int32)[None, counts > 0]
        counts = counts[counts > 0]
    else:
        codes, counts = np.empty((0, 1), np.int32), np.array([rows.n_rows], np.int64)
    nowhere = np.zeros((len(columns.quasi), counts.size), np.int32)
    return counted_table(columns, np.concatenate([nowhere, codes]), counts)


def _spread(known: CountedTable) -> Table:
    """The same as a table of rows, for algorithms that look before they begin; fewer where rows are many."""
    counts = -(-known.counts // max(1, known.n_rows // _MOST_OUTLINED))
    return Table(
        known.quasi,
        np.zeros((known.n_quasi, int(counts.sum())), np.int32),
        tuple(replace(column, codes=np.repeat(column.codes, counts)) for column in known.sensitive),
    )


def _visible(goal: Goal, made: Made) -> list[GroupModel]:
    """The promises that a stranger can judge from the file; the others were judged in every block."""
    return [
        promise
        for promise in goal.promises
        if isinstance(promise, GroupModel)
        and not promise.judges_cells
        and (made.pools_are_classes or promise.reads == "classes")
    ]


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


def _refuse_lost(found: Counted, shards: Shards, rows: TableFile, goal: Goal) -> None:
    """Nothing may be lost on the way but what is allowed to be."""
    if found.n_records != shards.n_records:
        raise BrokenPromise(f"{shards.n_records - found.n_records:,} records were lost in writing; a bug in shoal.")
    if rows.n_rows - found.n_records > goal.most_suppressed(rows.n_rows):
        raise BrokenPromise(
            f"{rows.n_rows - found.n_records:,} rows were suppressed, more than allowed; a bug in shoal."
        )


def _typed(frame: pl.DataFrame, columns: Columns, exact: frozenset[str]) -> pl.DataFrame:
    """Columns in which every cell is exact with their own values again."""
    own = {column.name: column.domain for column in columns.quasi if column.name in exact}
    return pl.DataFrame([_values(frame[name], own[name]) if name in own else frame[name] for name in columns.order])


def _values(texts: pl.Series, domain: Domain) -> pl.Series:
    """The values that are printed so."""
    if domain.values.dtype == pl.String:
        return texts
    places = {text: place for place, text in enumerate(domain.texts) if place != domain.missing}
    found = texts.replace_strict(list(places), list(places.values()), default=None, return_dtype=pl.UInt32)
    return domain.values.gather(found).alias(texts.name)


def _by_classes(found: Counted) -> dict[str, float]:
    return {"aecs": found.n_records / found.sizes.size, "dm": float((found.sizes.astype(float) ** 2).sum())}
