"""One level per column: count the distinct rows, search, and recode the rows as they pass by again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Offsets, Words
from shoal.core.contracts import Algorithm, Goal
from shoal.core.counted import CountedTable
from shoal.core.progress import Progress
from shoal.core.table import QuasiColumn, SensitiveColumn
from shoal.engine.backends.columns import Columns
from shoal.engine.backends.levels import Levels, find_levels
from shoal.engine.backends.memory_limit import Memory
from shoal.engine.backends.packing import Packing, add_counts, are_among, count_distinct_words
from shoal.engine.backends.shuffling import Shards
from shoal.errors import InputError
from shoal.io.table_file import TableFile


def at_levels(
    rows: TableFile,
    columns: Columns,
    goal: Goal,
    algorithm: Algorithm,
    memory: Memory,
    shards: Shards,
    progress: Progress,
    wanted: tuple[int, ...] | None,
) -> Levels:
    """Find the levels and deal the recoded rows out to the shards."""
    progress.stage("counting distinct rows", rows.n_rows)
    table = counted(rows, columns, memory, progress)
    found = find_levels(table, goal, algorithm, progress, wanted)
    del table
    memory.check()
    progress.stage("recoding", rows.n_rows)
    nodes = Packing.of([column.domain.n_leaves for column in columns.quasi])
    lost = nodes.pack(found.lost) if found.n_lost else None
    for batch in rows.batches(memory.batch, columns.order):
        codes = [columns.codes(batch, column.name) for column in columns.quasi]
        published = [labels.gather(each).cast(pl.String) for labels, each in zip(found.labels, codes, strict=True)]
        frame = pl.DataFrame([*published, *(batch[name] for name in columns.passengers)])
        if lost is not None:
            firsts = np.array([first[each] for first, each in zip(found.firsts, codes, strict=True)], np.int32)
            frame = frame.filter(pl.Series(~are_among(nodes.pack(firsts), lost)))
        shards.add(frame.select(columns.order))
        progress.advance(batch.height)
    return found


def counted(rows: TableFile, columns: Columns, memory: Memory, progress: Progress) -> CountedTable:
    """The distinct rows of quasi-identifiers and sensitive columns, with counts.

    Raises:
        InputError: a search over them would need more memory than is allowed.
    """
    codes, counts = count_rows(rows, columns, (*columns.quasi, *columns.sensitive), memory, progress)
    if counts.size > memory.distinct:
        raise InputError(
            f"The table has {counts.size:,} distinct rows, and a search over them needs about "
            f"{counts.size * 250 / (1 << 30):.1f} GiB; allow more memory, or use a local algorithm such as mondrian."
        )
    return counted_table(columns, codes, counts)


def count_rows(
    rows: TableFile,
    columns: Columns,
    chosen: Sequence[QuasiColumn | SensitiveColumn],
    memory: Memory,
    progress: Progress | None = None,
) -> tuple[Codes, Offsets]:
    """The codes of the distinct rows in some columns, and how many rows are so. Memory O(distinct rows + batch)."""
    packing = Packing.of([column.domain.n_leaves for column in chosen])
    waiting: list[tuple[Words, Offsets]] = []
    for batch in rows.batches(memory.batch, [column.name for column in chosen]):
        codes = np.array([columns.codes(batch, column.name) for column in chosen], np.int32)
        waiting.append(count_distinct_words(packing.pack(codes)))
        if sum(counts.size for _, counts in waiting[1:]) > waiting[0][1].size:
            waiting = [add_counts(waiting)]
        if progress is not None:
            progress.advance(batch.height)
    words, counts = add_counts(waiting)
    return packing.unpack(words), counts


def counted_table(columns: Columns, codes: Codes, counts: Offsets) -> CountedTable:
    """From the codes of distinct rows, quasi-identifiers first."""
    n = len(columns.quasi)
    return CountedTable(
        quasi=columns.quasi,
        codes=np.ascontiguousarray(codes[:n]),
        sensitive=tuple(
            SensitiveColumn(column.domain, np.ascontiguousarray(own), column.hierarchy)
            for column, own in zip(columns.sensitive, codes[n:], strict=True)
        ),
        counts=counts,
    )
