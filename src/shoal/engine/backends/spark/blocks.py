"""Local recoding on the cluster: rows are sent to blocks, and each block is a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from shoal.core.arrays import Codes, Offsets
from shoal.core.contracts import Algorithm, Goal
from shoal.core.cuts import Cuts, learn_cuts
from shoal.core.randomness import Randomness
from shoal.core.tallies import Tallies
from shoal.engine.backends.blocks import as_text, publish_block
from shoal.engine.backends.columns import Columns
from shoal.engine.backends.spark.columns import as_polars, quoted
from shoal.engine.backends.spark.match_proofs import ARROW, TYPE, is_wanted, witnesses
from shoal.engine.backends.spark.sql.scope import WITNESS
from shoal.errors import GoalNotMet, InputError
from shoal.io.column_rules import OURS, settle
from shoal.io.table_file import COUNT
from shoal.kernels.distinct import number_rows
from shoal.metrics import LM
from shoal.models.sensitive import SensitiveModel

BLOCK, LOSS = f"{OURS}block", f"{OURS}loss"
_SAMPLE = 200_000


def in_blocks(df: Any, columns: Columns, goal: Goal, algorithm: Algorithm, rows: int, key: str) -> Any:
    """The records and what each loses (``LOSS``), still to be worked out; all quasi-identifiers are text.

    Where records have cells of their own, who fits what stands beside them (``WITNESS``).

    Every task gives the same records however often it is run: rows of a block are sorted before anything is drawn, and
    what is drawn follows from ``key``, which never leaves the cluster.
    """
    from pyspark.sql import types as t

    refuse_rows(goal, algorithm, columns)
    cuts = learn_cuts(columns.quasi, _sample(df, columns), max(1.0, rows * min(1.0, _SAMPLE / columns.n_rows)))
    placed = _placed(df, columns, cuts, np.arange(cuts.n_blocks), np.ones(cuts.n_blocks, np.int64))
    homes, pieces = _plan(placed, columns, goal, cuts.n_blocks, rows)
    placed = _placed(df, columns, cuts, homes, pieces)
    known = {field.name: field.dataType for field in df.schema.fields}
    quasi = {column.name for column in columns.quasi}
    fields = [t.StructField(n, t.StringType() if n in quasi else known[n]) for n in columns.order]
    hidden = [t.StructField(LOSS, t.DoubleType())]
    if is_wanted(algorithm):
        hidden.append(t.StructField(WITNESS, t.DataType.fromDDL(TYPE)))
    schema = t.StructType([*fields, *hidden])
    return placed.groupBy(quoted(BLOCK)).applyInArrow(
        _task(columns, goal.for_parts(columns.n_rows), algorithm, key), schema
    )


def refuse_rows(goal: Goal, algorithm: Algorithm, columns: Columns) -> None:
    """Raise InputError for what can only be judged with all rows at hand."""
    algorithm.refuse_blocks(goal)
    if any(algorithm.looks_across(promise) for promise in goal.promises):
        raise InputError(f"{algorithm.name!r} with promises about sensitive values needs all rows in one place.")
    for promise in goal.promises:
        if not promise.survives_union:
            raise InputError(f"{promise} needs all rows in one place; ask for another promise, or run without Spark.")


def _sample(df: Any, columns: Columns) -> Codes:
    """A sample of constant size, coded."""
    names = [column.name for column in columns.quasi]
    share = min(1.0, 1.2 * _SAMPLE / columns.n_rows)
    some = df.select(*map(quoted, names))
    rows = settle(as_polars((some.sample(share) if share < 1 else some).limit(_SAMPLE)))
    if rows.is_empty():
        rows = settle(as_polars(some.limit(_SAMPLE)))
    return np.array([columns.codes(rows, name) for name in names], np.int32)


def _placed(df: Any, columns: Columns, cuts: Cuts, homes: npt.NDArray[Any], pieces: Offsets) -> Any:
    """Each row with the number of its block; large blocks of equal rows are dealt out to several."""
    from pyspark.sql import types as t

    starts = np.concatenate([[0], np.cumsum(pieces)])
    quasi = [column.name for column in columns.quasi]

    def place(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        seen = 0
        for batch in batches:
            frame = pl.from_arrow(batch)
            assert isinstance(frame, pl.DataFrame)
            rows = settle(frame.select(quasi))
            codes = np.array([columns.codes(rows, name) for name in quasi], np.int32).reshape(len(quasi), -1)
            own = homes[cuts.place(codes)]
            turn = (seen + np.arange(own.size)) % pieces[own]
            seen += own.size
            yield batch.append_column(BLOCK, pa.array((starts[own] + turn).astype(np.int32)))

    return df.mapInArrow(place, t.StructType([*df.schema.fields, t.StructField(BLOCK, t.IntegerType())]))


def _plan(placed: Any, columns: Columns, goal: Goal, n_blocks: int, rows: int) -> tuple[npt.NDArray[Any], Offsets]:
    """Which blocks are joined so that each can keep the goal, and into how many pieces too large ones are cut."""
    from pyspark.sql import functions as f

    names = [column.name for column in columns.sensitive]
    keys = [f.col(quoted(name)).alias(f"c{place}") for place, name in enumerate([BLOCK, *names])]
    found = settle(as_polars(placed.groupBy(*keys).agg(f.count(f.lit(1)).alias(COUNT))))
    blocks, counts = found["c0"].to_numpy(), found[COUNT].to_numpy().astype(np.int64)
    codes = {name: columns.codes_of(found[f"c{place}"], name) for place, name in enumerate(names, start=1)}
    homes = np.arange(n_blocks)

    def able(home: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        own, n = home[blocks], int(home.max()) + 1
        sizes = np.bincount(own, counts, n)
        fine: npt.NDArray[np.bool_] = (sizes >= _least_rows(goal)) | (sizes == 0)
        for model in goal.group_models:
            if isinstance(model, SensitiveModel):
                for column in model.columns(_nobody(columns)):
                    parts, whole = _parts(own, [codes[name] for name in names if name != column.name], model.others)
                    tallies = _tallies(parts, codes[column.name], counts, whole.size, column.domain.n_leaves)
                    fine[whole[model.judge(column, tallies) < model.threshold]] = False
        return fine

    while not (fine := able(homes)).all():
        if homes.max() == 0:
            raise GoalNotMet("Even with all rows in one class the promises do not hold together; ask for less.")
        bad = int(np.flatnonzero(~fine)[0])
        upper = bad + 1 if bad < homes.max() else bad
        homes = np.where(homes >= upper, homes - 1, homes)
    sizes = np.bincount(homes[blocks], counts, int(homes.max()) + 1)
    alone = np.bincount(homes, minlength=sizes.size) == 1
    pieces = np.where(alone & (sizes > 2 * rows), np.maximum(1, sizes // rows), 1).astype(np.int64)
    if goal.group_models and not goal.is_about_size:
        pieces = np.ones_like(pieces)
    return homes, pieces


def _least_rows(goal: Goal) -> int:
    return max([goal.floor, *(int(getattr(promise, "k", 1)) for promise in goal.promises)])


def _nobody(columns: Columns) -> Any:
    from shoal.core.table import Table

    return Table(columns.quasi, np.empty((len(columns.quasi), 0), np.int32), columns.sensitive)


def _parts(own: Codes, others: list[Codes], said: str) -> tuple[Codes, Codes]:
    """Rows that are judged together, and the block of each such part; with other columns known they agree on those."""
    known = others if said == "quasi" else []
    ids, firsts = number_rows(np.array([own, *known], np.int32))
    return ids, own[firsts]


def _tallies(own: Codes, codes: Codes, counts: Offsets, n_groups: int, n_values: int) -> Tallies:
    keys, places = np.unique(own.astype(np.int64) * n_values + codes, return_inverse=True)
    summed = np.bincount(places, counts, keys.size).astype(np.int64)
    offsets = np.searchsorted(keys // n_values, np.arange(n_groups + 1)).astype(np.int64)
    return Tallies(offsets, (keys % n_values).astype(np.int32), summed)


def _task(columns: Columns, goal: Goal, algorithm: Algorithm, key: str) -> Callable[[pa.Table], pa.Table]:
    quasi = [column.name for column in columns.quasi]

    def run(table: pa.Table) -> pa.Table:
        frame = pl.from_arrow(table)
        assert isinstance(frame, pl.DataFrame)
        block = int(frame[BLOCK][0])
        rows = settle(frame.drop(BLOCK))
        rows = rows.sort(rows.columns, nulls_last=True)
        randomness = Randomness(int.from_bytes(f"{key} {block}".encode()))
        printed, release, _ = publish_block(columns.table(rows), goal, algorithm, randomness)
        loss = float(LM().score(release))
        texts = as_text(printed, columns).with_columns(pl.lit(loss).alias(LOSS))
        if is_wanted(algorithm):
            shuffled = randomness.child("publish").permutation(release.n_records)
            seen = witnesses(release, goal, algorithm, block)[shuffled]
            texts = texts.with_columns(seen.to_struct(WITNESS))
        return texts.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(kinds(table.schema))

    def kinds(given: pa.Schema) -> pa.Schema:
        own = [pa.field(n, pa.string() if n in quasi else given.field(n).type) for n in columns.order]
        hidden = [pa.field(LOSS, pa.float64())]
        if is_wanted(algorithm):
            hidden.append(pa.field(WITNESS, ARROW))
        return pa.schema([*own, *hidden])

    return run
