"""What is wrong with a column of people is said in the same sentence by every face, and nothing is written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main

Face = Callable[[Path, dict[str, Any]], str]
"""Runs a table with some words and gives back what it says."""


def library(folder: Path, words: dict[str, Any]) -> str:
    try:
        made = shoal.anonymize(folder / "visits.csv", **words, quick=True, audit="off")
    except shoal.ShoalError as problem:
        return str(problem)
    made.write(folder / "release.csv")
    return " ".join(made.notes)


def within_memory(folder: Path, words: dict[str, Any]) -> str:
    try:
        made = shoal.anonymize_file(folder / "visits.csv", folder / "release.csv", memory="8GiB", **words)
    except shoal.ShoalError as problem:
        return str(problem)
    return " ".join(made.notes)


def command_line(folder: Path, words: dict[str, Any]) -> str:
    said = [
        "--quasi",
        ",".join(words["quasi_identifiers"]),
        "--person",
        words["person"],
        "--k",
        str(words["privacy"]["k"]),
    ]
    main(
        ["anonymize", str(folder / "visits.csv"), *said, "--quick", "--audit", "off", "-o", str(folder / "release.csv")]
    )
    return ""


def job_file(folder: Path, words: dict[str, Any]) -> str:
    lines = [f"{name} = {json.dumps(said)}" for name, said in words.items() if name != "privacy"]
    lines += ['input = "visits.csv"', 'output = "release.csv"', "quick = true", 'audit = "off"']
    (folder / "job.toml").write_text("\n".join([*lines, "[privacy]", f"k = {words['privacy']['k']}"]), encoding="utf-8")
    main(["run", str(folder / "job.toml")])
    return ""


def database(folder: Path, words: dict[str, Any]) -> str:
    place = f"sqlite:///{folder / 'ward.db'}"
    frame = pl.read_csv(folder / "visits.csv")
    with sqlite3.connect(folder / "ward.db") as opened:
        opened.execute("CREATE TABLE visits (who TEXT, age INTEGER)")
        opened.executemany("INSERT INTO visits VALUES (?, ?)", [(who or None, age) for who, age in frame.rows()])
    try:
        made = shoal.anonymize(f"{place}#visits", **words, quick=True, audit="off")
    except shoal.ShoalError as problem:
        return str(problem)
    made.write(f"{place}#release")
    with sqlite3.connect(folder / "ward.db") as opened:
        found = opened.execute("SELECT * FROM release")
        columns = [column[0] for column in found.description]
        pl.DataFrame(found.fetchall(), columns, orient="row").write_csv(folder / "release.csv")
    return " ".join(made.notes)


FACES: dict[str, Face] = {
    "library": library, "memory limit": within_memory, "command line": command_line, "job file": job_file,
    "database": database,
}  # fmt: skip
FOUR = ["a", "a", "b", "c"]
REFUSED: list[tuple[list[str], dict[str, Any], str]] = [
    (FOUR, {"quasi_identifiers": ["age", "who"]}, "'who' is named as quasi-identifier and as person; choose one role"),
    (FOUR, {"person": "hwo"}, "no column 'hwo' (named person). Did you mean 'who'"),
    (FOUR, {"privacy": {"k": 4}}, "k = 4 needs at least 4 people, but the table has 3"),
    (["a"] * 4, {}, "k = 2 needs at least 2 people, but the table has 1"),
]


def run(face: str, folder: Path, keys: list[str], more: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> str:
    ages = [30 + row % 7 for row in range(len(keys))]
    pl.DataFrame({"who": keys, "age": ages}).write_csv(folder / "visits.csv")
    words = {"quasi_identifiers": ["age"], "person": "who", "privacy": {"k": 2}, **more}
    told = FACES[face](folder, words)
    shown = capsys.readouterr()
    return " ".join(f"{told} {shown.out} {shown.err}".split())


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(("keys", "more", "why"), REFUSED, ids=["two roles", "no such", "too few people", "one person"])
def test_what_cannot_be_counted_is_refused_in_one_sentence(
    face: str, keys: list[str], more: dict[str, Any], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert why in run(face, tmp_path, keys, more, capsys)
    assert not (tmp_path / "release.csv").exists()


@pytest.mark.parametrize("face", FACES)
def test_rows_without_a_key_are_told(face: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = run(face, tmp_path, ["a", "b", "", ""], {}, capsys)
    assert "2 of 4 rows have no value in 'who'; each counts as a person of its own." in said
    assert pl.read_csv(tmp_path / "release.csv").columns == ["age"]


@pytest.mark.parametrize("face", FACES)
def test_a_person_with_a_hundred_thousand_rows_is_one(
    face: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(face, tmp_path, ["busy"] * 100_000 + ["a", "b", "c"], {"privacy": {"k": 4}}, capsys)
    assert pl.read_csv(tmp_path / "release.csv")["age"].n_unique() == 1
