"""Local recoding: blocks of similar rows on disk, one after the other in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.algorithms.blocked.similar_rows import can_serve
from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Algorithm, Goal, PriceMetric, Verdict
from shoal.core.cuts import Cuts, learn_cuts
from shoal.core.groups import Groups
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.table import Table
from shoal.engine.backends.columns import Columns
from shoal.engine.backends.memory_limit import Memory
from shoal.engine.backends.shuffling import Shards
from shoal.engine.release_check import check_claims, check_publication, check_release
from shoal.errors import InputError
from shoal.io.labels import to_frame
from shoal.io.table_file import TableFile

_SAMPLE = 500_000


@dataclass(eq=False)
class Done:
    """What all blocks came to: what each column loses, the columns that stay exact, the verdicts of all together."""

    losses: dict[str, Floats]
    exact: set[str]
    verdicts: dict[str, Verdict]
    pools_are_classes: bool = True

    def add(self, verdicts: Sequence[Verdict], release: Release) -> None:
        """Take the verdicts of another block into account; each promise holds for a union where it does for parts."""
        self.pools_are_classes &= release.matches is None
        for verdict in verdicts:
            known = self.verdicts.get(verdict.promise)
            if known is not None:
                achieved = known.achieved, verdict.achieved
                worst = min(achieved) if max(achieved) > verdict.wanted else max(achieved)
                verdict = replace(verdict, achieved=worst, n_groups=known.n_groups + verdict.n_groups)
            self.verdicts[verdict.promise] = replace(verdict, worst=(), worst_measures=())


def in_blocks(
    rows: TableFile,
    columns: Columns,
    goal: Goal,
    algorithm: Algorithm,
    memory: Memory,
    shards: Shards,
    randomness: Randomness,
    progress: Progress,
    priced: Sequence[PriceMetric],
    spill: Path,
) -> Done:
    """Deal the records of all blocks out to the shards."""
    algorithm.refuse_blocks(goal)
    if any(algorithm.looks_across(promise) for promise in goal.promises):
        raise InputError(f"{algorithm.name!r} with promises about sensitive values needs all rows in memory.")
    progress.stage("cutting into blocks", rows.n_rows)
    cuts = learn_cuts(columns.quasi, _sample(rows, columns, memory, randomness), memory.block * _share(rows))
    _spill(rows, columns, cuts, memory, spill, progress)
    progress.stage("running on blocks", rows.n_rows)
    goal = goal.for_parts(rows.n_rows)
    done = Done({m.name: np.zeros(len(columns.quasi)) for m in priced}, {c.name for c in columns.quasi}, {})
    for number, block in enumerate(able_blocks(_blocks(cuts, memory, spill), columns, goal, algorithm)):
        table = columns.table(block)
        frame, release, verdicts = publish_block(table, goal, algorithm, randomness.child(f"block {number}"))
        done.exact &= {name for name in done.exact if frame[name].dtype == table_dtype(table, name)}
        done.add(verdicts, release)
        shards.add(as_text(frame, columns))
        for metric in priced:
            done.losses[metric.name] += metric.by_column(release) * table.n_rows / rows.n_rows
        memory.check()
        progress.advance(block.height)
    return done


def as_text(frame: pl.DataFrame, columns: Columns) -> pl.DataFrame:
    """Records whose quasi-identifiers are all text, in whatever block they are exact."""
    quasi = {column.name for column in columns.quasi}
    return pl.DataFrame([c.cast(pl.String) if c.name in quasi else c for c in frame.iter_columns()])


def publish_block(
    table: Table, goal: Goal, algorithm: Algorithm, randomness: Randomness
) -> tuple[pl.DataFrame, Release, list[Verdict]]:
    """Run an algorithm on a block, check what it gives, and print it."""
    release = algorithm.run(table, goal, randomness.child("algorithm"), Silent())
    verdicts = check_release(release, goal.promises)
    publication = publish(release, randomness.child("publish"))
    frame = to_frame(publication)
    check_publication(publication, frame, goal.promises)
    check_claims(algorithm, release, goal, frame)
    return frame, release, verdicts


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


def _share(rows: TableFile) -> float:
    return min(1.0, _SAMPLE / rows.n_rows)


def _sample(rows: TableFile, columns: Columns, memory: Memory, randomness: Randomness) -> Codes:
    """About half a million rows from everywhere, coded."""
    words, limit = randomness.child("sample"), int(_share(rows) * 2**32)
    names = [column.name for column in columns.quasi]
    found = []
    for batch in rows.batches(memory.batch, names):
        chosen = batch.filter(pl.Series(words.integers(2**32, batch.height) < limit)) if limit < 2**32 else batch
        found.append(np.array([columns.codes(chosen, name) for name in names], np.int32))
    return np.ascontiguousarray(np.concatenate(found, axis=1))


def _spill(rows: TableFile, columns: Columns, cuts: Cuts, memory: Memory, folder: Path, progress: Progress) -> None:
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
