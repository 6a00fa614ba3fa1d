"""On a real cluster: the same levels as in memory, every promise kept, and the right thing when something breaks."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.algorithms import Mondrian
from shoal.cli import main
from shoal.core.contracts import Goal
from shoal.core.node import chosen_levels
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.engine.vocabulary import AnonymizeWords
from shoal.errors import InputError

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.slow]

WORDS: dict[str, Any] = {
    "identifiers": ["name"],
    "quasi_identifiers": ["age", "zip", "sex"],
    "sensitive": ["ill"],
    "others": ["note"],
    "hierarchies": {"age": shoal.Intervals(width=10), "zip": shoal.Mask(), "sex": shoal.Grouping({"*": ["f", "m"]})},
}


def _people(n: int = 2000) -> pl.DataFrame:
    words = Randomness(5)
    drawn = [words.integers(bound, n).astype(np.int64).tolist() for bound in (60, 40, 2, 5)]
    return pl.DataFrame(
        {
            "name": [f"person {row}" for row in range(n)],
            "age": [None if row % 50 == 0 else 20 + age for row, age in enumerate(drawn[0])],
            "zip": [f"{10 + place}" for place in drawn[1]],
            "sex": ["fm"[each] for each in drawn[2]],
            "ill": [None if each == 4 else "abcd"[each] for each in drawn[3]],
            "note": [f"note {row}" for row in range(n)],
        }
    )


def _df(spark: Any, frame: pl.DataFrame, partitions: int = 4) -> Any:
    made = spark.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))
    return made.repartition(partitions)


def _kept_on_disks(spark: Any) -> set[int]:
    """The numbers of what executors keep."""
    return {*spark.sparkContext._jsc.getPersistentRDDs()}


def _back(df: Any) -> pl.DataFrame:
    frame = pl.from_arrow(df.toArrow())
    assert isinstance(frame, pl.DataFrame)
    return frame


@pytest.mark.parametrize("limit", [pytest.param(0.0, marks=pytest.mark.nightly), 0.05])
def test_full_domain_finds_the_levels_of_a_run_in_memory(spark: Any, limit: float) -> None:
    from shoal.spark import release

    promises = [shoal.KAnonymity(5), shoal.LDiversity(2), shoal.TCloseness(0.4)]
    words = {**WORDS, "algorithm": "lattice", "suppression_limit": limit, "privacy": promises}
    local = shoal.anonymize(_people(), audit="off", **words)
    made = release(_df(spark, _people()), **words)
    assert made.levels == chosen_levels(local.release)
    assert Counter(_back(made.frame).iter_rows()) == Counter(local.frame.iter_rows())
    assert made.losses["lm"] == pytest.approx(local.metrics()["lm"])
    assert made.as_it_is == local.as_it_is
    assert str(made.as_it_is) in made.notes
    assert [verdict.holds for verdict in made.verdicts] == [True] * 3
    assert made.verdicts[0].achieved == local.verdicts[0].achieved
    assert made.verdicts[2].achieved == pytest.approx(local.verdicts[2].achieved)


@pytest.mark.parametrize(
    "algorithm",
    ["auto", pytest.param("nonhomogeneous", marks=pytest.mark.nightly), "concealment:steps=5,linkage=1"],
)
def test_local_families_in_blocks(spark: Any, algorithm: str) -> None:
    from shoal.spark import release

    promises: Any = {
        "auto": [shoal.KAnonymity(4), shoal.LDiversity(2)],
        "nonhomogeneous": [shoal.UniformMatching(4), shoal.LDiversity(2)],
    }.get(algorithm, [shoal.KK(3), shoal.KConcealment(3)])
    words = {**WORDS, "hierarchies": {}, "algorithm": algorithm, "privacy": promises, "rows": 300}
    kept = _kept_on_disks(spark)
    made = release(_df(spark, _people(900)), **words)
    frame, people = _back(made.frame), _people(900)
    assert len(_kept_on_disks(spark) - kept) == 1, "the records, until somebody lets go of them"
    made.frame.unpersist(blocking=True)
    assert _kept_on_disks(spark) == kept
    assert frame.columns == ["age", "zip", "sex", "ill", "note"]
    assert Counter(frame["note"]) == Counter(people["note"])
    assert frame["note"].to_list() != people["note"].to_list()
    assert 0 < made.losses["lm"] < 1
    assert [verdict.promise for verdict in made.verdicts] == [str(promise) for promise in promises]
    assert all(verdict.holds for verdict in made.verdicts)
    if algorithm == "auto":
        found = shoal.verify(frame, quasi_identifiers=["age", "zip", "sex"], sensitive=["ill"], privacy=promises)
        assert found.holds
        assert found.verdicts[0].achieved == made.verdicts[0].achieved
        sizes = frame.group_by("age", "zip", "sex").len()["len"]
        alike = {"highest": 1 / sizes.min(), "average": sizes.len() / frame.height, "unique": 0.0}  # type: ignore[operator]
        assert made.risks == pytest.approx(alike)
    assert made.risks["highest"] == 1 / made.verdicts[0].achieved


def test_skew_blocks_of_one_value_empty_partitions_and_nulls(spark: Any) -> None:
    from shoal.spark import anonymize

    frame = pl.DataFrame(
        {"age": [30] * 500 + [None] * 100 + list(range(400)), "ill": [*(["a", "b"] * 500)[:997], None, "c", "c"]}
    )
    promises = [shoal.KAnonymity(5), shoal.LDiversity(2)]
    words = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "privacy": promises, "rows": 100}
    made = _back(anonymize(_df(spark, frame, 13), **words))
    assert Counter(made["ill"]) == Counter(frame["ill"])
    assert shoal.verify(made, quasi_identifiers=["age"], sensitive=["ill"], privacy=promises).holds
    few = _back(anonymize(_df(spark, frame.head(6), 13), **{**words, "privacy": shoal.KAnonymity(6)}))
    assert few["age"].to_list() == ["30"] * 6
    same = pl.DataFrame({"age": [30] * 1000})
    words = {"quasi_identifiers": ["age"], "privacy": shoal.KAnonymity(5), "rows": 100}
    assert _back(anonymize(_df(spark, same), **words))["age"].to_list() == ["30"] * 1000


def _marker(k: int) -> Path:
    """A file that says that an executor was killed; executors see it too."""
    return Path(tempfile.gettempdir()) / f"shoal-killed-{k}"


class _KillsOnce(Mondrian):
    """Kills the executor that runs it, the first time."""

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        marker = _marker(goal.floor)
        try:
            marker.touch(exist_ok=False)
        except FileExistsError:
            return super().run(table, goal, randomness, progress)
        daemon = os.getppid()
        executor = int(Path(f"/proc/{daemon}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(executor, signal.SIGKILL)
        raise RuntimeError("unreachable")


class _Fails(Mondrian):
    """Never gets anywhere."""

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        raise ValueError("this task fails")


@pytest.fixture
def _shipped(spark: Any) -> None:
    """The algorithms above travel with the tasks: executors cannot import this file."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.mark.usefixtures("_shipped")
