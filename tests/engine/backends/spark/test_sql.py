"""SQL and the models come to the same verdicts, on releases that keep their promises and on broken ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import shoal
from shoal import algorithms
from shoal.core.contracts import Algorithm, Goal, GroupModel, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.engine.backends.coded_columns import CodedColumns, learn_columns
from shoal.engine.backends.spark.block_tasks import BlockTask
from shoal.engine.backends.spark.sql.matches import check_pairs, faults
from shoal.engine.backends.spark.sql.promise_queries import judge, refuse_unasked, verify
from shoal.engine.backends.spark.sql.scope import WITNESS
from shoal.engine.backends.spark.sql.views import opened
from shoal.errors import BrokenPromise, InputError
from shoal.io.column_rules import BLOCK
from shoal.io.table_file import COUNT, VALUE
from shoal.metrics import LM

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.slow]

TREE = shoal.Hierarchy.from_dict({"*": {"cold": ["flu", "cough"], "bad": {"worse": ["hiv", "aids"], "bone": ["leg"]}}})
ILLS = ["flu", "cough", "hiv", "aids", "leg", None]

ALONE: dict[str, Any] = {"of": "ill", "others": "ignore"}

PROMISES: list[GroupModel] = [
    shoal.KAnonymity(20),
    shoal.LDiversity(6, **ALONE),
    shoal.LDiversity(5, "entropy", **ALONE),
    shoal.LDiversity(5, "grassberger", **ALONE),
    shoal.LDiversity(3.5, "frequency", **ALONE),
    shoal.LDiversity(2, "recursive", 0.4, **ALONE),
    shoal.LDiversity(5, of="pay"),
    shoal.AlphaK(0.3, 20, **ALONE),
    shoal.AlphaK(0.25, 2, ("flu", "(missing)"), **ALONE),
    shoal.PSensitive(6, 2),
    shoal.TCloseness(0.15, **ALONE),
    shoal.TCloseness(0.08, "ordered", of="pay", others="ignore"),
    shoal.TCloseness(0.1, "hierarchical", **ALONE),
    shoal.BetaLikeness(0.8, **ALONE),
    shoal.BetaLikeness(0.8, "enhanced", **ALONE),
    shoal.DeltaDisclosure(0.5, **ALONE),
]


def _columns(rows: pl.DataFrame, quasi: list[str], sensitive: list[str], **schema: Any) -> CodedColumns:
    values = {
        name: rows.select(pl.col(name).alias(VALUE)).group_by(VALUE).agg(pl.len().cast(pl.Int64).alias(COUNT))
        for name in (*quasi, *sensitive)
    }
    return learn_columns(values, Schema(tuple(quasi), tuple(sensitive), **schema), rows.columns, rows.height)


def _df(spark: Any, frame: pl.DataFrame) -> Any:
    return spark.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest())).coalesce(2)


@pytest.mark.parametrize("is_broken", [pytest.param(False, marks=pytest.mark.nightly), True])
def test_promises_about_groups(spark: Any, is_broken: bool) -> None:
    words, n = Randomness(4), 120
    zones = [["a", "b", "c", None][each] for each in words.integers(4, n).tolist()]
    original = pl.DataFrame(
        {
            "zone": zones,
            "ill": [ILLS[each] for each in words.integers(6, n).tolist()],
            "pay": words.integers(9, n).astype(np.int64) * 10,
        }
    )
    columns = _columns(original, ["zone"], ["ill", "pay"], hierarchies={"ill": TREE})
    published = original.head(40) if is_broken else original.with_columns(zone=pl.lit("*"))
    ids = published["zone"].rank("dense").fill_null(0).to_numpy().astype(np.int32)
    groups = Groups.from_ids(ids - ids.min(), published["zone"].n_unique())
    table = columns.table(published.with_columns(zone=pl.lit("a")))
    with opened(_df(spark, published), _df(spark, original), columns) as (scope, _):
        for promise in PROMISES:
            known, found = promise.verdict(promise.measure(table, groups)), judge(spark, promise, scope)
            assert found.holds is known.holds is not is_broken, (found, known)
            assert found.achieved == pytest.approx(known.achieved), promise
            assert (found.n_groups, found.wanted) == (known.n_groups, pytest.approx(known.wanted)), promise


GOALS: list[tuple[Algorithm, list[PrivacyModel]]] = [
    (algorithms.NonHomogeneous(), [shoal.UniformMatching(4), shoal.LDiversity(2)]),
    (algorithms.Concealment(linkage=1, steps=3), [shoal.KK(3), shoal.KConcealment(3), shoal.OneK(4), shoal.KOne(4)]),
]


def _people() -> pl.DataFrame:
    words, n = Randomness(5), 60
    return pl.DataFrame(
        {
            "age": words.integers(30, n).astype(np.int64),
            "zip": [f"z{each}" for each in words.integers(4, n).tolist()],
            "ill": ["abcd"[each] for each in words.integers(4, n).tolist()],
        }
    )


def _published(columns: CodedColumns, goal: Goal, algorithm: Algorithm) -> pl.DataFrame:
    """What tasks give, of two blocks."""
    task, people = BlockTask(columns, goal, algorithm, "key"), _people().sort("age")
    made = []
    for block in (0, 1):
        rows = people[block * 30 : block * 30 + 30].with_columns(pl.lit(block, pl.Int32).alias(BLOCK))
        made.append(task.run(rows.to_arrow(compat_level=pl.CompatLevel.oldest())))
    frame = pl.from_arrow(pa.concat_tables(made))
    assert isinstance(frame, pl.DataFrame)
    leads = pl.col(WITNESS).struct
    return frame.sort(leads.field("up") == leads.field("row"), maintain_order=True)


def _ruined(frame: pl.DataFrame, lies: list[dict[str, Any]]) -> pl.DataFrame:
    """A release whose first records, none of which is a root, have something else in their witnesses."""
    seen = frame[WITNESS].struct.unnest()
    first = [
        seen[n].with_columns(**{name: pl.lit(value, dtype=seen[name].dtype) for name, value in fields.items()})
        for n, fields in enumerate(lies)
    ]
    return frame.with_columns(pl.concat([*first, seen[len(lies) :]]).to_struct(WITNESS))


@pytest.mark.parametrize(("algorithm", "promises"), GOALS, ids=["named", "fits"])
def test_promises_about_matches(spark: Any, algorithm: Algorithm, promises: list[PrivacyModel]) -> None:
    people = _people()
    columns, goal = _columns(people, ["age", "zip"], ["ill"]), Goal(tuple(promises), LM())
    frame, original = _published(columns, goal, algorithm), _df(spark, people)
    proven = any(isinstance(promise, shoal.KConcealment) for promise in promises)
    with opened(_df(spark, frame), original, columns) as (_, pools):
        check_pairs(spark, ["age", "zip"], ["age", "zip"], with_parts=proven)
        for promise in promises:
            assert verify(spark, promise, pools).achieved >= getattr(promise, "k", 2)
    seen = frame[WITNESS].struct.unnest()
    nothing = pl.lit(None, pl.Int32)
    alone = seen.with_columns(rows=pl.concat_list("row"), up=nothing, down=nothing, part=pl.col("row"))
    with opened(_df(spark, frame.with_columns(alone.to_struct(WITNESS))), original, columns) as (_, pools):
        for promise in promises:
            verdict = judge(spark, promise, pools)
            assert (verdict.holds, verdict.achieved, verdict.n_failing) == (False, 1, 60), promise
    last = seen[-1].to_dicts()[0]
    lies: list[dict[str, Any]] = [
        {"cells": [[0, 0], [0, 0]]},
        {"codes": [500, 0]},
        {"row": last["row"], "block": last["block"]},
        {"rows": [*seen["rows"][3].to_list(), 999]},
    ]
    if proven:
        lies += [{"part": 10_000}, {"up_rank": -1}, {"down_rank": -1}]
    ruined = _ruined(frame, lies)
    ruined = ruined.with_columns(age=pl.when(pl.int_range(pl.len()) < 20).then(pl.lit("same")).otherwise("age"))
    with opened(_df(spark, ruined), original, columns):
        found = faults(spark, ["age", "zip"], ["age"], with_parts=proven)
        assert all(found.values()), found
        assert found["rows do not fit the records that they should"] >= 2
        with pytest.raises(BrokenPromise, match="failed its own check"):
            check_pairs(spark, ["age", "zip"], [], with_parts=proven)


def test_what_is_not_put_into_sql() -> None:
    for promise in (shoal.KMap(3), shoal.DeltaPresence(0.5), shoal.LinkageBound(0.5)):
        with pytest.raises(InputError, match="cannot be verified in SQL"):
            refuse_unasked(promise)
