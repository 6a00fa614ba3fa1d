"""One level per column: count the distinct rows, search, and recode the rows as they pass by again."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.core.contracts import Algorithm, Goal
from shoal.core.counted import CountedTable
from shoal.core.progress import Progress
from shoal.core.table import SensitiveColumn
from shoal.engine.scale.columns import Columns
from shoal.engine.scale.levels import Levels, find_levels
from shoal.engine.scale.memory import Memory
from shoal.engine.scale.packing import Packing, are_among, count_distinct_words
from shoal.engine.scale.rows import Rows
from shoal.engine.scale.shuffling import Shards
from shoal.errors import InputError


def at_levels(
    rows: Rows,
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
    for batch in rows.batches(memory.batch):
        codes = [columns.codes(batch, column.name) for column in columns.quasi]
        published = [labels.gather(each).cast(pl.String) for labels, each in zip(found.labels, codes, strict=True)]
        frame = pl.DataFrame([*published, *(batch[name] for name in columns.passengers)])
        if lost is not None:
            firsts = np.array([first[each] for first, each in zip(found.firsts, codes, strict=True)], np.int32)
            frame = frame.filter(pl.Series(~are_among(nodes.pack(firsts), lost)))
        shards.add(frame.select(columns.order))
        progress.advance(batch.height)
    return found


def counted(rows: Rows, columns: Columns, memory: Memory, progress: Progress) -> CountedTable:
    """The distinct rows of quasi-identifiers and sensitive columns, with counts. 8 bytes a row on the way."""
    coded = [column.domain for column in columns.quasi] + [column.domain for column in columns.sensitive]
    packing = Packing.of([domain.n_leaves for domain in coded])
    pieces = []
    for batch in rows.batches(memory.batch, [domain.name for domain in coded]):
        pieces.append(packing.pack(np.array([columns.codes(batch, domain.name) for domain in coded], np.int32)))
        progress.advance(batch.height)
    words, counts = count_distinct_words(np.concatenate(pieces, axis=1))
    del pieces
    if counts.size > memory.distinct:
        raise InputError(
            f"The table has {counts.size:,} distinct rows, and a search over them needs about "
            f"{counts.size * 250 / (1 << 30):.1f} GiB; allow more memory, or use a local algorithm such as mondrian."
        )
    codes = packing.unpack(words)
    return counted_table(columns, codes, counts)


def counted_table(
    columns: Columns, codes: np.typing.NDArray[np.int32], counts: np.typing.NDArray[np.int64]
) -> CountedTable:
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
