"""Whole histories of tables larger than memory: blocks of people, judged from the written file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.core.contracts import Goal
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.backends.memory_limit import Memory
from shoal.engine.backends.people_blocks import learn_people_blocks
from shoal.io.encode import encode
from shoal.metrics import LM
from shoal.models import KAnonymity
from support.histories_judge import complaints, read, worst_values
from support.random_histories import keyed_visits

QUASI = ["age", "town", "month"]
SAID: dict[str, Any] = {
    "quasi_identifiers": QUASI,
    "sensitive": ["illness"],
    "others": ["row"],
    "person": "who",
    "linked": "histories",
    "suppression_limit": 0.1,
}


def visits(n_people: int = 400, often: int = 0) -> pl.DataFrame:
    return keyed_visits(n_people, often, lengths=[1, 2, 3, 5], shares=[0.4, 0.3, 0.2, 0.1], many=60)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "block", property(lambda self: 200))
    monkeypatch.setattr(Memory, "batch", property(lambda self: 150))


@pytest.mark.parametrize("pseudonym", [None, "pseudonym"])
def test_every_history_of_the_written_file_is_that_of_k_people(
    pseudonym: str | None, tmp_path: Path, small_blocks: None
) -> None:
    source, target = tmp_path / "visits.csv", tmp_path / "release.csv"
    visits().write_csv(source)
    said = {**SAID, "algorithm": "mondrian", "publish_person": pseudonym}
    made = shoal.anonymize_file(source, target, memory="8GiB", privacy={"k": 4}, **said)
    original, release = read(source), read(target)
    assert complaints(original, release, "who", QUASI, 4) == []
    assert [str(verdict) for verdict in made.verdicts] == [
        f"4-anonymity of histories holds: achieved {made.verdicts[0].achieved:g}"
    ]
    assert ("who" in release[0]) == (pseudonym is not None)
    assert len(original) * 0.9 <= len(release) == made.n_records < len(original)  # somebody with 60 rows gave up most
    assert not list(tmp_path.glob("**/keys.parquet"))


@pytest.mark.parametrize("goal", [{"k": 3, "l": "2:illness"}, {"k": 3, "t": "0.5:illness"}])
def test_promises_about_values_hold_of_people_with_equal_histories(
    goal: dict[str, Any], tmp_path: Path, small_blocks: None
) -> None:
    source, target = tmp_path / "visits.csv", tmp_path / "release.csv"
    visits(often=3 if "t" in goal else 0).write_csv(source)
    shoal.anonymize_file(source, target, memory="8GiB", privacy=goal, algorithm="mondrian", **SAID)
    original, release = read(source), read(target)
    assert complaints(original, release, "who", QUASI, 3) == []
    fewest, farthest = worst_values(original, release, "who", QUASI, "illness")
    assert fewest >= 2 if "l" in goal else farthest <= 0.5 + 1e-9


def test_one_block_loses_what_memory_loses(tmp_path: Path) -> None:
    source = tmp_path / "visits.csv"
    visits().write_csv(source)
    said = {**SAID, "algorithm": "mondrian", "privacy": {"k": 4}, "seed": 2}
    on_disk = shoal.anonymize_file(source, tmp_path / "release.csv", memory="8GiB", **said)
    in_memory = shoal.anonymize(source, audit="off", **said)
    assert on_disk.n_records == in_memory.frame.height
    assert on_disk.losses["lm"] == pytest.approx(in_memory.metrics()["lm"], rel=0.02)  # equal people in another order


def test_a_limit_that_is_too_low_says_how_many_rows_it_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    visits().write_csv(tmp_path / "visits.csv")
    said = ["--quasi", ",".join(QUASI), "--sensitive", "illness", "--others", "row", "--person", "who", "--k", "4"]
    said += ["--linked", "histories", "--memory", "8GiB", "-o", str(tmp_path / "release.csv")]
    assert main(["anonymize", str(tmp_path / "visits.csv"), *said]) == 1
    assert "rows must be left out, because fewer than 4 people have that many rows" in capsys.readouterr().err
    assert not (tmp_path / "release.csv").exists()


def test_all_rows_of_a_person_go_to_one_block_and_people_of_a_length_together() -> None:
    frame = visits()
    schema = Schema(quasi_identifiers=tuple(QUASI), person="who")
    table: Table = encode(frame.drop("illness", "row"), schema).table
    assert table.people is not None
    lengths = np.bincount(np.bincount(table.people))
    blocks = learn_people_blocks(table, lengths, Goal((KAnonymity(4),), LM(), suppression_limit=0.1), 2, 200)
    at = blocks.place(table)
    rows_by_person = [at[table.people == one] for one in range(table.n_people)]
    assert all(len({*own.tolist()} - {-1}) <= 1 for own in rows_by_person)
    assert (at < 0).sum() == blocks.n_lost > 0
    kept = {int((own >= 0).sum()) for own in rows_by_person} - {0}
    assert all(sum((own >= 0).sum() == m for own in rows_by_person) >= 4 for m in kept)
    assert blocks.n_blocks > 2
