"""The script of a job does what the job does: every setting reaches a function, and the outputs are the same."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
import shoal.engine.job as jobs
from shoal.engine.job import Job, run_job
from shoal.engine.script import script_text
from shoal.engine.vocabulary import AnonymizeWords
from shoal.io.example import people
from shoal.io.toml import to_toml

WORDS: dict[str, Any] = {"input": "people.csv", "output": "release.csv", "quasi_identifiers": ["sex", "age"]}

SAID: dict[str, Any] = {
    "quasi_identifiers": ["sex", "job"], "sensitive": ["ill"], "hierarchies": {"age": "intervals:width=10"},
    "kinds": {"age": "numeric"}, "orders": {"sex": ["m", "f"]}, "recodings": {"age": "range"}, "weights": {"age": 2.0},
    "person": "id", "linked": "histories", "publish_person": "pseudonym", "identifiers": ["name"], "others": ["x"],
    "masked": ["note"], "sample_weight": "w", "adjust_weights": True, "roles": "suggested", "missing": "drop",
    "population": "all.csv", "delimiter": ";", "encoding": "cp1252", "quote": "'", "sheet": "2",
    "missing_values": ["NA"], "query": "SELECT 1", "skip_rows": 2, "header_rows": 2, "missing_codes": {"age": ["-9"]},
    "dates": {"born": "iso"}, "decimal": ",", "thousands": ".", "units": {"age": "years"},
    "spellings": {"sex": {"M": "m"}}, "fold": ["job"], "privacy": {"k": 3}, "policy": {"name": "hipaa-safe-harbor"},
    "suppression_limit": "3 rows", "metric": "gcp", "audit": "off", "seed": 7, "algorithm": "mondrian",
    "refine": ["sequential"], "budget": "3s", "quick": True, "certify": True, "certify_budget": "5s", "levels": [1, 0],
    "top": {"age": "90"}, "bottom": {"age": "10"}, "rounding": {"age": "5"}, "bands": {"age": "10"}, "rare": {"job": 3},
    "pseudonyms": ["id"], "shift_dates": ["born"], "shift_days": 30, "key_file": "secret.key", "sample_share": 0.5,
    "cells": "bounds", "draws": 2, "auto": True,
    "output": "other.csv", "replace": True, "output_delimiter": ";", "output_decimal": ",", "output_encoding": "cp1252",
    "report": "report.html", "public_report": "public.html", "datapackage": "about.json", "explore": "nodes.csv",
    "save_recoding": "recoding.json", "dossier": "dossier", "release": {"title": "People"},
    "memory": "2GiB", "backend": "spark", "master": "local[2]", "input": "table.csv",
}  # fmt: skip
"""A value of every setting that is not its default."""

CALLS: dict[str, tuple[str, int | str]] = {
    "input": ("anonymize", 0), "output": ("write", 0), "replace": ("write", "replace"),
    "output_delimiter": ("write", "delimiter"), "output_decimal": ("write", "decimal"),
    "output_encoding": ("write", "encoding"), "datapackage": ("write", "datapackage"), "report": ("report", 0),
    "public_report": ("report", 0), "explore": ("explore", 0), "save_recoding": ("save_recoding", 0),
    "dossier": ("dossier", 0), "release": ("dossier", "title"), "memory": ("anonymize_file", "memory"),
}  # fmt: skip
"""The call and the argument of a setting; those of ``anonymize`` have their own names there."""

WITH: dict[str, dict[str, Any]] = {"master": {"backend": "spark"}, "release": {"dossier": "dossier"}}

IN_FOLDER = {
    "input", "output", "datapackage", "report", "public_report", "explore", "save_recoding", "dossier",
}  # fmt: skip
"""Paths that the script resolves; all others start at the argument ``folder``."""

Calls = list[tuple[str, dict[int | str, Any]]]


class Recorder:
    """Takes any call of a method, and notes it."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def __getattr__(self, name: str) -> Callable[..., Recorder]:
        def called(*given: Any, **named: Any) -> Recorder:
            told: dict[int | str, Any] = dict(enumerate(given))
            told.update(named)
            self._calls.append((name, told))
            return self

        return called


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """The calls of the library, none of which is carried out."""
    made: Calls = []
    for owner, name in ((shoal, "anonymize"), (shoal, "anonymize_file"), (jobs, "run_command")):
        monkeypatch.setattr(owner, name, getattr(Recorder(made), name))
    return made


