"""Runs within a memory limit: the same levels as in memory, every promise kept, nothing lost on the way."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.core.node import chosen_levels
from shoal.core.randomness import Randomness
from shoal.engine.backends.anonymize_file import anonymize_file
from shoal.engine.backends.disk_release import DiskRelease
from shoal.engine.backends.memory_limit import Memory
from shoal.errors import BrokenPromise, InputError

AGES = shoal.Intervals(width=10)
WORDS: dict[str, Any] = {
    "identifiers": ["name"],
    "quasi_identifiers": ["age", "zip", "sex"],
    "sensitive": ["ill"],
    "others": ["note"],
    "hierarchies": {"age": AGES, "zip": shoal.Mask(), "sex": shoal.Grouping({"*": ["f", "m"]})},
    "memory": "8GiB",
}


def _people(n: int = 3000) -> pl.DataFrame:
    words = Randomness(5)
    drawn = [words.integers(bound, n).astype(np.int64) for bound in (60, 40, 2, 5)]
    return pl.DataFrame(
        {
            "name": [f"person {row}" for row in range(n)],
            "age": [None if row % 50 == 0 else int(age) for row, age in enumerate(20 + drawn[0])],
            "zip": [f"{10 + place}" for place in drawn[1].tolist()],
            "sex": ["fm"[each] for each in drawn[2].tolist()],
            "ill": [None if each == 4 else "abcd"[each] for each in drawn[3].tolist()],
            "note": [f"note {row}, \"{row % 7}\"" for row in range(n)],
        }
    )  # fmt: skip


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small batches and blocks, though the tables are small."""
    monkeypatch.setattr(Memory, "batch", 700)
    monkeypatch.setattr(Memory, "block", 400)


@pytest.fixture(params=[".parquet", ".csv"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"people{request.param}"
    (_people().write_parquet if request.param == ".parquet" else _people().write_csv)(path)
    return path


@pytest.mark.parametrize("limit", [0.0, 0.05, "5%", "150 rows"])
def test_full_domain_finds_the_levels_of_a_run_in_memory(source: Path, tmp_path: Path, limit: float | str) -> None:
    privacy = [shoal.KAnonymity(5), shoal.LDiversity(2)]
    words: dict[str, Any] = {**WORDS, "algorithm": "lattice", "suppression_limit": limit, "privacy": privacy}
    made = anonymize_file(source, tmp_path / "release.parquet", **words)
    words.pop("memory")
    local = shoal.anonymize(source, audit="off", **words)
    assert made.levels == chosen_levels(local.release)
    release = pl.read_parquet(tmp_path / "release.parquet")
    assert Counter(release.iter_rows()) == Counter(local.frame.iter_rows())
    assert made.losses["lm"] == pytest.approx(local.metrics()["lm"])
    assert release["note"].to_list() != local.frame["note"].to_list(), "not shuffled"


@pytest.mark.parametrize("algorithm", ["auto", "hilbert", "nonhomogeneous"])
def test_local_algorithms_in_blocks_on_disk(source: Path, tmp_path: Path, algorithm: str) -> None:
    about_matches = algorithm == "nonhomogeneous"
    promises = [shoal.UniformMatching(4) if about_matches else shoal.KAnonymity(4), shoal.LDiversity(2)]
    if about_matches:
        promises = promises[:1]
    words: dict[str, Any] = {**WORDS, "hierarchies": {"age": AGES}, "algorithm": algorithm, "privacy": promises}
    made = anonymize_file(source, tmp_path / "release.csv", **words)
    release = pl.read_csv(tmp_path / "release.csv", infer_schema=False)
    people = _people()
    assert made.n_records == release.height == 3000
    assert Counter(release["note"]) == Counter(people["note"])
    assert Counter(release["ill"]) == Counter(people["ill"])
    assert release.columns == ["age", "zip", "sex", "ill", "note"]
    order = [int(note.split(",")[0][5:]) for note in release["note"]]
    assert abs(np.corrcoef(order, range(3000))[0, 1]) < 0.1, "not shuffled"
    if not about_matches:
        found = shoal.verify(release, quasi_identifiers=["age", "zip", "sex"], sensitive=["ill"], privacy=promises)
        assert found.holds
    assert {path.name for path in tmp_path.iterdir()} == {
        source.name, "release.csv", "release.datapackage.json", "release.run.json",
    }  # fmt: skip
    assert json.loads((tmp_path / "release.run.json").read_text())["rows"] == 3000


def test_a_budget_buys_better_blocks(tmp_path: Path) -> None:
    source, words = tmp_path / "people.parquet", {**WORDS, "privacy": shoal.KAnonymity(5), "seed": 1}
    _people(1200).write_parquet(source)
    quick = anonymize_file(source, tmp_path / "quick.csv", **words)
    better = anonymize_file(source, tmp_path / "better.csv", budget=0.9, **words)
    assert all(verdict.holds for verdict in better.verdicts)
    assert better.n_records == 1200
    assert better.losses["lm"] < 0.95 * quick.losses["lm"]
    assert "share of 0.9 seconds" in better.reason


def test_types_are_kept_where_every_cell_is_exact(tmp_path: Path) -> None:
    pl.DataFrame({"year": [2000, 2001] * 50, "age": list(range(100))}).write_parquet(tmp_path / "x.parquet")
    words: dict[str, Any] = {
        "quasi_identifiers": ["year", "age"],
        "privacy": shoal.KAnonymity(20),
        "memory": "8GiB",
        "weights": {"age": 0.0},
    }
    anonymize_file(tmp_path / "x.parquet", tmp_path / "y.parquet", **words)
    assert pl.read_parquet(tmp_path / "y.parquet").dtypes == [pl.Int64, pl.String]


def test_skew_blocks_of_one_value_and_blocks_that_cannot_keep_the_goal(tmp_path: Path) -> None:
    ages = [30] * 1500 + list(range(1500))
    ills = ["a"] * 2500 + ["b", "c"] * 250
    pl.DataFrame({"age": ages, "ill": ills}).write_parquet(tmp_path / "x.parquet")
    promises = [shoal.KAnonymity(3), shoal.LDiversity(2), shoal.TCloseness(0.5)]
    words: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "privacy": promises, "memory": "8GiB"}
    made = anonymize_file(tmp_path / "x.parquet", tmp_path / "y.parquet", **words)
    assert [verdict.holds for verdict in made.verdicts] == [True] * 3
    release = pl.read_parquet(tmp_path / "y.parquet")
    assert release.group_by("age").agg(pl.col("ill").n_unique())["ill"].min() >= 2  # type: ignore[operator]


def test_the_written_file_is_judged(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = DiskRelease._typed
    monkeypatch.setattr(DiskRelease, "_typed", lambda *said: typed(*said).with_columns(age=pl.col("note")))
    with pytest.raises(BrokenPromise, match="4-anonymity DOES NOT HOLD"):
        anonymize_file(source, tmp_path / "release.csv", **WORDS, privacy=shoal.KAnonymity(4))
    assert {path.name for path in tmp_path.iterdir()} == {source.name}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"memory": "much"}, "is written 4GiB"),
        ({"memory": "100MiB"}, "at least 1 GiB"),
        ({"privacy": shoal.DeltaPresence(1)}, "all rows in memory"),
        ({"algorithm": "samarati"}, "use 'lattice'"),
        ({"missing": "drop"}, "needs all rows in memory"),
        ({"population": "people.csv"}, "'population' cannot be used"),
        ({"quasi_identifiers": ["agee"], "hierarchies": {}}, "no column 'agee'"),
        ({"others": []}, "no role and may identify people: 'note'"),
        ({"hierarchies": {"sex": shoal.Grouping({"*": ["f"]})}}, "'m'"),
        ({"metric": "dm", "algorithm": "lattice"}, "needs all rows in memory"),
    ],
)
def test_bad_input(source: Path, tmp_path: Path, change: dict[str, Any], words: str) -> None:
    said = {**WORDS, "privacy": shoal.KAnonymity(4), **change}
    with pytest.raises(InputError, match=words):
        anonymize_file(source, tmp_path / "release.csv", **said)
    assert {path.name for path in tmp_path.iterdir()} == {source.name}


