"""The same file is the same table, or is refused in the same words, whether it is read at once or in pieces."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import shoal
from shoal.engine.backends.anonymize_file import anonymize_file
from shoal.engine.backends.memory_limit import Memory
from shoal.errors import ShoalError
from shoal.io.lookalike_values import fold_frame
from shoal.io.read import read_frame
from shoal.io.table_file import open_table_file
from support.effort import examples
from support.nasty_files import READING, parquets, put, texts, told

NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nasty")


usual = settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))


@usual
@given(st.one_of(texts(), parquets()), READING, st.integers(1, 4))
@example(b"name,name,q,s\nAnn,Bob,1,x\nCid,Dan,1,y\n", {}, 2)
@example(b"q,s\n1,x\n1,y\n,hiv\n\n", {}, 2)
@example(b"q,s\n1,x\n2\n", {}, 2)
@example(b'q,__index_level_0__\n1,"x"\n2,""\n', {}, 1)
@example(b"q,s\n1,x\0\n1,y\n", {}, 2)
@example(b'q,s\n1,"x\n1,y\n', {}, 2)
@example(pa.table({"__index_level_0__": ["Ann", "Bob"], "q": [1, 1]}), {}, 1)
@example(pa.table({"a": [1, 2], "a.b": [3, 4]}), {}, 1)
def test_at_once_and_in_pieces(folder: Path, content: bytes | pa.Table, reading: dict[str, Any], size: int) -> None:
    path, own = put(folder, content), folder / f"pieces {next(NUMBERS)}"
    own.mkdir()
    in_pieces = told(lambda: pl.concat(open_table_file(path, own, **reading).batches(size)))
    assert in_pieces == told(lambda: read_frame(path, **reading).frame)


@settings(usual, max_examples=examples(2.5))
@given(st.one_of(texts(), parquets()), st.lists(st.sampled_from(["a", "b", "code", "é"]), max_size=2))
@example("a,b\nx,caf\u00e9\nx,cafe\u0301\n x,caf\u00e9 \n".encode(), ["a", "b"])
@example(b"a,b\n1,2\n", ["c"])
@example(b"A,b\n1\n", ["a"])
@example("a\ncafe\u0301\n".encode(), ["a", "a"])
def test_folded_at_once_and_in_pieces(folder: Path, content: bytes | pa.Table, fold: list[str]) -> None:
    path, own = put(folder, content), folder / f"pieces {next(NUMBERS)}"
    own.mkdir()
    in_pieces = told(lambda: pl.concat(open_table_file(path, own, fold=fold).batches(1)))
    at_once = told(lambda: fold_frame(read_frame(path).frame, fold))
    if in_pieces[0] == "refused" and in_pieces[1].startswith("The table has no column"):
        assert at_once[0] == "refused"  # if rows are wrong, too, they are told first: here names are known before rows
    else:
        assert in_pieces == at_once


VARIANTS = (
    "name,q,ill\nAnn,a,caf\u00e9\nBob,a ,cafe\u0301\nCy,\u00a0a,flu\nDi,b,flu \nEd,b,caf\u00e9\nFy, b,\u2003flu\n"
)


@pytest.mark.parametrize(("fold", "values"), [(["q", "ill"], 2), (["q"], 5), (["ill", "name"], 2), ([], 2)])
def test_folding_gives_the_same_release_within_a_limit(tmp_path: Path, fold: list[str], values: int) -> None:
    (tmp_path / "people.csv").write_text(VARIANTS, "utf-8")
    words = {"identifiers": ["name"], "quasi_identifiers": ["q"], "sensitive": ["ill"], "levels": [0], "fold": fold}
    words |= {"privacy": [shoal.KAnonymity(2)], "suppression_limit": 1.0}
    there = _released(tmp_path / "people.csv", tmp_path / "release.parquet", words, "8GiB")
    assert there == _released(tmp_path / "people.csv", tmp_path / "release.parquet", words, None)
    assert len({ill for _, ill in there}) == values


def _released(path: Path, target: Path, words: dict[str, Any], memory: str | None) -> Any:
    try:
        if memory is None:
            return Counter(shoal.anonymize(path, audit="off", **words).frame.iter_rows())
        anonymize_file(path, target, memory=memory, **words)
    except shoal.InputError as refusal:
        return type(refusal), str(refusal)
    except shoal.GoalNotMet as problem:
        return type(problem), ""
    return Counter(pl.read_parquet(target).iter_rows())


@settings(usual, max_examples=examples(2.5))
@given(st.one_of(texts(), parquets()), st.data())
def test_releases_in_memory_and_within_a_limit(folder: Path, content: bytes | pa.Table, data: st.DataObject) -> None:
    path = put(folder, content)
    try:
        names = read_frame(path).frame.columns
    except ShoalError:
        names = ["a", "b"]
    quasi = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    rest = [name for name in names if name not in quasi]
    words = {
        "quasi_identifiers": quasi,
        "sensitive": rest[:1],
        "others": rest[1:],
        "levels": [0] * len(quasi),
        "privacy": [shoal.KAnonymity(data.draw(st.integers(1, 3)))],
        "suppression_limit": 1.0,
    }
    target = folder / "release.parquet"
    assert _released(path, target, words, "8GiB") == _released(path, target, words, None)


ODD = ["*", "[1..2]", "{a, b}", '"', '""', '"a"', "a", "", "(missing)"]


@pytest.mark.parametrize("values", [*([odd] for odd in ODD), ODD])
def test_values_that_look_like_labels_are_quoted_within_a_limit(tmp_path: Path, values: list[str]) -> None:
    pl.DataFrame({"q": values}).write_parquet(tmp_path / "people.parquet")
    words = {"quasi_identifiers": ["q"], "levels": [0], "privacy": [shoal.KAnonymity(1)]}
    there = _released(tmp_path / "people.parquet", tmp_path / "release.parquet", words, "8GiB")
    assert there == _released(tmp_path / "people.parquet", tmp_path / "release.parquet", words, None)


@pytest.mark.parametrize("name", ["code", "value", "count", "number of rows", "=q", "c0", "n", "literal", "a.b"])
def test_names_that_meet_ours(tmp_path: Path, name: str) -> None:
    ages = pl.Series(name, [1, 1, 2, 2, 10, 10, 20, 20], dtype=pl.Int32)
    frame = pl.DataFrame([ages, pl.Series("ill", ["=x", "-y"] * 4), pl.Series("block", ["z"] * 8)])
    frame.write_parquet(tmp_path / "people.parquet")
    words: dict[str, Any] = {"quasi_identifiers": [name], "sensitive": ["ill"], "hierarchies": {name: shoal.Mask()}}
    words |= {"privacy": [shoal.KAnonymity(2), shoal.LDiversity(2)], "algorithm": "lattice"}
    for algorithm in ("lattice", "mondrian"):
        for target in (tmp_path / "release.parquet", tmp_path / "release.csv"):
            made = anonymize_file(
                tmp_path / "people.parquet", target, memory="8GiB", **words | {"algorithm": algorithm}
            )
            assert [verdict.achieved for verdict in made.verdicts] == [2, 2]
    assert sorted(pl.read_parquet(tmp_path / "release.parquet")[name].to_list()) == sorted(ages.to_list())


def test_every_promise_and_kind_within_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boolean, date-time and other exact columns keep their values; promises about matches are told."""
    monkeypatch.setattr(Memory, "block", 20)
    people = pl.DataFrame({"flag": [True, False] * 20, "day": [f"2020-01-{1 + n % 4:02} 03:00:00" for n in range(40)]})
    people = people.with_columns(pl.col("day").str.to_datetime(), ill=pl.Series(["a", "b", "c", None] * 10))
    people.write_parquet(tmp_path / "people.parquet")
    words: dict[str, Any] = {"quasi_identifiers": ["flag", "day"], "sensitive": ["ill"], "memory": "8GiB"}
    promises: list[list[Any]] = [
        [shoal.KAnonymity(2)],
        [shoal.OneK(3)],
        [shoal.KOne(3)],
        [shoal.KK(3)],
        [shoal.KConcealment(3)],
        [shoal.UniformMatching(4), shoal.LDiversity(2)],
        [shoal.PSensitive(2, 2)],
        [shoal.AlphaK(0.9, 2)],
    ]
    for wanted in promises:
        made = anonymize_file(tmp_path / "people.parquet", tmp_path / "release.parquet", privacy=wanted, **words)
        assert [verdict.promise for verdict in made.verdicts] == [str(promise) for promise in wanted]
        assert all(verdict.holds for verdict in made.verdicts)
    anonymize_file(tmp_path / "people.parquet", tmp_path / "r.parquet", privacy=shoal.KAnonymity(1), **words)
    assert Counter(pl.read_parquet(tmp_path / "r.parquet").iter_rows()) == Counter(people.iter_rows())


