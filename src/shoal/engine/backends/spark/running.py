"""From a Spark DataFrame to a verified Spark DataFrame."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from shoal.core.contracts import Algorithm, Goal, GroupModel, Verdict
from shoal.core.progress import Progress, Silent
from shoal.core.schema import Schema
from shoal.engine.backends.algorithm_for_pieces import choose_for_pieces, levels_in_order
from shoal.engine.backends.spark.blocks import LOSS, in_blocks
from shoal.engine.backends.spark.columns import as_polars, learned, prepared, quoted
from shoal.engine.backends.spark.full_domain import at_levels
from shoal.engine.backends.spark.sql import refuse_unasked, verify
from shoal.engine.backends.spark.sql.matches import check_pairs
from shoal.engine.backends.spark.sql.scope import PAIRS, WITNESS
from shoal.engine.backends.spark.sql.views import opened
from shoal.engine.backends.verbs import AT_ONCE, refuse_said
from shoal.engine.plan import Request
from shoal.engine.vocabulary import AnonymizeWords, Reading
from shoal.errors import BrokenPromise, InputError
from shoal.models import KConcealment


@dataclass(frozen=True, eq=False)
class SparkRelease:
    """A verified release on the cluster: ``frame`` is kept there on disk until ``frame.unpersist()``."""

    frame: Any = field(repr=False)
    verdicts: tuple[Verdict, ...]
    losses: dict[str, float]
    risks: dict[str, float]
    n_rows: int
    n_records: int
    algorithm: Algorithm
    reason: str
    goal: Goal
    schema: Schema = field(repr=False)
    levels: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict, repr=False)


def anonymize(df: Any, **words: Any) -> Any:
    """Publish a Spark DataFrame so that every promise holds, as a Spark DataFrame; words as in ``release``."""
    return release(df, **words).frame


def release(
    df: Any,
    *,
    rows: int = 200_000,
    progress: Progress | None = None,
    folder: str | Path = ".",
    **words: Any,
) -> SparkRelease:
    """Publish a Spark DataFrame; the words are those of ``shoal.anonymize``, and the table never comes to the driver.

    Full-domain levels (``algorithm="lattice"`` or ``levels``) are looked for on the driver, on the distinct rows with
    the counts that the cluster gives. Other algorithms run in tasks, on blocks of about ``rows`` similar rows. Every
    promise is verified by the cluster in plain SQL before this returns. Records leave in an order that is random to
    everybody without the key, which is thrown away.

    Raises:
        InputError: something given cannot be used, or needs all rows in one place.
        GoalNotMet: no release was found that keeps the promises.
        BrokenPromise: the release failed our own check, which is our bug.
    """
    start, progress = perf_counter(), progress or Silent()
    said = AnonymizeWords.said(words)
    refuse_said(said, (*AT_ONCE, *_NOT_HERE), "On Spark {word!r} cannot be used; leave it out, or run without Spark.")
    request = Request.of(said, Path(folder))
    _refuse(request.goal)
    with _reasons():
        run = _Run(df, request, progress, rows)
        return run.release(said.algorithm, levels_in_order(request), start)


_NOT_HERE = (*(word for word in Reading.model_fields if word not in (*AT_ONCE, "fold")), "seed", "roles")
"""Words that a DataFrame has no use for, or a cluster: tasks end in any order."""


class _Run:
    """One run: the table on the cluster, and what is known of it here."""

    def __init__(self, df: Any, request: Request, progress: Progress, rows: int) -> None:
        self.schema, self.goal, self.progress, self.rows = request.schema, request.goal, progress, rows
        progress.stage("reading")
        self.df = prepared(df, self.schema, request.words.fold)
        self.columns = learned(self.df, self.schema)
        self.key = secrets.token_hex(16)

    def release(self, said: Any, levels: tuple[int, ...] | None, start: float) -> SparkRelease:
        """Make, keep, verify."""
        from pyspark import StorageLevel

        first = as_polars(self.df.limit(1000))
        choice = choose_for_pieces(said, levels, self.columns.table(first), self.goal)
        found = None
        if choice.algorithm.works_on_counts:
            made, found = at_levels(self.df, self.columns, self.goal, choice.algorithm, self.progress, levels)
        else:
            made = in_blocks(self.df, self.columns, self.goal, choice.algorithm, self.rows, self.key)
        self.progress.stage("running on the cluster")
        kept = self._shuffled(made).persist(StorageLevel.DISK_ONLY)
        try:
            n_records = kept.count()
            ran = perf_counter()
            verdicts, risks = self._verdicts(kept, n_records)
            losses = {self.goal.metric.name: found.loss} if found else {"lm": float(_one(kept, f"avg({quoted(LOSS)})"))}
        except BaseException:
            kept.unpersist()
            raise
        return SparkRelease(
            frame=kept.drop(LOSS, WITNESS),
            verdicts=verdicts,
            losses={**losses, "suppression": 1 - n_records / self.columns.n_rows},
            risks=risks,
            n_rows=self.columns.n_rows,
            n_records=n_records,
            algorithm=choice.algorithm,
            reason=choice.reason,
            goal=self.goal,
            schema=self.schema,
            levels=found.levels if found else None,
            notes=(found.account,) if found and found.account else (),
            seconds={"run": ran - start, "verify": perf_counter() - ran},
        )

    def _shuffled(self, made: Any) -> Any:
        """In the order of a keyed hash of what is published: random without the key, the same if a task runs again."""
        from pyspark.sql import functions as f

        content = f.to_json(f.struct(*(f.col(quoted(name)) for name in self.columns.order)))
        return made.orderBy(f.sha2(f.concat(f.lit(self.key), content), 256))

    def _verdicts(self, kept: Any, n_records: int) -> tuple[tuple[Verdict, ...], dict[str, float]]:
        """Ask the cluster about every promise, and that nothing was lost on the way; then for the risks."""
        self.progress.stage("checking")
        n_rows, spark = self.columns.n_rows, kept.sparkSession
        if n_records > n_rows or n_rows - n_records > self.goal.most_suppressed(n_rows):
            raise BrokenPromise(f"{n_rows:,} rows came in and {n_records:,} went out; nothing was written.")
        named = WITNESS in kept.columns
        with opened(kept, self.df, self.columns) as (classes, pools):
            if named:
                check_pairs(spark, self.schema.quasi_identifiers, self._exact(), with_parts=self._with_parts())
            verdicts = []
            for promise in self.goal.promises:
                reads = promise.reads if isinstance(promise, GroupModel) else "classes"
                verdicts.append(verify(spark, promise, pools if reads == "pools" else classes))
            return tuple(verdicts), self._risks_of_matches(spark) if named else self._risks(kept)

    def _exact(self) -> list[str]:
        """Columns in which no two cells are printed alike: a hierarchy may call two of its nodes the same."""
        return [name for name in self.schema.quasi_identifiers if name not in self.schema.hierarchies]

    def _with_parts(self) -> bool:
        return any(isinstance(promise, KConcealment) for promise in self.goal.promises)

    def _risks_of_matches(self, spark: Any) -> dict[str, float]:
        """The same where records have cells of their own: each row's matches that were looked at, equally likely."""
        sizes = f"SELECT count(*) AS n FROM {PAIRS} GROUP BY block, row"  # noqa: S608
        asked = "1 / min(n) AS highest, avg(1 / n) AS average, avg(CASE WHEN n = 1 THEN 1 ELSE 0 END) AS unique"
        row = spark.sql(f"SELECT {asked} FROM ({sizes})").first()  # noqa: S608
        return {name: float(row[name]) for name in ("highest", "average", "unique")}

    def _risks(self, kept: Any) -> dict[str, float]:
        """A quick audit in SQL: whoever knows somebody's quasi-identifiers finds the record with this chance."""
        from pyspark.sql import functions as f

        keys = [f.col(quoted(name)).alias(f"c{j}") for j, name in enumerate(self.schema.quasi_identifiers)]
        sizes = kept.groupBy(*keys).agg(f.count(f.lit(1)).alias("n"))
        asked = (f.min("n").alias("least"), f.count(f.lit(1)).alias("classes"), f.sum("n").alias("records"))
        row = sizes.agg(*asked, f.sum((f.col("n") == 1).cast("long")).alias("alone")).first()
        return {
            "highest": 1 / row["least"],
            "average": row["classes"] / row["records"],
            "unique": row["alone"] / row["records"],
        }


def _one(df: Any, expression: str) -> Any:
    return df.selectExpr(expression).first()[0]


def _refuse(goal: Goal) -> None:
    for promise in goal.promises:
        refuse_unasked(promise)


class _reasons:  # noqa: N801 (used as a function)
    """Turns what a task raised on purpose into that error again; Spark would show a Java trace."""

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: Any, problem: BaseException | None, where: Any) -> None:
        if problem is None or not type(problem).__module__.startswith(("pyspark", "py4j")):
            return
        text = str(problem)
        for error in (InputError, BrokenPromise):
            mark = f"shoal.errors.{error.__name__}: "
            if mark in text:
                raise error(text.partition(mark)[2].splitlines()[0]) from None
