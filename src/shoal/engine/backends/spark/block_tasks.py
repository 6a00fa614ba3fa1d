"""Local recoding on the cluster: rows are sent to blocks, and each block is a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from shoal.core.arrays import Codes, Offsets
from shoal.core.block_tree import Cuts
from shoal.core.block_union import join_neighbours
from shoal.core.contracts import Algorithm, Goal
from shoal.core.goal_feasibility import impossible
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.core.tallies import Tallies
from shoal.engine.backends.checked_table import as_text, keys_of_records, publish_table
from shoal.engine.backends.coded_columns import CodedColumns
from shoal.engine.backends.colliding_blocks import Homes
from shoal.engine.backends.spark.dataframes import as_polars, quoted
from shoal.engine.backends.spark.match_proofs import ARROW, TYPE, is_wanted, witnesses
from shoal.engine.backends.spark.people_on_spark import able_homes, named
from shoal.engine.backends.spark.sql.scope import WITNESS
from shoal.io.column_rules import BLOCK, OURS, WHOSE, settle
from shoal.io.table_file import COUNT
from shoal.kernels.distinct import number_rows
from shoal.metrics import LM
from shoal.models.sensitive import SensitiveModel

LOSS = f"{OURS}loss"

DRAWN = f"{OURS}drawn"
"""The column of random numbers by which records are ordered; never published."""


def in_blocks(
    df: Any,
    columns: CodedColumns,
    cuts: Cuts,
    homes: Homes,
    goal: Goal,
    algorithm: Algorithm,
    rows: int,
    key: str,
    whose: str | None = None,
) -> Any:
    """The records with their losses (``LOSS``), evaluated lazily; all quasi-identifiers are text.

    Each record has a random number (``DRAWN``). If records have their own cells, their matches are stored with them
    (``WITNESS``); if the column ``whose`` gives their person, its values and the block are too (``WHOSE``, ``BLOCK``).
    Every task gives the same records however often it is run: the rows of a block are sorted before anything is drawn,
    and all draws follow from ``key``, which never leaves the cluster.
    """
    alone, one_each = np.arange(cuts.n_blocks, dtype=np.int32), np.ones(cuts.n_blocks, np.int64)
    numbers: npt.NDArray[Any]
    placed = _placed(df, columns, cuts, alone, one_each)
    if columns.person is not None:
        numbers, pieces = able_homes(placed, df, columns, goal, homes), one_each
    elif sample_is_enough(cuts, goal, rows * cuts.sampled.sum() / columns.n_rows):
        numbers, pieces = alone, one_each
    else:
        numbers, pieces = _joined(placed, columns, goal, cuts.n_blocks, rows)
    placed = _placed(df, columns, cuts, numbers, pieces)
    return run_blocks(placed, df, columns, goal, algorithm, key, whose=whose)


def sample_is_enough(cuts: Cuts, goal: Goal, rows: float) -> bool:
    """Whether blocks need not be counted: each has enough rows in the sample alone, and none far more than ``rows``.

    A block has at least as many rows as its part of the sample. This saves a pass over the table in which Spark would
    send every row to Python and back.
    """
    return goal.is_about_size and bool((cuts.sampled >= _least(goal)).all() and (cuts.sampled <= 2 * rows).all())


def run_blocks(
    placed: Any,
    df: Any,
    columns: CodedColumns,
    goal: Goal,
    algorithm: Algorithm,
    key: str,
    pseudonym: str | None = None,
    whose: str | None = None,
) -> Any:
    """The records of rows that have the number of their block (``BLOCK``); every block is a task."""
    from pyspark.sql import types as t

    known = {field.name: field.dataType for field in df.schema.fields}
    quasi = {column.name for column in columns.quasi}
    fields = [] if pseudonym is None else [t.StructField(pseudonym, t.StringType())]
    fields += [t.StructField(n, t.StringType() if n in quasi else known[n]) for n in columns.order]
    hidden = [t.StructField(LOSS, t.DoubleType()), t.StructField(DRAWN, t.LongType())]
    whose = columns.person or whose
    if whose is not None:
        hidden += [t.StructField(WHOSE, t.StringType()), t.StructField(BLOCK, t.IntegerType())]
    if is_wanted(algorithm):
        hidden.append(t.StructField(WITNESS, t.DataType.fromDDL(TYPE)))
    schema = t.StructType([*fields, *hidden])
    return placed.groupBy(quoted(BLOCK)).applyInArrow(_task(columns, goal, algorithm, key, pseudonym, whose), schema)


def _placed(df: Any, columns: CodedColumns, cuts: Cuts, homes: npt.NDArray[Any], pieces: Offsets) -> Any:
    """Each row with the number of its block; large blocks of equal rows are split into several."""
    from pyspark.sql import types as t

    starts = np.concatenate([[0], np.cumsum(pieces)])
    quasi = [column.name for column in columns.quasi]

    def place(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        seen = 0
        for batch in batches:
            frame = pl.from_arrow(batch)
            assert isinstance(frame, pl.DataFrame)
            rows = settle(frame.select(quasi))
            own = homes[cuts.place(columns.codes(rows, quasi))]
            turn = (seen + np.arange(own.size)) % pieces[own]
            seen += own.size
            yield batch.append_column(BLOCK, pa.array((starts[own] + turn).astype(np.int32)))

    return df.mapInArrow(place, t.StructType([*df.schema.fields, t.StructField(BLOCK, t.IntegerType())]))


def _joined(
    placed: Any, columns: CodedColumns, goal: Goal, n_blocks: int, rows: int
) -> tuple[npt.NDArray[Any], Offsets]:
    """Which blocks are joined so that each can meet the goal, and into how many pieces large ones are split.

    Raises:
        GoalNotMet: not even all rows together meet it.
    """
    from pyspark.sql import functions as f

    names = [] if goal.is_about_size else [column.name for column in columns.sensitive]
    keys = [f.col(quoted(name)).alias(f"c{place}") for place, name in enumerate([BLOCK, *names])]
    found = settle(as_polars(placed.groupBy(*keys).agg(f.count(f.lit(1)).alias(COUNT)))).sort("c0")
    codes = {name: columns.codes_of(found[f"c{place}"], name) for place, name in enumerate(names, start=1)}
    counts = found[COUNT].to_numpy().astype(np.int64)
    starts = np.searchsorted(found["c0"].to_numpy(), np.arange(n_blocks + 1))

    def is_able(span: range) -> bool:
        some = slice(starts[span.start], starts[span.stop])
        return _keeps(goal, columns, {name: own[some] for name, own in codes.items()}, counts[some])

    alone = (range(block, block + 1) for block in range(n_blocks))
    spans = [*join_neighbours(alone, is_able, lambda one, other: range(one.start, other.stop))]
    if len(spans) == 1 and not is_able(spans[0]):
        raise impossible(goal, len(columns.sensitive))
    homes = np.repeat(np.arange(len(spans)), [len(span) for span in spans])
    sizes = np.array([counts[starts[span.start] : starts[span.stop]].sum() for span in spans])
    is_large = np.array([len(span) == 1 for span in spans]) & (sizes > 2 * rows) & goal.is_about_size
    return homes, np.where(is_large, np.maximum(1, sizes // rows), 1).astype(np.int64)


def _keeps(goal: Goal, columns: CodedColumns, codes: dict[str, Codes], counts: Offsets) -> bool:
    """Whether rows with these sensitive values and counts could meet the goal by themselves."""
    if counts.sum() < _least(goal):
        return False
    nobody = Table(columns.quasi, np.empty((len(columns.quasi), 0), np.int32), columns.sensitive)
    for model in (model for model in goal.group_models if isinstance(model, SensitiveModel)):
        for column in model.columns(nobody):
            others = [own for name, own in codes.items() if name != column.name and model.others == "quasi"]
            parts, firsts = number_rows(np.array([np.zeros(counts.size, np.int32), *others], np.int32))
            tallies = _tallies(parts, codes[column.name], counts, firsts.size, column.domain.n_leaves)
            if (model.judge(column, tallies) < model.threshold).any():
                return False
    return True


def _least(goal: Goal) -> int:
    """A lower bound on the number of rows that can meet the goal by themselves."""
    wanted = [int(getattr(promise, "k", 1)) for promise in goal.promises if promise.on_groups is None]
    return max([goal.floor, *wanted])


def _tallies(own: Codes, codes: Codes, counts: Offsets, n_groups: int, n_values: int) -> Tallies:
    keys, places = np.unique(own.astype(np.int64) * n_values + codes, return_inverse=True)
    summed = np.bincount(places, counts, keys.size).astype(np.int64)
    offsets = np.searchsorted(keys // n_values, np.arange(n_groups + 1)).astype(np.int64)
    return Tallies(offsets, (keys % n_values).astype(np.int32), summed)


def _task(
    columns: CodedColumns, goal: Goal, algorithm: Algorithm, key: str, pseudonym: str | None, whose: str | None
) -> Callable[[pa.Table], pa.Table]:
    quasi = [column.name for column in columns.quasi]

    def run(table: pa.Table) -> pa.Table:
        frame = pl.from_arrow(table)
        assert isinstance(frame, pl.DataFrame)
        block = int(frame[BLOCK][0])
        rows = settle(frame.drop(BLOCK))
        rows = rows.sort(rows.columns, nulls_last=True)
        randomness = Randomness(int.from_bytes(f"{key} {block}".encode()))
        keys = None if whose is None else named(rows[whose], block)
        own = keys if columns.person is not None else None
        printed = publish_table(
            columns.table(rows), goal, algorithm, randomness, keys=own, pseudonym=pseudonym, is_block=True
        )
        release = printed.release
        loss = float(LM().score(release))
        drawn = randomness.child("order").words(printed.frame.height).view(np.int64)
        texts = as_text(printed.frame, columns).with_columns(pl.lit(loss).alias(LOSS), pl.Series(DRAWN, drawn))
        if keys is not None:
            theirs = keys_of_records(printed, randomness, keys)
            texts = texts.with_columns(theirs.alias(WHOSE), pl.lit(block, pl.Int32).alias(BLOCK))
        if is_wanted(algorithm):
            shuffled = randomness.child("publish").permutation(release.n_records)
            seen = witnesses(release, goal, algorithm, block)[shuffled]
            texts = texts.with_columns(seen.to_struct(WITNESS))
        return texts.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(kinds(table.schema))

    def kinds(given: pa.Schema) -> pa.Schema:
        own = [] if pseudonym is None else [pa.field(pseudonym, pa.string())]
        own += [pa.field(n, pa.string() if n in quasi else given.field(n).type) for n in columns.order]
        hidden = [pa.field(LOSS, pa.float64()), pa.field(DRAWN, pa.int64())]
        if whose is not None:
            hidden += [pa.field(WHOSE, pa.string()), pa.field(BLOCK, pa.int32())]
        if is_wanted(algorithm):
            hidden.append(pa.field(WITNESS, ARROW))
        return pa.schema([*own, *hidden])

    return run