def test_an_executor_killed_in_the_middle(spark: Any) -> None:
    from shoal.spark import anonymize

    k = 7
    marker = _marker(k)
    marker.unlink(missing_ok=True)
    words = {**WORDS, "hierarchies": {}, "privacy": shoal.KAnonymity(k), "rows": 300, "algorithm": _KillsOnce()}
    try:
        made = _back(anonymize(_df(spark, _people(1200)), **words))
        assert marker.exists(), "no executor was killed"
    finally:
        marker.unlink(missing_ok=True)
    assert Counter(made["note"]) == Counter(_people(1200)["note"])
    assert shoal.verify(made, quasi_identifiers=["age", "zip", "sex"], privacy=shoal.KAnonymity(k)).holds


@pytest.mark.usefixtures("_shipped")
def test_a_failing_task_leaves_nothing(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shoal.engine.backends.spark.anonymize_frame import run_on_spark
    from shoal.engine.targets import Targets

    _people(300).write_parquet(tmp_path / "people.parquet")
    said: dict[str, Any] = {**WORDS, "hierarchies": {}, "privacy": shoal.KAnonymity(5), "algorithm": _Fails()}
    words, targets = AnonymizeWords.said(said), Targets(tmp_path / "out.parquet")
    with pytest.raises(Exception, match="this task fails"):
        run_on_spark(words, tmp_path / "people.parquet", targets, "", tmp_path, Silent())
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]


