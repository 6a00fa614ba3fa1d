"""What Spark reads is what memory reads, or is refused in the same words."""

from __future__ import annotations

import itertools
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import shoal
from shoal.errors import InputError
from shoal.io.read import read_frame
from support.effort import examples
from support.nasty_files import READING, parquets, put, texts, told

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.slow]

NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nasty")


def _on_spark(spark: Any, path: Path, folder: Path, reading: dict[str, Any]) -> pl.DataFrame:
    from shoal.engine.backends.spark.dataframes import as_polars
    from shoal.engine.backends.spark.reading import case_sensitive, read_rows
    from shoal.io.column_rules import settle

    folder.mkdir()
    with case_sensitive(spark):
        return settle(as_polars(read_rows(spark, str(path), folder, **reading)))


@settings(max_examples=examples(2), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(texts(), parquets()), READING)
@example(b"name,name,q,s\nAnn,Bob,1,x\nCid,Dan,1,y\n", {})
@example(b"q,s\n1,x\n1,y\n,hiv\n\n", {})
@example(b"q,s\n1,x\n2\n", {})
@example(pa.table({"__index_level_0__": ["Ann", "Bob"], "q": [1, 1]}), {})
@example(pa.table({"a": [1, 2], "A": [3, 4]}), {})
def test_memory_and_spark(spark: Any, folder: Path, content: bytes | pa.Table, reading: dict[str, Any]) -> None:
    path, own = put(folder, content), folder / f"spark {next(NUMBERS)}"
    wanted, found = told(lambda: read_frame(path, **reading).frame), told(lambda: _on_spark(spark, path, own, reading))
    if wanted[0] == "refused" and "which cannot be published" in wanted[1]:
        assert (found[0], found[1].split(" is of type ")[0]) == ("refused", wanted[1].split(" is of type ")[0])
        return
    assert found == wanted or (found[0] == "refused" and "which Spark does not know" in found[1])


def test_folding_gives_the_same_release(spark: Any, tmp_path: Path) -> None:
    from shoal.engine.backends.spark.dataframes import as_polars
    from shoal.engine.backends.spark.reading import read_rows
    from shoal.spark import release

    table = "name,q,ill\nAnn,a,caf\u00e9\nBob,a ,cafe\u0301\nCy,\u00a0a,flu\nDi,b,flu \nEd,b,\nFy, b,\u2003flu\n"
    (tmp_path / "people.csv").write_text(table, "utf-8")
    words: dict[str, Any] = {"identifiers": ["name"], "quasi_identifiers": ["q"], "sensitive": ["ill"], "levels": [0]}
    words |= {"privacy": [shoal.KAnonymity(3), shoal.LDiversity(2)], "fold": ["q", "ill", "name"]}
    df = read_rows(spark, str(tmp_path / "people.csv"), tmp_path)
    made = as_polars(release(df, **words).frame)
    assert sorted(made.rows(), key=str) == sorted(
        shoal.anonymize(tmp_path / "people.csv", audit="off", **words).frame.rows(), key=str
    )
    with pytest.raises(InputError, match=r"has no column 'il'\. Did you mean 'ill'"):
        release(df, **words | {"fold": ["il"]})


OFTEN, SELDOM = ["code"], ["count", "c", "n", "v", "q", "measure", "block", "row", "text", "place"]


@pytest.mark.parametrize("name", [*OFTEN, *(pytest.param(name, marks=pytest.mark.nightly) for name in SELDOM)])
def test_names_that_meet_those_of_queries(spark: Any, name: str) -> None:
    from shoal.spark import release

    frame = pl.DataFrame([pl.Series(name, [1, 1, 2, 2] * 3), pl.Series(f"{name}2", ["x", "y"] * 6)])
    df = spark.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))
    promises = [shoal.KAnonymity(2), shoal.LDiversity(2, of=f"{name}2"), shoal.TCloseness(0.5, distance="ordered")]
    made = release(df, quasi_identifiers=[name], sensitive=[f"{name}2"], privacy=promises)
    assert all(verdict.holds for verdict in made.verdicts)


def test_text_that_only_spark_can_reach_is_refused(spark: Any, tmp_path: Path) -> None:
    from shoal.engine.backends.spark.reading import read_rows

    with pytest.raises(InputError, match=r"convert it to \.parquet first"):
        read_rows(spark, "viewfs://ward/data/people.csv", tmp_path)


def test_nested_identifiers_of_a_file_are_dropped_and_others_refused(spark: Any, tmp_path: Path) -> None:
    from shoal.engine.backends.spark.reading import read_rows
    from shoal.spark import release

    nested = pl.DataFrame({"age": [1, 1, 2, 2], "visits": [[1], [2, 3], [], [4]], "ill": ["a", "b", "a", "b"]})
    nested.write_parquet(tmp_path / "in.parquet")
    words: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "privacy": {"k": 2}, "levels": [0]}
    rows = read_rows(spark, str(tmp_path / "in.parquet"), tmp_path)
    made = release(rows, identifiers=["visits"], **words)
    assert made.frame.columns == ["age", "ill"]
    made.frame.unpersist()
    with pytest.raises(InputError, match=r"'visits' holds lists.*among the identifiers"):
        release(rows, **words)


def test_the_same_text_is_masked(spark: Any, tmp_path: Path) -> None:
    from shoal.engine.backends.spark.dataframes import as_polars
    from shoal.spark import release

    names = ["Zora Quill", "Piotr Kowal"] * 4
    people = pl.DataFrame(
        {
            "name": names,
            "age": [30, 40] * 4,
            "born": [date(1960, 4, 25)] * 8,
            "note": [
                f"{name.lower()} (born 1960) met Quill aged {a} on 12.3.2021"
                for name, a in zip(names, [30, 40] * 4, strict=True)
            ],
        }
    )
    words: dict[str, Any] = {
        "quasi_identifiers": ["age", "born"], "identifiers": ["name"], "masked": ["note"], "privacy": {"k": 2},
    }  # fmt: skip
    made = release(spark.createDataFrame(people.to_arrow()), levels=[0, 0], **words)
    frame = as_polars(made.frame)
    made.frame.unpersist()
    assert sorted(frame["note"]) == sorted(shoal.anonymize(people, **words).frame["note"])
    assert any("no guarantee" in note for note in made.notes)
    with pytest.raises(InputError, match="only text can be masked"):
        release(spark.createDataFrame(people.to_arrow()), **{**words, "masked": ["age"], "quasi_identifiers": ["born"]})