def test_other_files(tmp_path: Path) -> None:
    words: dict[str, Any] = {"quasi_identifiers": ["a"], "privacy": shoal.KAnonymity(1), "memory": "8GiB"}
    for name, message in (
        ("no.csv", "There is no file"),
        ("x.xlsx", "must be .parquet"),
        ("text.parquet", "not a whole Parquet"),
    ):
        if name != "no.csv":
            (tmp_path / name).write_text("nothing")
        with pytest.raises(InputError, match=message):
            anonymize_file(tmp_path / name, tmp_path / "y.csv", **words)
    pl.DataFrame({"a": []}, schema={"a": pl.Int64}).write_parquet(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="columns but no rows"):
        anonymize_file(tmp_path / "none.parquet", tmp_path / "y.csv", **words)
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "one.parquet")
    with pytest.raises(InputError, match=r"written as \.parquet, \.csv or \.tsv"):
        anonymize_file(tmp_path / "one.parquet", tmp_path / "y.xlsx", **words)


def test_on_the_command_line_and_in_a_job_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _people().write_csv(tmp_path / "people.csv")
    said = ["anonymize", str(tmp_path / "people.csv"), "--identifiers", "name", "--quasi", "age,zip,sex", "--k", "4"]
    said += ["--sensitive", "ill", "--others", "note", "--memory", "8GiB", "-o", str(tmp_path / "release.parquet")]
    assert main(said) == 0
    assert "Peak memory" in capsys.readouterr().out
    assert pl.read_parquet(tmp_path / "release.parquet").height == 3000
    assert main([*said, "--report", str(tmp_path / "r.html")]) == 2
    assert main([*said, "--master", "local[1]"]) == 2
    (tmp_path / "job.toml").write_text(
        'input = "people.csv"\noutput = "job.csv"\nmemory = "8GiB"\nidentifiers = ["name"]\nothers = ["note"]\n'
        'quasi_identifiers = ["age", "zip", "sex"]\nsensitive = ["ill"]\n[privacy]\nk = 4\n'
    )
    assert main(["run", str(tmp_path / "job.toml"), "--json"]) == 0
    assert pl.read_csv(tmp_path / "job.csv").height == 3000
