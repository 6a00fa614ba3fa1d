"""On a cluster people are counted too, and SQL comes to the verdicts of the models."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.core.contracts import GroupModel
from shoal.core.groups import Groups
from shoal.core.node import chosen_levels
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.backends.coded_columns import CodedColumns, CountedPeople, learn_columns
from shoal.engine.backends.spark.people_on_spark import joined_with_next
from shoal.engine.backends.spark.sql.promise_queries import judge as asked
from shoal.engine.backends.spark.sql.views import opened
from shoal.io.column_rules import WHOSE
from shoal.io.people import code_people
from shoal.io.table_file import COUNT, VALUE
from support.people import PLACES, colliding_visits, visits
from support.people_judge import ROW, few_people_told, judge, people_of_classes

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.slow]

TREE = shoal.Hierarchy.from_dict({"*": {"cold": ["flu", "cough"], "bad": {"worse": ["hiv", "aids"], "bone": ["leg"]}}})
ILLS = ["flu", "cough", "hiv", "aids", "leg", None]
ALONE: dict[str, Any] = {"of": "ill", "others": "ignore"}
PROMISES: list[Any] = [
    shoal.KAnonymity(4),
    shoal.LDiversity(3, **ALONE),
    shoal.LDiversity(2, of="pay"),
    shoal.LDiversity(1.5, "entropy", **ALONE),
    shoal.LDiversity(1.5, "grassberger", **ALONE),
    shoal.LDiversity(1.2, "frequency", **ALONE),
    shoal.LDiversity(2, "recursive", 4, **ALONE),
    shoal.AlphaK(0.7, 4, **ALONE),
    shoal.AlphaK(0.5, 2, ("flu", "(missing)"), **ALONE),
    shoal.PSensitive(3, 2),
    shoal.TCloseness(0.4, **ALONE),
    shoal.TCloseness(0.4, "ordered", of="pay", others="ignore"),
    shoal.TCloseness(0.4, "hierarchical", **ALONE),
    shoal.BetaLikeness(1, **ALONE),
    shoal.BetaLikeness(1, "enhanced", **ALONE),
    shoal.DeltaDisclosure(1, **ALONE),
    shoal.LinkageBound(0.3),
    shoal.KConcealment(4),
]


def df_of(spark: Any, frame: pl.DataFrame, parts: int = 2) -> Any:
    signed = frame.with_columns(pl.selectors.unsigned_integer().cast(pl.Int64))
    return spark.createDataFrame(signed.to_arrow(compat_level=pl.CompatLevel.oldest())).repartition(parts)


def rows_of_people() -> pl.DataFrame:
    words, n = Randomness(4), 90
    return pl.DataFrame(
        {
            "who": [None if each == 0 else f"p{each}" for each in words.integers(30, n).tolist()],
            "zone": [["a", "b", "c", None][each] for each in words.integers(4, n).tolist()],
            "ill": [ILLS[each] for each in words.integers(6, n).tolist()],
            "pay": words.integers(4, n).astype(np.int64) * 10,
        }
    )


def columns_over(rows: pl.DataFrame) -> tuple[CodedColumns, Table]:
    """The columns with what people have of them, and the rows as a table, both by the code that runs in memory."""
    values = {
        name: rows.select(pl.col(name).alias(VALUE)).group_by(VALUE).agg(pl.len().cast(pl.Int64).alias(COUNT))
        for name in ("zone", "ill", "pay")
    }
    schema = Schema(("zone",), ("ill", "pay"), hierarchies={"ill": TREE}, person="who")
    columns = learn_columns(values, schema, rows.columns, rows.height)
    table = columns.table(rows).with_people(code_people(rows["who"]).codes)
    held = tuple(column.held.counts for column in table.sensitive if column.held is not None)
    return columns.over_people(CountedPeople(table.n_people, rows["who"].null_count(), held)), table


@pytest.mark.parametrize(
    ("by", "promises"),
    [
        ("pay", PROMISES[::4]),
        pytest.param("pay", PROMISES, marks=pytest.mark.nightly),
        pytest.param("zone", PROMISES, marks=pytest.mark.nightly),
    ],
    ids=["pay, some promises", "pay", "zone"],
)
def test_sql_and_models_agree_about_people(spark: Any, by: str, promises: list[GroupModel]) -> None:
    rows = rows_of_people()
    columns, table = columns_over(rows)
    labels = rows["zone"].fill_null("none") if by == "zone" else pl.Series("zone", [str(i % 9) for i in range(90)])
    ids = labels.rank("dense").to_numpy().astype(np.int32) - 1
    groups = Groups.from_ids(ids, labels.n_unique())
    keys = rows["who"].fill_null("own " + pl.Series(range(90)).cast(pl.String)).alias(WHOSE)
    published = rows.drop("who").with_columns(labels.alias("zone"), keys)
    judged = []
    with opened(df_of(spark, published), df_of(spark, rows), columns) as (scope, _):
        for promise in (said.of_people() for said in promises):
            assert isinstance(promise, GroupModel)
            known, found = promise.verdict(promise.measure(table, groups)), asked(spark, promise, scope)
            assert found.achieved == pytest.approx(known.achieved), promise
            assert (found.holds, found.n_groups) == (known.holds, known.n_groups), (found, known)
            judged.append(found.holds)
    assert any(judged)
    assert not all(judged) or by == "zone"


@pytest.mark.parametrize(
    "privacy",
    [
        pytest.param({"k": 4}, marks=pytest.mark.nightly),
        {"k": 3, "l": 2, "t": "0.6"},
        pytest.param({"linkage": 0.4, "l": "1.3:entropy"}, marks=pytest.mark.nightly),
    ],
)
def test_releases_of_the_cluster_hide_people_among_people(spark: Any, privacy: dict[str, Any], tmp_path: Path) -> None:
    from shoal.spark import release

    rows = visits(900, seed=4, n_people=300).with_row_index(ROW)
    rows = rows.with_columns(who=pl.when(pl.col(ROW) % 97 > 0).then("who"))
    said: dict[str, Any] = {
        "quasi_identifiers": ["age", "zip"],
        "sensitive": ["illness"],
        "others": [ROW],
        "person": "who",
    }
    made = release(df_of(spark, rows, 4), rows=250, **said, privacy=privacy)
    frame = pl.from_arrow(made.frame.toArrow())
    assert isinstance(frame, pl.DataFrame)
    assert set(frame.columns) == {"age", "zip", "illness", ROW}
    rows.write_csv(tmp_path / "original.csv")
    frame.write_csv(tmp_path / "release.csv")
    found = judge(tmp_path / "release.csv", tmp_path / "original.csv", ["age", "zip"], "who", "illness")
    assert found.n_records == rows.height
    assert found.fewest_people >= privacy.get("k", 1)
    assert found.fewest_values >= 2 or "l" not in privacy
    assert float(found.farthest) <= 0.6 + 1e-9 or "t" not in privacy
    assert float(found.largest_part) <= 0.4 + 1e-9 or "linkage" not in privacy
    assert made.risks["highest"] == pytest.approx(1 / found.fewest_people)
    assert all("(people counted)" in verdict.promise for verdict in made.verdicts)
    assert any("10 of 900 rows have no value in 'who'" in note for note in made.notes)


@pytest.mark.parametrize(
    "privacy", [{"k": 3, "l": 2}, pytest.param({"k": 4, "linkage": 0.4, "t": "0.5"}, marks=pytest.mark.nightly)]
)
def test_levels_over_people_are_those_of_a_run_in_memory(spark: Any, privacy: dict[str, Any], tmp_path: Path) -> None:
    from shoal.spark import release

    rows = visits(700, seed=4, n_people=233).with_row_index(ROW)
    rows = rows.with_columns(who=pl.when(pl.col(ROW) % 97 > 0).then("who"))
    said: dict[str, Any] = {"quasi_identifiers": ["age", "zip"], "sensitive": ["illness"], "others": [ROW]}
    said |= {"hierarchies": {"age": shoal.Intervals(width=5), "zip": shoal.Mask()}, "suppression_limit": 0.2}
    said |= {"person": "who", "privacy": privacy, "algorithm": "lattice"}
    made, local = release(df_of(spark, rows), **said), shoal.anonymize(rows, audit="off", **said)
    frame = pl.from_arrow(made.frame.toArrow())
    assert isinstance(frame, pl.DataFrame)
    assert made.levels == chosen_levels(local.release)
    assert 0 < made.n_records < rows.height
    assert Counter(map(str, frame.select(local.frame.columns).iter_rows())) == Counter(
        map(str, local.frame.iter_rows())
    )
    assert [v.achieved for v in made.verdicts] == pytest.approx([v.achieved for v in local.verdicts])
    rows.write_csv(tmp_path / "original.csv")
    frame.write_csv(tmp_path / "release.csv")
    found = judge(tmp_path / "release.csv", tmp_path / "original.csv", ["age", "zip"], "who", "illness")
    assert found.fewest_people >= privacy["k"]
    assert found.fewest_values >= privacy.get("l", 1)
    assert float(found.largest_part) <= privacy.get("linkage", 1) + 1e-9
    assert float(found.farthest) <= 0.5 + 1e-9 or "t" not in privacy


def test_blocks_whose_classes_are_printed_alike_are_run_as_one(spark: Any, tmp_path: Path) -> None:
    from shoal.spark import anonymize

    rows, quasi = colliding_visits().with_row_index(ROW), ["place", "age"]
    said: dict[str, Any] = {"quasi_identifiers": quasi, "sensitive": ["illness"], "others": [ROW], "person": "who"}
    made = anonymize(df_of(spark, rows), rows=7, hierarchies={"place": PLACES}, privacy={"k": 6, "l": 2}, **said)
    released = pl.from_arrow(made.toArrow())
    assert isinstance(released, pl.DataFrame)
    released.write_csv(tmp_path / "release.csv")
    rows.write_csv(tmp_path / "original.csv")
    found = judge(tmp_path / "release.csv", tmp_path / "original.csv", quasi, "who", "illness")
    assert found.n_records == 21
    assert found.fewest_people >= 6
    assert found.fewest_values >= 2


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"privacy": {"k": 14}}, "k = 14 needs at least 14 people, but the table has 13"),
        ({"privacy": {"k": 2}, "person": "hwo"}, "no column 'hwo'"),
        ({"privacy": {"k": 2}, "person": "age"}, "'age' is named as"),
    ],
)
def test_what_cannot_be_had_is_said(spark: Any, said: dict[str, Any], why: str) -> None:
    from shoal.spark import anonymize

    usual = {"quasi_identifiers": ["place", "age"], "sensitive": ["illness"], "person": "who"}
    with pytest.raises(shoal.InputError, match=why):
        anonymize(df_of(spark, colliding_visits()), **{**usual, **said})


def test_one_person_hides_nobody_and_one_with_a_hundred_thousand_rows_is_one(spark: Any) -> None:
    from shoal.spark import anonymize

    said: dict[str, Any] = {"quasi_identifiers": ["age"], "person": "who"}
    alone = pl.DataFrame({"who": ["busy"] * 100_000, "age": [30 + row % 7 for row in range(100_000)]})
    with pytest.raises(shoal.InputError, match="k = 2 needs at least 2 people, but the table has 1"):
        anonymize(df_of(spark, alone), privacy={"k": 2}, **said)
    rows = pl.concat([alone, pl.DataFrame({"who": ["a", "b", "c"], "age": [30, 31, 32]})])
    made = anonymize(df_of(spark, rows), privacy={"k": 4}, **said)
    assert [row["n"] for row in made.groupBy("age").count().withColumnRenamed("count", "n").collect()] == [100_003]


@pytest.mark.parametrize(
    ("more", "has_few"),
    [
        ({"algorithm": "mondrian", "rows": 100}, True),
        ({"levels": {"age": 1, "zip": 0}}, True),
        ({"levels": {"age": 4, "zip": 2}}, False),
    ],
    ids=["blocks", "levels", "no class of few people"],
)
def test_an_identifier_that_repeats_is_told_as_in_memory(
    spark: Any, more: dict[str, Any], has_few: bool, tmp_path: Path
) -> None:
    from shoal.spark import release

    rows = visits(600, seed=4, n_people=200).with_row_index(ROW)
    keyed = rows.with_columns(who=pl.when(pl.col(ROW) % 97 > 0).then("who"))
    keyed.write_csv(tmp_path / "visits.csv")
    said: dict[str, Any] = {
        "quasi_identifiers": ["age", "zip"], "sensitive": ["illness"], "identifiers": ["who"], "others": [ROW],
        "hierarchies": {"age": shoal.Intervals(width=5), "zip": shoal.Mask()}, "privacy": {"k": 3}, **more,
        "suppression_limit": 0.5,
    }  # fmt: skip
    made = release(df_of(spark, keyed), **said)
    published = pl.from_arrow(made.frame.toArrow())
    assert isinstance(published, pl.DataFrame)
    assert {*published.columns} == {"age", "zip", "illness", ROW}
    published.write_csv(tmp_path / "release.csv")
    people = people_of_classes(tmp_path / "release.csv", tmp_path / "visits.csv", ["age", "zip"], "who")
    told = [note.partition(" Name the column")[0] for note in made.notes if note.startswith("Rows were counted")]
    assert told == few_people_told(people, "who", 3)
    assert has_few == bool(told)


def test_homes_that_cannot_stand_alone_join_the_next() -> None:
    homes = np.array([0, 1, 2, 3, 3], np.int32)
    assert joined_with_next(homes, {0, 1}).tolist() == [0, 0, 2, 3, 3]
    assert joined_with_next(homes, {3}).tolist() == [0, 1, 2, 2, 2]
    with pytest.raises(shoal.GoalNotMet):
        joined_with_next(np.zeros(3, np.int32), {0})