def run_script(job: Job, folder: Path) -> None:
    (folder / "job.py").write_text(script_text(job), "utf-8")
    runpy.run_path(str(folder / "job.py"))


def test_every_setting_has_a_value_here() -> None:
    assert SAID.keys() == Job.model_fields.keys()
    assert [name for name, known in Job.vocabulary().items() if SAID[name] == known.default] == []


@pytest.mark.parametrize("name", Job.model_fields)
def test_every_setting_reaches_a_function(name: str, calls: Calls, tmp_path: Path) -> None:
    value = SAID[name]
    job = Job.said({**WORDS, **WITH.get(name, {}), name: value})
    run_script(job, tmp_path)
    if job.where == "spark":
        ((verb, given),) = calls
        assert verb == "run_command"
        assert (given[0], given[1], given[2]) == (job, job.source(tmp_path), tmp_path)
        return
    assert calls[0][1]["folder"] == tmp_path
    verb, argument = CALLS.get(name, ("anonymize", name))
    (given,) = (given for called, given in calls if called == verb)
    if verb == "anonymize" and name != "input":
        asked = job.asked(tmp_path)
        what = "promises" if name == "privacy" else name
        assert getattr(AnonymizeWords.said({name: given[name]}), what) == getattr(asked, what)
    else:
        expected = value["title"] if name == "release" else tmp_path / value if name in IN_FOLDER else value
        assert given[argument] == expected


def test_what_is_not_said_is_left_to_a_policy(calls: Calls, tmp_path: Path) -> None:
    run_script(Job.said({**WORDS, "policy": "hipaa-safe-harbor"}), tmp_path)
    assert calls[0][1].keys() == {0, "quasi_identifiers", "policy", "folder"}


@pytest.mark.parametrize("place", ["sqlite:///people.db#rows", "s3://bucket/people.parquet"])
def test_tables_of_databases_and_stores_are_no_files(place: str, calls: Calls, tmp_path: Path) -> None:
    job = Job.said({**WORDS, "input": place, "output": place.replace("people", "release")})
    run_script(job, tmp_path)
    assert calls[0][1][0] == job.source(tmp_path)
    assert calls[-1][1][0] == job.targets(tmp_path).output
    assert calls[-1][1]["folder"] == tmp_path


@pytest.mark.parametrize(
    "more",
    [
        {"output_delimiter": ";", "output_decimal": ",", "output_encoding": "cp1252", "datapackage": "off"},
        {"others": ["ssn"], "pseudonyms": ["ssn"], "key_file": "secret.key"},
        {"memory": "2GiB", "algorithm": "lattice"},
    ],
)
def test_a_script_makes_the_files_of_its_job(
    more: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {
        "input": "people.csv", "output": "release.csv", "quasi_identifiers": ["sex", "stay_days"],
        "sensitive": ["diagnosis"], "hierarchies": {"sex": "sex.csv"}, "privacy": {"k": 3}, "audit": "off", "seed": 3,
        **more,
    }  # fmt: skip
    columns = ["sex", "stay_days", "diagnosis", *more.get("pseudonyms", ())]
    places = [tmp_path / name for name in ("by job", "by script", "elsewhere")]
    for place in places:
        place.mkdir()
        people(100).select(columns).write_csv(place / "people.csv")
        pl.DataFrame({"a": ["female", "male"], "b": "*"}).write_csv(place / "sex.csv", include_header=False)
        (place / "secret.key").write_text("0123456789abcdef" * 4)
        (place / "secret.key").chmod(0o600)
    job, script, elsewhere = places
    (elsewhere / "secret.key").unlink()
    monkeypatch.chdir(elsewhere)
    (job / "job.toml").write_text(to_toml(words), "utf-8")
    run_job(job / "job.toml")
    run_script(Job.said(words), script)
    names = {path.name for path in job.iterdir()} - {"job.toml"}
    assert names == {path.name for path in script.iterdir()} - {"job.py"}
    assert (job / "release.csv").read_bytes() == (script / "release.csv").read_bytes()
    assert not (elsewhere / "secret.key").exists()
