"""Local recoding on the cluster: rows are sent to blocks, and each block is a task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa
from pyspark.sql import types as t
from pyspark.sql.pandas.types import from_arrow_type

from shoal.core.arrays import Codes, Offsets
from shoal.core.block_tree import Cuts
from shoal.core.block_union import join_neighbours
from shoal.core.contracts import Algorithm, Goal
from shoal.core.goal_feasibility import impossible
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness
from shoal.engine.backends.checked_table import as_text, keys_of_records, publish_table
from shoal.engine.backends.coded_columns import CodedColumns
from shoal.engine.backends.colliding_blocks import Homes
from shoal.engine.backends.people_blocks import PeopleBlocks
from shoal.engine.backends.spark.dataframes import as_arrow, as_polars, counted, quoted, settled
from shoal.engine.backends.spark.match_proofs import ARROW, is_wanted, witnesses
from shoal.engine.backends.spark.people_on_spark import PART, able_homes, at_home, in_parts, named
from shoal.engine.backends.spark.sql.scope import WITNESS
from shoal.io.column_rules import BLOCK, OURS, WHOSE, settle
from shoal.io.table_file import COUNT
from shoal.metrics import LM
from shoal.models.sensitive import SensitiveModel

LOSS = f"{OURS}loss"

DRAWN = f"{OURS}drawn"
"""The column of random numbers by which records are ordered; never published."""


@dataclass(frozen=True, eq=False)
class BlockTask:
    """What a task does with the rows of a block: run, check, print.

    It gives the same records however often it is run: the rows of a block are sorted before anything is drawn, and all
    draws follow from ``key``, which never leaves the cluster. If people are counted or a column ``whose`` gives their
    person, each record carries its person and its block (``WHOSE``, ``BLOCK``). ``pseudonym`` names the column for
    fresh keys.
    """

    columns: CodedColumns
    goal: Goal
    algorithm: Algorithm
    key: str
    pseudonym: str | None = None
    whose: str | None = None

    def records(self, placed: Any, df: Any) -> Any:
        """The records of rows that have the number of their block (``BLOCK``), evaluated lazily, with their losses.

        Each record has a random number (``DRAWN``); if records have their own cells, also its matches (``WITNESS``).
        """
        known = {field.name: field.dataType for field in df.schema.fields}
        text = t.StringType()
        kinds = {} if self.pseudonym is None else {self.pseudonym: text}
        kinds |= {name: known[name] if name in self.columns.passengers else text for name in self.columns.order}
        kinds |= {LOSS: t.DoubleType(), DRAWN: t.LongType()}
        if self._person is not None:
            kinds |= {WHOSE: text, BLOCK: t.IntegerType()}
        if is_wanted(self.algorithm):
            kinds[WITNESS] = from_arrow_type(ARROW)
        schema = t.StructType([t.StructField(name, kind) for name, kind in kinds.items()])
        return placed.groupBy(quoted(BLOCK)).applyInArrow(lambda table: self.run(table), schema)

    @property
    def _person(self) -> str | None:
        return self.columns.person or self.whose

    def run(self, table: pa.Table) -> pa.Table:
        """The records of one block."""
        frame = pl.DataFrame(table)
        block = int(frame[BLOCK][0])
        rows = settle(frame.drop(BLOCK))
        rows = rows.sort(rows.columns, nulls_last=True)
        randomness = Randomness(int.from_bytes(f"{self.key} {block}".encode()))
        keys = None if self._person is None else named(rows[self._person], block)
        printed = publish_table(
            self.columns.table(rows), self.goal, self.algorithm, randomness,
            keys=None if self.columns.person is None else keys, pseudonym=self.pseudonym, is_block=True,
        )  # fmt: skip
        release = printed.release
        drawn = randomness.child("order").words(printed.frame.height).view(np.int64)
        texts = as_text(printed.frame, self.columns)
        texts = texts.with_columns(pl.lit(float(LM().score(release))).alias(LOSS), pl.Series(DRAWN, drawn))
        if keys is not None:
            theirs = keys_of_records(printed, randomness, keys)
            texts = texts.with_columns(theirs.alias(WHOSE), pl.lit(block, pl.Int32).alias(BLOCK))
        if is_wanted(self.algorithm):
            shuffled = randomness.child("publish").permutation(release.n_records)
            seen = witnesses(release, self.goal, self.algorithm, block)[shuffled]
            texts = texts.with_columns(seen.to_struct(WITNESS))
        given = {name: table.schema.field(name).type for name in self.columns.passengers} | {WITNESS: ARROW}
        made = as_arrow(texts)
        return made.cast(pa.schema([field.with_type(given.get(field.name, field.type)) for field in made.schema]))


def in_blocks(df: Any, cuts: Cuts, homes: Homes, rows: int, task: BlockTask) -> Any:
    """The records of all blocks of about ``rows`` similar rows; blocks that cannot meet the goal alone are joined."""
    columns, goal = task.columns, task.goal
    alone, one_each = np.arange(cuts.n_blocks, dtype=np.int32), np.ones(cuts.n_blocks, np.int64)
    numbers: npt.NDArray[Any]
    placed = _placed(df, columns, cuts, alone, one_each)
    if columns.person is not None:
        numbers, pieces = able_homes(placed, df, columns, goal, homes), one_each
    elif sample_is_enough(cuts, goal, rows * cuts.sampled.sum() / columns.n_rows):
        numbers, pieces = alone, one_each
    else:
        numbers, pieces = _joined(placed, columns, goal, cuts.n_blocks, rows)
    return task.records(_placed(df, columns, cuts, numbers, pieces), df)


def in_people_blocks(df: Any, blocks: PeopleBlocks, homes: Homes, n_parts: int, task: BlockTask) -> Any:
    """Like ``in_blocks``, with all rows of a person in one block; suppressed rows are in none.

    People are gathered in ``n_parts`` parts, in which each is assigned to a block.
    """
    columns = task.columns

    def place(table: pa.Table) -> pa.Table:
        table = table.drop_columns([PART])
        rows = settled(table)
        order = rows.select(pl.arg_sort_by(rows.columns, nulls_last=True)).to_series()  # a fixed order
        at = blocks.place(columns.table(rows[order]))
        some = table.take(order.filter(at >= 0).to_arrow())
        return some.append_column(BLOCK, pa.array(at[at >= 0]))

    parts = in_parts(df, str(columns.person), n_parts)
    placed = parts.groupBy(quoted(PART)).applyInArrow(place, _with_block(df))
    return task.records(at_home(placed, able_homes(placed, df, columns, task.goal, homes)), df)


def sample_is_enough(cuts: Cuts, goal: Goal, rows: float) -> bool:
    """Whether blocks need not be counted: each has enough rows in the sample alone, and none far more than ``rows``.

    A block has at least as many rows as its part of the sample. This saves a pass over the table in which Spark would
    send every row to Python and back.
    """
    return goal.is_about_size and bool((cuts.sampled >= _least(goal)).all() and (cuts.sampled <= 2 * rows).all())


def _placed(df: Any, columns: CodedColumns, cuts: Cuts, homes: npt.NDArray[Any], pieces: Offsets) -> Any:
    """Each row with the number of its block; large blocks of equal rows are split into several."""
    starts = np.concatenate([[0], np.cumsum(pieces)])
    quasi = [column.name for column in columns.quasi]

    def place(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        seen = 0
        for batch in batches:
            own = homes[cuts.place(columns.codes(settled(batch.select(quasi)), quasi))]
            turn = (seen + np.arange(own.size)) % pieces[own]
            seen += own.size
            yield batch.append_column(BLOCK, pa.array((starts[own] + turn).astype(np.int32)))

    return df.mapInArrow(place, _with_block(df))


def _with_block(df: Any) -> Any:
    """The schema of rows that also have the number of their block."""
    return t.StructType([*df.schema.fields, t.StructField(BLOCK, t.IntegerType())])


def _joined(
    placed: Any, columns: CodedColumns, goal: Goal, n_blocks: int, rows: int
) -> tuple[npt.NDArray[Any], Offsets]:
    """Which blocks are joined so that each can meet the goal, and into how many pieces large ones are split.

    Raises:
        GoalNotMet: not even all rows together meet it.
    """
    names = [] if goal.is_about_size else [column.name for column in columns.sensitive]
    found = settle(as_polars(counted(placed, [BLOCK, *names]))).sort("c0")
    values = found.select(pl.col(f"c{place}").alias(name) for place, name in enumerate(names, start=1))
    codes = columns.codes(values, names)
    counts = found[COUNT].to_numpy().astype(np.int64)
    starts = np.searchsorted(found["c0"].to_numpy(), np.arange(n_blocks + 1))

    def is_able(span: range) -> bool:
        some = slice(starts[span.start], starts[span.stop])
        return _keeps(goal, columns, codes[:, some], counts[some])

    alone = (range(block, block + 1) for block in range(n_blocks))
    spans = [*join_neighbours(alone, is_able, lambda one, other: range(one.start, other.stop))]
    if len(spans) == 1 and not is_able(spans[0]):
        raise impossible(goal, len(columns.sensitive))
    homes = np.repeat(np.arange(len(spans)), [len(span) for span in spans])
    sizes = np.array([counts[starts[span.start] : starts[span.stop]].sum() for span in spans])
    is_large = np.array([len(span) == 1 for span in spans]) & (sizes > 2 * rows) & goal.is_about_size
    return homes, np.where(is_large, np.maximum(1, sizes // rows), 1).astype(np.int64)


def _keeps(goal: Goal, columns: CodedColumns, codes: Codes, counts: Offsets) -> bool:
    """Whether rows with these sensitive values and counts could meet the goal by themselves."""
    if counts.sum() < _least(goal):
        return False
    whole, nowhere = Groups.whole(counts.size), np.zeros((len(columns.quasi), counts.size), np.int32)
    for model in (model for model in goal.group_models if isinstance(model, SensitiveModel)):
        table = columns.counted(np.concatenate([nowhere, codes]), counts)
        for column in model.columns(table):
            parts = model.parts(table, column, whole)
            tallies = table.tally(parts[0] if parts else whole, column.codes, column.domain.n_leaves)
            if (model.judge(column, tallies) < model.threshold).any():
                return False
    return True


def _least(goal: Goal) -> int:
    """A lower bound on the number of rows that can meet the goal by themselves."""
    wanted = [int(getattr(promise, "k", 1)) for promise in goal.promises if promise.on_groups is None]
    return max([goal.floor, *wanted])