def test_from_a_folder_to_a_folder(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "people.parquet", tmp_path / "release.parquet"
    _df(spark, _people(600), 3).write.parquet(source.as_uri())
    said = [
        "anonymize",
        str(source),
        "--identifiers",
        "name",
        "--quasi",
        "age,zip,sex",
        "--sensitive",
        "ill",
    ]
    said += ["--others", "note", "--k", "4", "--backend", "spark", "-o", str(target)]
    kept = _kept_on_disks(spark)
    assert main(said) == 0
    assert _kept_on_disks(spark) == kept
    assert "Chance of finding a person" in capsys.readouterr().out
    release = pl.read_parquet(target / "*.parquet")
    assert Counter(release["note"]) == Counter(_people(600)["note"])
    assert (tmp_path / "release.run.json").stat().st_mode & 0o777 == 0o600
    (described,) = json.loads((tmp_path / "release.datapackage.json").read_text())["resources"]
    assert {*described["path"]} == {f"release.parquet/{part.name}" for part in target.glob("*.parquet")}
    assert [field["name"] for field in described["schema"]["fields"]] == release.columns
    assert main([*said, "-q"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main([*said, "-q", "--replace", "--datapackage", "off"]) == 0
    assert not (tmp_path / "release.datapackage.json").exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".shoal")]


def test_paths_of_hadoop_are_read_and_written_by_spark(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spark._jsc.hadoopConfiguration().set("fs.viewfs.mounttable.ward.link./data", tmp_path.as_uri())
    _df(spark, _people(300), 3).write.parquet((tmp_path / "people.parquet").as_uri())
    said = [
        "anonymize",
        "viewfs://ward/data/people.parquet",
        "--identifiers",
        "name",
        "--quasi",
        "age,zip,sex",
    ]
    said += ["--sensitive", "ill", "--others", "note", "--k", "4", "-q", "-o", "viewfs://ward/data/release.parquet"]
    assert main([*said, "--backend", "spark"]) == 0
    assert Counter(pl.read_parquet(tmp_path / "release.parquet" / "*.parquet")["note"]) == Counter(_people(300)["note"])
    assert main([*said, "--backend", "spark"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(said) == 2
    assert "use --backend spark" in capsys.readouterr().err


def test_columns_are_prepared_by_the_executors(spark: Any, tmp_path: Path) -> None:
    from shoal.spark import release

    said: dict[str, Any] = {
        **WORDS,
        "identifiers": [],
        "others": ["name", "note"],
        "hierarchies": {},
        "algorithm": "mondrian",
    }
    prepared: dict[str, Any] = {
        "bands": {"age": 20},
        "top": {"zip": 30},
        "pseudonyms": ["name"],
        "key_file": tmp_path / "key",
    }
    frame = _people().with_columns(zip=pl.col("zip").cast(pl.Int64))
    made = release(_df(spark, frame), privacy=shoal.KAnonymity(5), **said, **prepared)
    seen = _back(made.frame)
    whole = shoal.anonymize(frame, privacy=shoal.KAnonymity(5), audit="off", **said, **prepared).frame
    assert sorted(seen["name"].to_list()) == sorted(whole["name"].to_list())
    assert not seen["age"].drop_nulls().str.contains(r"^\d+$").any()
    assert any("new secret key" in note for note in made.notes)
    more: dict[str, Any] = {"rare": {"note": 5}, "sample_share": 0.5}
    part = release(_df(spark, frame, 3), privacy=shoal.KAnonymity(5), **said, **more)
    assert part.n_records == part.n_rows
    assert 0.3 < part.n_rows / frame.height < 0.7
    notes = _back(part.frame)["note"].value_counts()
    assert (notes.filter(pl.col("note") != "other")["count"] >= 5).all()


def test_forms_of_cells_are_printed_by_the_executors(spark: Any, tmp_path: Path) -> None:
    from shoal.spark import release

    people = _people(600)
    said: dict[str, Any] = {**WORDS, "hierarchies": {}, "algorithm": "mondrian", "privacy": shoal.KAnonymity(5)}
    quasi = said["quasi_identifiers"]
    bounds = release(_df(spark, people, 3), **said, cells={"age": "bounds"})
    seen = _back(bounds.frame)
    assert set(seen.columns) - {"age_missing"} == {"age_low", "age_high", "zip", "sex", "ill", "note"}
    assert seen["age_low"].dtype == pl.Int64
    assert (seen["age_low"] <= seen["age_high"]).all()
    sizes = seen.group_by([name for name in seen.columns if name in quasi or "age" in name]).len()["len"]
    assert sizes.to_numpy().min() >= 5
    drawn = release(_df(spark, people, 3), **said, cells="sampled")
    assert _back(drawn.frame).schema["age"] == people.schema["age"]
    assert _back(drawn.frame).equals(_back(drawn.frame))
    with pytest.raises(InputError, match="On Spark 'draws' cannot be used; one table is drawn there"):
        release(_df(spark, people), **said, cells="sampled", draws=2)
    people.write_parquet(tmp_path / "people.parquet")
    words = ["anonymize", str(tmp_path / "people.parquet"), "--identifiers", "name", "--quasi", "age,zip,sex"]
    words += ["--sensitive", "ill", "--others", "note", "--k", "4", "-q", "-o", str(tmp_path / "release.parquet")]
    assert main([*words, "--backend", "spark", "--cells", "codes"]) == 0
    codes = pl.read_parquet(tmp_path / "release.parquet" / "*.parquet")
    book = pl.read_parquet(tmp_path / "release.codes.parquet" / "*.parquet")
    labels = shoal.read_release(codes, codebook=book, cells="labels", quasi_identifiers=quasi)
    assert labels.group_by(quasi).len()["len"].min() >= 4
    assert main([*words, "--backend", "spark", "--cells", "codes"]) == 2


def test_dates_are_shifted_by_the_executors_as_they_are_here(spark: Any, tmp_path: Path) -> None:
    from shoal.spark import release

    frame = _people(300).with_columns(
        came=pl.date(2024, 1, 1) + pl.duration(days=pl.int_range(pl.len()) % 90), who=pl.int_range(pl.len()) // 3
    )
    said: dict[str, Any] = {
        **WORDS,
        "others": ["note", "came"],
        "person": "who",
        "hierarchies": {},
        "algorithm": "mondrian",
    }
    said |= {"privacy": shoal.KAnonymity(3), "shift_dates": ["came"], "key_file": tmp_path / "key"}
    whole = shoal.anonymize(frame, **said).frame
    assert sorted(_back(release(_df(spark, frame, 3), **said).frame)["came"]) == sorted(whole["came"])
    assert sorted(whole["came"]) != sorted(frame["came"])


def test_blocks_with_rows_enough_in_the_sample_are_not_counted(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from shoal.engine.backends.spark import block_tasks
    from shoal.spark import release

    counted = []
    count = block_tasks._joined

    def noted(*said: Any) -> Any:
        counted.append(said[2])
        return count(*said)

    monkeypatch.setattr(block_tasks, "_joined", noted)
    words = {**WORDS, "hierarchies": {}, "algorithm": "mondrian", "rows": 500}
    status = spark.sparkContext._jsc.sc().statusStore()
    before = status.jobsList(None).size()
    made = release(_df(spark, _people()), **words, privacy=shoal.KAnonymity(5))
    assert status.jobsList(None).size() - before <= 36
    assert not counted
    seen = _back(made.frame)
    quasi = seen.group_by(WORDS["quasi_identifiers"]).len()
    assert made.losses["suppression"] == 0
    assert seen.height == 2000
    assert quasi["len"].to_numpy().min() >= 5
    assert made.as_it_is is not None
    assert (made.as_it_is.n_alone, made.as_it_is.n_with_others, made.as_it_is.n_with_all) == (0, 2000, 2000)
    release(_df(spark, _people()), **words, privacy=[shoal.KAnonymity(5), shoal.LDiversity(2)]).frame.unpersist()
    assert len(counted) == 1, "whether sensitive values of a block are diverse enough, a sample cannot say"


def test_bad_input(spark: Any, tmp_path: Path) -> None:
    from shoal.spark import anonymize

    people = _df(spark, _people(50))
    words = {**WORDS, "hierarchies": {}, "privacy": shoal.KAnonymity(4)}
    for change, df, message in (
        ({"quasi_identifiers": ["agee"]}, people, "no column 'agee'"),
        ({}, people.limit(0), "has no rows"),
        ({}, people.selectExpr("*", "array(1, 2) AS l"), "'l' holds lists, records or another type"),
        ({"privacy": shoal.LinkageBound(0.5)}, people, "cannot be verified in SQL"),
        ({"privacy": shoal.LDiversity(1.5, "grassberger")}, people, "all rows in one place"),
        ({"privacy": [shoal.KK(3), shoal.LDiversity(2)], "algorithm": "concealment:linkage=1"}, people, "in one place"),
        ({"privacy": shoal.KK(3), "algorithm": "concealment"}, people, "a union of blocks may break"),
        ({"privacy": shoal.LDiversity(2), "algorithm": "anatomy"}, people, "publishes two tables"),
        ({"algorithm": "samarati"}, people, "use 'lattice' here"),
        ({"others": []}, people, "no role and may identify people: 'note'"),
        ({"privacy": shoal.KAnonymity(51), "algorithm": "lattice"}, people, "at least 51 rows"),
    ):
        with pytest.raises(InputError, match=message):
            anonymize(df, **{**words, **change})
    said = [
        "anonymize",
        str(tmp_path / "no.parquet"),
        "--quasi",
        "age",
        "--k",
        "2",
        "--backend",
        "spark",
    ]
    assert main([*said, "-q", "-o", str(tmp_path / "out.parquet")]) == 2
