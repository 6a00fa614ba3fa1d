"""Local recoding: blocks of similar rows on disk, one after the other in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.algorithms.blocked.blocks import can_serve
from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Algorithm, Goal, PriceMetric
from shoal.core.cuts import Cuts, learn_cuts
from shoal.core.groups import Groups
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.table import Table
from shoal.engine.check import check_claims, check_publication, check_release
from shoal.engine.scale.columns import Columns
from shoal.engine.scale.memory import Memory
from shoal.engine.scale.rows import Rows
from shoal.engine.scale.shuffling import Shards
from shoal.errors import InputError
from shoal.io.labels import to_frame

_SAMPLE = 500_000


def in_blocks(
    rows: Rows,
    columns: Columns,
    goal: Goal,
    algorithm: Algorithm,
    memory: Memory,
    shards: Shards,
    randomness: Randomness,
    progress: Progress,
    priced: Sequence[PriceMetric],
    spill: Path,
) -> tuple[dict[str, Floats], set[str]]:
    """Deal the records of all blocks out to the shards; what each column loses, and the columns that stay exact."""
    algorithm.refuse_blocks(goal)
    if any(algorithm.looks_across(promise) for promise in goal.promises):
        raise InputError(f"{algorithm.name!r} with promises about sensitive values needs all rows in memory.")
    progress.stage("cutting into blocks", rows.n_rows)
    cuts = learn_cuts(columns.quasi, _sample(rows, columns, memory, randomness), memory.block * _share(rows))
    _spill(rows, columns, cuts, memory, spill, progress)
    progress.stage("running on blocks", rows.n_rows)
    goal = goal.for_parts(rows.n_rows)
    losses = {metric.name: np.zeros(len(columns.quasi)) for metric in priced}
    exact = {column.name for column in columns.quasi}
    for number, block in enumerate(able_blocks(_blocks(cuts, memory, spill), columns, goal, algorithm)):
        table = columns.table(block)
        frame, release = publish_block(table, goal, algorithm, randomness.child(f"block {number}"))
        exact &= {name for name in exact if frame[name].dtype == table_dtype(table, name)}
        shards.add(frame.with_columns(pl.col([c.name for c in columns.quasi]).cast(pl.String)))
        for metric in priced:
            losses[metric.name] += metric.by_column(release) * table.n_rows / rows.n_rows
        memory.check()
        progress.advance(block.height)
    return losses, exact


def publish_block(
    table: Table, goal: Goal, algorithm: Algorithm, randomness: Randomness
) -> tuple[pl.DataFrame, Release]:
    """Run an algorithm on a block, check what it gives, and print it."""
    release = algorithm.run(table, goal, randomness.child("algorithm"), Silent())
    check_release(release, goal.promises)
    publication = publish(release, randomness.child("publish"))
    frame = to_frame(publication)
    check_publication(publication, frame, goal.promises)
    check_claims(algorithm, release, goal, frame)
    return frame, release


def table_dtype(table: Table, name: str) -> Any:
    """The type of a quasi-identifier's values; a label is never of that type unless it is text."""
    return next(column.domain.values.dtype for column in table.quasi if column.name == name)


def able_blocks(
    blocks: Iterator[pl.DataFrame], columns: Columns, goal: Goal, algorithm: Algorithm
) -> Iterator[pl.DataFrame]:
    """Blocks of which each can keep the goal by itself: one that cannot is joined with its neighbour."""
    waiting: pl.DataFrame | None = None
    waiting_is_able = False
    for block in blocks:
        if waiting is None:
            waiting, waiting_is_able = block, is_able(columns.table(block), goal, algorithm)
            continue
        block_is_able = is_able(columns.table(block), goal, algorithm)
        if waiting_is_able and block_is_able:
            yield waiting
            waiting = block
        else:
            waiting = pl.concat([waiting, block])
            waiting_is_able = is_able(columns.table(waiting), goal, algorithm)
    if waiting is not None:
        yield waiting


def is_able(table: Table, goal: Goal, algorithm: Algorithm) -> bool:
    """Whether the rows could keep the goal by themselves."""
    return can_serve(algorithm, goal, table) and bool(goal.accepts(table, Groups.whole(table.n_rows)).all())


def _share(rows: Rows) -> float:
    return min(1.0, _SAMPLE / rows.n_rows)


def _sample(rows: Rows, columns: Columns, memory: Memory, randomness: Randomness) -> Codes:
    """About half a million rows from everywhere, coded."""
    words, limit = randomness.child("sample"), int(_share(rows) * 2**32)
    names = [column.name for column in columns.quasi]
    found = []
    for batch in rows.batches(memory.batch, names):
        chosen = batch.filter(pl.Series(words.integers(2**32, batch.height) < limit)) if limit < 2**32 else batch
        found.append(np.array([columns.codes(chosen, name) for name in names], np.int32))
    return np.ascontiguousarray(np.concatenate(found, axis=1))


def _spill(rows: Rows, columns: Columns, cuts: Cuts, memory: Memory, folder: Path, progress: Progress) -> None:
    """Write each row to the file of its block."""
    writers: dict[int, Any] = {}
    kept = [name for name in rows.names if name in columns.order]
    try:
        for batch in rows.batches(memory.batch, kept):
            codes = np.array([columns.codes(batch, column.name) for column in columns.quasi], np.int32)
            homes = cuts.place(codes)
            order, sizes = np.argsort(homes, kind="stable"), np.bincount(homes, minlength=cuts.n_blocks)
            table, start = batch.to_arrow(compat_level=pl.CompatLevel.oldest()).take(pa.array(order)), 0
            for block, size in enumerate(sizes.tolist()):
                if size:
                    if block not in writers:
                        writers[block] = pa.ipc.new_stream(str(folder / f"block {block}"), table.schema)
                    writers[block].write_table(table.slice(start, size))
                start += size
            progress.advance(batch.height)
    finally:
        for writer in writers.values():
            writer.close()


def _blocks(cuts: Cuts, memory: Memory, folder: Path) -> Iterator[pl.DataFrame]:
    """The rows of each block; one of mostly equal rows that is too large comes in pieces."""
    for block in range(cuts.n_blocks):
        path = folder / f"block {block}"
        if not path.exists():
            continue
        pieces: list[Any] = []
        with pa.ipc.open_stream(str(path)) as stream:
            for batch in stream:
                pieces.append(batch)
                if sum(piece.num_rows for piece in pieces) > 2 * memory.block:
                    yield _frame(pieces)
                    pieces = []
        path.unlink()
        if pieces:
            yield _frame(pieces)


def _frame(batches: list[Any]) -> pl.DataFrame:
    frame = pl.from_arrow(pa.Table.from_batches(batches))
    assert isinstance(frame, pl.DataFrame)
    return frame
