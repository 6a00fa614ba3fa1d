"""Whole histories on a cluster: blocks of people are tasks, and SQL counts who shares a history."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from engine.backends.spark.test_people_on_spark import PROMISES, columns_over
from shoal.core.contracts import GroupModel
from shoal.core.groups import Groups
from shoal.engine.backends.spark.sql.promise_queries import judge as asked
from shoal.engine.backends.spark.sql.views import opened
from shoal.io.column_rules import WHOSE
from shoal.models.of_histories import of_histories
from support.histories_judge import complaints, read, worst_values
from support.random_histories import keyed_visits

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.slow]

QUASI = ["age", "town", "month"]
SAID: dict[str, Any] = {
    "quasi_identifiers": QUASI,
    "sensitive": ["illness"],
    "others": ["row"],
    "person": "who",
    "linked": "histories",
    "algorithm": "mondrian",
    "suppression_limit": 0.1,
}


def visits(n_people: int = 120, often: int = 0) -> pl.DataFrame:
    return keyed_visits(n_people, often, lengths=[1, 2, 3], many=20)


def df_of(spark: Any, frame: pl.DataFrame) -> Any:
    return spark.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest())).repartition(3)


def test_histories_of_k_people_with_pseudonyms_and_values(spark: Any, tmp_path: Path) -> None:
    from shoal.spark import release as run

    frame = visits()
    frame.write_csv(tmp_path / "visits.csv")
    said = {**SAID, "privacy": {"k": 4, "l": "2:illness"}, "publish_person": "pseudonym"}
    made = run(df_of(spark, frame), rows=100, **said)
    release = pl.from_arrow(made.frame.toArrow())
    assert isinstance(release, pl.DataFrame)
    made.frame.unpersist()
    release.write_csv(tmp_path / "release.csv")
    original, published = read(tmp_path / "visits.csv"), read(tmp_path / "release.csv")
    assert complaints(original, published, "who", QUASI, 4) == []
    assert worst_values(original, published, "who", QUASI, "illness")[0] >= 2
    assert [verdict.holds for verdict in made.verdicts] == [True, True]
    assert frame.height * 0.9 <= release.height == made.n_records < frame.height
    assert release.columns == ["who", "row", *QUASI, "illness"]


@pytest.mark.nightly
def test_values_of_histories_are_as_close_as_was_promised(spark: Any, tmp_path: Path) -> None:
    from shoal.spark import release as run

    frame = visits(often=2)
    frame.write_csv(tmp_path / "visits.csv")
    made = run(df_of(spark, frame), rows=100, **SAID, privacy={"k": 3, "t": "0.5:illness"})
    release = pl.from_arrow(made.frame.toArrow())
    assert isinstance(release, pl.DataFrame)
    made.frame.unpersist()
    release.write_csv(tmp_path / "release.csv")
    original, published = read(tmp_path / "visits.csv"), read(tmp_path / "release.csv")
    assert complaints(original, published, "who", QUASI, 3) == []
    assert worst_values(original, published, "who", QUASI, "illness")[1] <= 0.5 + 1e-9


def histories_of_few(n_people: int = 40) -> pl.DataFrame:
    """One or two rows each and few cells, so that many people have equal histories."""
    rng = np.random.default_rng(5)
    who = np.repeat(np.arange(n_people), rng.choice([1, 2], n_people))
    return pl.DataFrame(
        {
            "who": [f"p{one}" for one in who],
            "zone": [["a", "b"][one % 2] for one in range(who.size)],
            "ill": rng.choice(["flu", "cough", "hiv"], who.size),
            "pay": rng.integers(0, 3, who.size) * 10,
        }
    )


@pytest.mark.parametrize(
    "promises",
    [
        (PROMISES[0], PROMISES[1], PROMISES[10]),
        pytest.param((*PROMISES[3:8], *PROMISES[10:16]), marks=pytest.mark.nightly),
    ],
    ids=["some", "others"],
)
def test_sql_and_models_agree_about_histories(spark: Any, promises: tuple[GroupModel, ...]) -> None:
    rows = histories_of_few()
    columns, table = columns_over(rows)
    classes = Groups.from_ids(rows["zone"].rank("dense").to_numpy().astype(np.int32) - 1, 2)
    published, judged = rows.rename({"who": WHOSE}), []
    with opened(df_of(spark, published), df_of(spark, rows), columns) as (scope, _):
        for said in promises:
            promise = of_histories(said.of_people())
            measures = [measures for _, measures in promise.judged_groups(table, classes)]
            known, found = promise.verdict(np.concatenate(measures)), asked(spark, promise, scope)
            assert found.achieved == pytest.approx(known.achieved), promise
            assert found.holds == known.holds, (found, known)
            judged.append(found.holds)
    assert {*judged} == {True, False}


@pytest.mark.parametrize(
    ("said", "error", "why"),
    [
        ({"privacy": {"k": 99}}, shoal.InputError, "k = 99 needs at least 99 people, but the table has"),
        ({"person": "age"}, shoal.InputError, "'age' is named as"),
        ({"suppression_limit": 0}, shoal.GoalNotMet, "rows must be left out, because fewer than 2 people"),
        ({"linked": "rows", "publish_person": "pseudonym"}, shoal.InputError, "histories"),
    ],
)
def test_what_cannot_be_had_is_said(spark: Any, said: dict[str, Any], error: type[Exception], why: str) -> None:
    from shoal.spark import release

    with pytest.raises(error, match=why):
        release(df_of(spark, visits(30)), **{**SAID, "privacy": {"k": 2}, **said})
