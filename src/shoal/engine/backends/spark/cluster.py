"""The backend for rows on a cluster: the driver sees values, counts and a bounded sample, never the table."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ClassVar

import numpy as np
import polars as pl
from pyspark import StorageLevel
from pyspark.sql import functions as f

from shoal.core.arrays import Codes, Offsets
from shoal.core.block_tree import Cuts
from shoal.core.contracts import Algorithm, Goal, GroupModel, ReleaseModel, Verdict
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.engine.backends.coded_columns import CountedPeople
from shoal.engine.backends.colliding_blocks import BlocksCollide, Homes
from shoal.engine.backends.contract import Outcome
from shoal.engine.backends.levels import LevelRecoding
from shoal.engine.backends.people_blocks import PeopleBlocks
from shoal.engine.backends.pieces import InPieces, RecodedRows
from shoal.engine.backends.spark.block_tasks import DRAWN, LOSS, BlockTask, in_blocks, in_people_blocks
from shoal.engine.backends.spark.cell_forms import learn_forms, printed
from shoal.engine.backends.spark.dataframes import as_polars, changed, counted, key_text, numbered, prepared, quoted
from shoal.engine.backends.spark.level_recoding import recoded
from shoal.engine.backends.spark.masking import masked
from shoal.engine.backends.spark.match_proofs import tells_ways
from shoal.engine.backends.spark.people_on_spark import (
    PART,
    check_pseudonyms,
    count_people,
    each_unnamed,
    few_people,
    in_parts,
    rows_of_people,
    with_keys,
)
from shoal.engine.backends.spark.session import fit_shuffles
from shoal.engine.backends.spark.sql.matches import check_pairs
from shoal.engine.backends.spark.sql.promise_queries import blocks_of_failing, refuse_unasked, verify, verify_whole
from shoal.engine.backends.spark.sql.scope import PAIRS, WITNESS
from shoal.engine.backends.spark.sql.views import opened
from shoal.engine.plan import Plan, Request
from shoal.engine.words import Where
from shoal.errors import BrokenPromise, InputError
from shoal.io.arrow_read import published_names
from shoal.io.column_rules import BLOCK, WHOSE, settle
from shoal.io.people import code_people
from shoal.io.preparation import Preparation
from shoal.io.table_file import COUNT, VALUE
from shoal.models import KAnonymity
from shoal.report.as_it_is import AsItIs, known_columns, with_counts

MOST_VALUES = 1_000_000
"""The most distinct values of one column that the driver takes."""

_AT_ONCE = 4
"""The number of columns whose values are counted at the same time."""

MOST_ROWS = 20_000_000
"""The most distinct rows that the driver takes, at about 250 bytes each."""


class Cluster(InPieces):
    """The rows of a Spark DataFrame; the release is one too, kept on the cluster's disks until it is released."""

    where: ClassVar[Where] = "spark"
    otherwise: ClassVar[str] = "run without Spark"

    def __init__(self, df: Any, rows: int, progress: Progress) -> None:
        super().__init__(rows, progress)
        self._given = df
        self._df: Any = None
        self._sampled: Any = None
        self._key = secrets.token_hex(16)
        self.randomness = Randomness(int(self._key, 16))

    def __exit__(self, *said: object) -> None:
        self.close()

    def close(self) -> None:
        """Release a sample that is kept on the cluster's disks."""
        if self._sampled is not None:
            self._sampled.unpersist()
            self._sampled = None

    def open(self, request: Request) -> None:
        """Select the columns that are published or coded; identifiers are not read."""
        for promise in request.goal.promises:
            refuse_unasked(promise)
        self._arrange(request)
        self.names, _ = published_names(self._given.columns, "the table")
        fit_shuffles(self._df.sparkSession, self.n_rows, self.block)

    def _arrange(self, request: Request, hidden: str | None = None) -> None:
        """Set up the rows with the columns that are published or coded, and the ``hidden`` one if given."""
        self._df = prepared(masked(self._given, request.schema), request.schema, request.words.fold, hidden)
        if request.preparation.says_something:
            request.preparation.check(request.schema, self._df.columns)
            self._prepare(request.preparation)
        self.n_rows = self._df.count()

    def carry(self, name: str, request: Request) -> None:
        """Set up the rows again unless they have the column."""
        if name not in self._df.columns:
            self.close()
            self._arrange(request, name)

    def _prepare(self, preparation: Preparation) -> None:
        """Prepare the rows; the cluster counts what a step has to know about all of them."""
        first, then = preparation.in_two()
        sampled = first.sampled(self.randomness.child("prepare"))
        self._df = changed(self._df, lambda rows, place: first.piece(sampled(rows, place)))
        if first.share < 1:
            self._sampled = self._df.persist(StorageLevel.DISK_ONLY)  # one sample, however often the rows are evaluated
        if then.steps:
            known = then.learned(self._tally)
            self._df = changed(self._df, lambda rows, _: known.piece(rows))

    def _tally(self, name: str, person: str | None) -> pl.DataFrame:
        """The number of rows, or people, with each value of a column."""
        rows = self._df.select(*numbered([name] if person is None else [name, person]))
        return as_polars(counted(rows if person is None else rows.distinct(), ["c0"])).rename({"c0": VALUE})

    def sample(self, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """Rows drawn by the cluster; the first ones if it draws none, or if one is enough."""
        some = self._df.select(*map(quoted, names))
        share = min(1.0, 1.2 * n_rows / self.n_rows) if n_rows > 1 else 1.0
        rows = settle(as_polars((some.sample(share) if share < 1 else some).limit(n_rows)))
        return settle(as_polars(some.limit(n_rows))) if rows.is_empty() else rows

    def values_of(self, names: Sequence[str]) -> dict[str, pl.DataFrame]:
        """The values of a few columns at a time, because each is a small job that waits more than it works."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return dict(zip(names, pool.map(self.values, names), strict=True))

    def values(self, name: str) -> pl.DataFrame:
        """The distinct values of a column, counted by the cluster.

        Raises:
            InputError: there are more than the driver can take.
        """
        found = as_polars(counted(self._df, [name]).limit(MOST_VALUES + 1))
        if found.height > MOST_VALUES:
            raise InputError(
                f"The column {name!r} has more than {MOST_VALUES:,} distinct values, too many to number; round it "
                "first, or make it an identifier."
            )
        return found.rename({"c0": VALUE})

    def people(self, person: str) -> CountedPeople:
        """The number of people and their values, counted by the cluster."""
        return count_people(self._df, self.columns, person)

    def distinct(self, names: Sequence[str], *, of_people: bool = False) -> tuple[Codes, Offsets, Codes | None]:
        """Like the base class, counted by the cluster; the driver sees the keys of people and numbers them."""
        asked, what = [*names], "distinct rows"
        if of_people:
            asked, what = [*names, str(self.columns.person)], "distinct rows of people"
        rows = as_polars(counted(self._df, asked).limit(MOST_ROWS + 1))
        if rows.height > MOST_ROWS:
            raise InputError(
                f"The table has more than {MOST_ROWS:,} {what}, too many for a search on the driver; use a local "
                "algorithm such as mondrian, or drop a column."
            )
        if of_people:
            rows = each_unnamed(rows, len(names))
        people = code_people(rows[f"c{len(names)}"]).codes if of_people else None
        codes = [self.columns.codes_of(rows[f"c{place}"], name) for place, name in enumerate(names)]
        return np.array(codes, np.int32), rows[COUNT].to_numpy().astype(np.int64), people

    def recode(self, found: LevelRecoding) -> Any:
        """Recode by one small broadcast join per column."""
        if self.whose is None:
            return recoded(self._df, self.columns, found)
        keyed = with_keys(self._df, self.whose).withColumn(BLOCK, f.lit(0))
        return recoded(keyed, self.columns, found, (WHOSE, BLOCK))

    def map_blocks(self, cuts: Cuts, homes: Homes, goal: Goal, algorithm: Algorithm) -> RecodedRows:
        """Each block is a task; nothing is computed yet."""
        task = BlockTask(self.columns, goal, algorithm, self._key, whose=self.whose)
        return RecodedRows(in_blocks(self._df, cuts, homes, self.block, task), {})

    def rows_of_people(self) -> Offsets:
        """The numbers, counted by the cluster."""
        return rows_of_people(self._df, str(self.columns.person))

    def some_people(self, person: str, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """All rows of people whose key has a certain hash."""
        df = self._df if {person, *names} <= {*self._df.columns} else self._given
        key = key_text(df.schema[person])
        rows = df.select(*(key if name == person else quoted(name) for name in names))
        parts = in_parts(rows, person, max(1, self.n_rows // n_rows))
        return settle(as_polars(parts.filter(f"{quoted(PART)} = 0").drop(PART)))

    def map_people(
        self, blocks: PeopleBlocks, homes: Homes, goal: Goal, algorithm: Algorithm, pseudonym: str | None
    ) -> RecodedRows:
        """Each block is a task; nothing is computed yet."""
        n_parts = -(-self.n_rows // self.block)
        task = BlockTask(self.columns, goal, algorithm, self._key, pseudonym)
        return RecodedRows(in_people_blocks(self._df, blocks, homes, n_parts, task), {}, n_given_up=blocks.n_lost)

    def conclude(self, plan: Plan, request: Request, made: RecodedRows) -> Outcome:
        """Compute the release, keep it on the executors' disks, and verify it there."""
        self.progress.stage("running on the cluster")
        kept = self._shuffled(made.at).persist(StorageLevel.DISK_ONLY)
        try:
            loss = f"avg({quoted(LOSS)})" if LOSS in kept.columns else "NULL"
            n_records, mean_loss = kept.selectExpr("count(*)", loss).first()  # computing them fills the disks
            self.watch.lap("run")
            verdicts, risks = self.check(kept, n_records, plan.goal)
            if plan.pseudonym is not None:
                check_pseudonyms(kept, plan.pseudonym)
            self.notes += self.note_on_repeated(plan.goal, partial(few_people, kept, self.columns))
            as_it_is = self._with_uniques(kept, self.as_it_is(plan.schema, n_records), risks)
            share_given_up = made.n_given_up / self.n_rows
            losses = made.losses or {"lm": share_given_up + (1 - share_given_up) * (mean_loss or 0)}
            frame = kept.drop(LOSS, WITNESS, WHOSE, BLOCK)
            printer = learn_forms(frame, self.columns, plan.schema, request.words)
            frame = letting_go_of(kept, printed(frame, printer, self._key) if printer.columns else frame)
        except BaseException:
            kept.unpersist()
            raise
        self.watch.lap("verify")
        return self.outcome(
            plan, request, made, as_it_is, printer,
            verdicts=verdicts,
            losses={**losses, "suppression": 1 - n_records / self.n_rows},
            frame=frame,
            risks=risks,
            tables=("",) if printer.codebook is None else ("", "codes"),
        )  # fmt: skip

    def _shuffled(self, made: Any) -> Any:
        """The records ordered by random numbers: those drawn by blocks, or a keyed hash of the published values.

        Either is random without the key, and the same if a task runs again. Records are partitioned by it and sorted
        within partitions. Sorting globally would first sample ranges, so every block would be computed twice: once to
        sample, once for the records.
        """
        if DRAWN not in made.columns:
            content = f.to_json(f.struct(*(f.col(quoted(name)) for name in self.columns.order)))
            made = made.withColumn(DRAWN, f.sha2(f.concat(f.lit(self._key), content), 256))
        return made.repartition(quoted(DRAWN)).sortWithinPartitions(quoted(DRAWN)).drop(DRAWN)

    def check(self, kept: Any, n_records: int, goal: Goal) -> tuple[tuple[Verdict, ...], dict[str, float]]:
        """Have the cluster verify every model, and that no more rows were lost than allowed; then compute the risks.

        Raises:
            BrokenPromise: a model does not hold, or there are too many records or too few.
            BlocksCollide: all classes that fail have records of several blocks.
        """
        self.progress.stage("checking")
        spark = kept.sparkSession
        if n_records > self.n_rows or self.n_rows - n_records > goal.most_suppressed(self.n_rows):
            raise BrokenPromise(f"{self.n_rows:,} rows came in and {n_records:,} went out; nothing was written.")
        named = WITNESS in kept.columns
        with opened(kept, self._df, self.columns) as (classes, pools):
            if named:
                quasi = [column.name for column in self.columns.quasi]
                exact = [column.name for column in self.columns.quasi if column.recoding.name != "tree"]
                check_pairs(spark, quasi, exact, with_parts=tells_ways(goal))
            verdicts = []
            for promise in goal.promises:
                reads = promise.reads if isinstance(promise, GroupModel) else "classes"
                scope = pools if reads == "pools" else classes
                if not promise.survives_blocks and classes.whose is not None:
                    shared = blocks_of_failing(spark, promise, scope)
                    if shared and all(len(blocks) > 1 for blocks in shared):
                        raise BlocksCollide(shared)
                if isinstance(promise, ReleaseModel):
                    verdicts.append(verify_whole(spark, promise, scope, self.outline))
                else:
                    verdicts.append(verify(spark, promise, scope))
            if named:
                return tuple(verdicts), self._risks_of_matches(spark)
            counted = self._risks_counted(goal, verdicts, n_records)
            return tuple(verdicts), counted or self._risks(kept)

    def _with_uniques(self, kept: Any, found: AsItIs, risks: dict[str, float]) -> AsItIs:
        """Count the records that are unique if columns without a recoding are known too, by one shuffle of hashes.

        Sets of columns that several adversaries know are counted once, and quasi-identifiers alone not at all if the
        check found that no record is unique by them.
        """
        if not found:
            return found
        sets = known_columns([column.name for column in self.columns.quasi], found.others, found.sensitive)
        is_sure = WITNESS not in kept.columns and not risks["unique"]
        asked = [names for names in dict.fromkeys(sets) if not is_sure or names != sets[0]]
        hashes = [
            f.xxhash64(*(part for name in names for part in (f.col(quoted(name)), f.col(quoted(name)).isNull())))
            for names in asked
        ]
        seen = kept.select(f.posexplode(f.array(*hashes)).alias("who", "hash")).groupBy("who", "hash").count()
        alone = dict(seen.where("count = 1").groupBy("who").count().collect())
        counts = {names: alone.get(who, 0) for who, names in enumerate(asked)}
        return with_counts(found, [counts.get(names, 0) for names in sets], self.columns.order)

    def _risks_of_matches(self, spark: Any) -> dict[str, float]:
        """The risks if records have their own cells: each row's verified matches are equally likely."""
        sizes = f"SELECT count(*) AS n FROM {PAIRS} GROUP BY block, row"  # noqa: S608
        asked = "1 / min(n) AS highest, avg(1 / n) AS average, avg(CASE WHEN n = 1 THEN 1 ELSE 0 END) AS unique"
        row = spark.sql(f"SELECT {asked} FROM ({sizes})").first()  # noqa: S608
        return {name: float(row[name]) for name in ("highest", "average", "unique")}

    def _risks_counted(self, goal: Goal, verdicts: Sequence[Verdict], n_records: int) -> dict[str, float]:
        """The same risks from the verdict on k-anonymity, which counted the classes; empty if there is none."""
        answers = zip(goal.promises, verdicts, strict=True)
        sizes = next((verdict for promise, verdict in answers if type(promise) is KAnonymity and promise.k > 1), None)
        if sizes is None:
            return {}
        return {"highest": 1 / sizes.achieved, "average": sizes.n_groups / n_records, "unique": 0.0}

    def _risks(self, kept: Any) -> dict[str, float]:
        """A quick audit in SQL: the probability of finding the record of a person with known quasi-identifiers."""
        keys = numbered([column.name for column in self.columns.quasi])
        rows = f.count(f.lit(1))
        people = rows if self.columns.person is None else f.countDistinct(f.col(quoted(WHOSE)))
        sizes = kept.groupBy(*keys).agg(rows.alias("n"), people.alias("p"))
        chances = f.sum(f.col("n") / f.col("p")).alias("chances")
        alone = f.sum(f.when(f.col("p") == 1, f.col("n")).otherwise(0)).alias("alone")
        row = sizes.agg(f.min("p").alias("least"), chances, f.sum("n").alias("records"), alone).first()
        return {
            "highest": 1 / row["least"],
            "average": row["chances"] / row["records"],
            "unique": row["alone"] / row["records"],
        }


def letting_go_of(kept: Any, frame: Any) -> Any:
    """The frame, with an ``unpersist`` that also releases the records on disk that it is derived from.

    Spark looks for the frame itself in its cache, but the cached one has more columns: the block and the person of each
    row.
    """
    own = frame.unpersist

    def unpersist(blocking: bool = False) -> Any:
        kept.unpersist(blocking)
        return own(blocking)

    frame.unpersist = unpersist
    return frame