@pytest.mark.parametrize("promise", [shoal.PSensitive(2, 2), shoal.AlphaK(0.9, 2), shoal.LDiversity(2)])
def test_promises_about_values_on_counted_rows(tmp_path: Path, promise: shoal.PSensitive) -> None:
    """Four rows that are two when counted: nothing beyond those two is looked at."""
    pl.DataFrame({"q": [1, 1, 1, 1], "s": ["a", "a", "b", "b"]}).write_parquet(tmp_path / "people.parquet")
    words: dict[str, Any] = {"quasi_identifiers": ["q"], "sensitive": ["s"], "privacy": promise}
    made = anonymize_file(tmp_path / "people.parquet", tmp_path / "r.csv", memory="8GiB", algorithm="lattice", **words)
    assert made.n_records == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"privacy": shoal.KAnonymity(9)}, "k = 9 needs at least 9 rows, but the table has 8"),
        ({"privacy": shoal.LDiversity(3)}, "l = 3 needs at least 3 different values of 's', which has 2"),
        ({"privacy": shoal.KAnonymity(2), "algorithm": "hilbert", "metric": "dm"}, "needs a cell-based metric"),
        ({"privacy": shoal.LDiversity(2, of="n"), "sensitive": ["n"], "others": ["s"]}, "'n', which has 1"),
    ],
)
def test_what_is_impossible_is_refused_as_in_memory(tmp_path: Path, words: dict[str, Any], said: str) -> None:
    """Among it: 0 and 0.0 are one number, so one value, however a text spells it."""
    people = {"q": list(range(8)), "s": ["a", "b"] * 4, "n": ["0", "0.0", "-0.0", "0.00"] * 2}
    pl.DataFrame(people).write_parquet(tmp_path / "people.parquet")
    words = {"quasi_identifiers": ["q"], "sensitive": ["s"], "others": ["n"], **words}
    for memory in (None, "8GiB"):
        kind, message = _released(tmp_path / "people.parquet", tmp_path / "r.parquet", words, memory)
        assert issubclass(kind, shoal.InputError)
        assert said in message


def test_originals_that_a_killed_run_left_behind_are_removed_by_the_next(tmp_path: Path) -> None:
    lines = "import sys, os; from pathlib import Path; from shoal.io.locking import temporary_folder\n"
    lines += "with temporary_folder(Path(sys.argv[1])) as folder:\n"
    lines += "    (folder / 'originals').write_text('x'); os.kill(os.getpid(), 9)\n"
    subprocess.run([sys.executable, "-c", lines, str(tmp_path)], check=False, env=os.environ)
    pl.DataFrame({"q": [1, 1]}).write_parquet(tmp_path / "people.parquet")
    assert len(list(tmp_path.glob(".shoal-*"))) == 1
    words: dict[str, Any] = {"quasi_identifiers": ["q"], "privacy": shoal.KAnonymity(2), "memory": "8GiB"}
    anonymize_file(tmp_path / "people.parquet", tmp_path / "release.csv", **words)
    assert {path.name for path in tmp_path.iterdir()} == {
        "people.parquet", "release.csv", "release.datapackage.json", "release.run.json",
    }  # fmt: skip
