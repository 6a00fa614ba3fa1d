"""Files of earlier versions can still be read, and those of later ones are refused."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.engine.file_formats import JOB, RECODING, RUN
from shoal.engine.saved_recoding import read_recoding
from shoal.errors import InputError

OLD = Path(__file__).parents[1] / "data" / "formats"
PEOPLE = pl.DataFrame(
    {
        "name": [f"P{i}" for i in range(30)],
        "age": [20 + i % 20 for i in range(30)],
        "zip": [f"0210{i % 3}" for i in range(30)],
        "sex": ["m", "f"] * 15,
        "disease": ["flu", "cold", "gout"] * 10,
    }
)


def test_a_job_file_without_a_format_runs(tmp_path: Path) -> None:
    shutil.copy(OLD / "job_1_unmarked.toml", tmp_path / "job.toml")
    PEOPLE.write_csv(tmp_path / "people.csv")
    assert main(["run", str(tmp_path / "job.toml"), "-q"]) == 0
    said = shoal.read_record(tmp_path / "release.run.json")
    assert said["roles"]["quasi_identifiers"] == ["age", "zip"]
    assert json.loads((tmp_path / "release.run.json").read_text())["format"] == RUN.mark == "shoal run 2"


def test_a_recoding_of_the_first_version_is_applied() -> None:
    assert json.loads((OLD / "recoding_1.json").read_text())["format"] == "shoal recoding 1"
    made = shoal.apply(OLD / "recoding_1.json", PEOPLE)
    assert set(made.frame["age"]) == {"[20..29]", "[30..39]"}


def test_a_recoding_with_masked_text_is_one_that_older_versions_refuse(tmp_path: Path) -> None:
    words: dict[str, Any] = {"quasi_identifiers": ["age"], "identifiers": ["name", "zip", "sex"], "privacy": {"k": 3}}
    texts = PEOPLE.with_columns(disease=pl.lit("seen by Dr Miller on 2020-02-02"))
    made = shoal.anonymize(
        texts, masked=["disease"], algorithm="lattice", hierarchies={"age": "intervals:width=10"}, **words
    )
    made.save_recoding(tmp_path / "recoding.json")
    assert json.loads((tmp_path / "recoding.json").read_text())["format"] == RECODING.mark == "shoal recoding 2"
    assert read_recoding(tmp_path / "recoding.json")["masked"] == ["disease"]


def test_a_run_record_of_the_first_version_is_read() -> None:
    said = shoal.read_record(OLD / "run_1.json")
    assert (said["policy"], said["roles"]["masked"], said["achieved"]) == (None, [], {"3-anonymity": 10.0})
    assert "format" not in said


def test_what_is_written_says_its_format(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    shoal.inspect(tmp_path / "people.csv", write_job=tmp_path / "job.toml")
    assert tomllib.loads((tmp_path / "job.toml").read_text())["format"] == JOB.mark == "shoal job 1"
    assert tomllib.loads(shoal.policy_job("public-release"))["format"] == JOB.mark


def test_later_versions_and_other_kinds_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job, recoding = tmp_path / "job.toml", tmp_path / "recoding.json"
    job.write_text('format = "shoal job 2"\ninput = "people.csv"\n')
    assert main(["run", str(job)]) == 2
    assert "reads none above 'shoal job 1'; update shoal" in capsys.readouterr().err
    job.write_text('format = "shoal recoding 1"\ninput = "people.csv"\n')
    assert main(["run", str(job)]) == 2
    assert "is not a job file" in capsys.readouterr().err
    for said, why in (
        ({"format": "shoal recoding 3"}, "update shoal"),
        ({}, "says nothing about its format"),
        ([], "not a recoding"),
    ):
        recoding.write_text(json.dumps(said))
        with pytest.raises(InputError, match=why):
            shoal.apply(recoding, PEOPLE)
    for content in ("{}", "[]", "no JSON"):
        recoding.write_text(content)
        with pytest.raises(InputError, match="run record"):
            shoal.read_record(recoding)
