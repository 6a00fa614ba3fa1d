"""The desk of a session keeps what it found, and lets quick questions go before long ones."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.engine.desk import Desk
from shoal.errors import InputError
from shoal.io.example import people
from shoal.io.write import write_frame
from shoal.web.desk import DeskLine
from shoal.web.desk_process import PENDING, Answers
from shoal.web.job_words import checked_job
from shoal.web.run import Run


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    write_frame(people(300), tmp_path / "people.csv")
    made = Answers(tmp_path)
    made.open("people.csv", {})
    return made


def ask(answers: Answers, verb: str, **arguments: Any) -> Any:
    while (answer := answers.to(verb, arguments)) == PENDING:
        time.sleep(0.01)
    return answer


def test_quick_questions_are_answered_while_a_long_one_is_not(
    answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_done = [False]

    def slow(desk: Desk, quasi: list[str]) -> dict[str, Any]:
        while not is_done[0]:
            time.sleep(0.01)
        return {"n_unique": 7}

    monkeypatch.setattr(Desk, "alone", slow)
    assert answers.to("alone", {"quasi": ["sex"]}) == PENDING
    assert len(answers.to("rows", {"start": 0, "n": 3})) == 3
    assert answers.to("alone", {"quasi": ["sex"]}) == PENDING
    is_done[0] = True
    assert ask(answers, "alone", quasi=["sex"]) == {"n_unique": 7}


def test_counts_domains_and_trees_are_found_out_once(answers: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(answers, "alone", quasi=["sex", "job"])
    tree = answers.tree("job", "mask", None)
    monkeypatch.setattr("shoal.engine.desk.uniqueness", None)
    monkeypatch.setattr("shoal.engine.desk.encode_column", None)
    assert ask(answers, "alone", quasi=["sex", "job"]) == first
    assert answers.tree("job", "mask", None) == tree
    assert answers.tree("job", None, None)["n_values"] == tree["n_values"]


def test_a_tree_from_a_file_follows_the_file(answers: Answers, tmp_path: Path) -> None:
    (tmp_path / "sexes.csv").write_text("female;any;*\nmale;any;*\n")
    assert answers.tree("sex", "sexes.csv", None)["rows"][0][1] == "any"
    (tmp_path / "sexes.csv").write_text("female;all;*\nmale;all;*\n")
    os.utime(tmp_path / "sexes.csv", ns=(1, 1))
    assert answers.tree("sex", "sexes.csv", None)["rows"][0][1] == "all"


def test_it_looks_ahead_at_columns_that_are_likely_to_be_asked_for(
    answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not answers.look_ahead()
    ask(answers, "inspect")
    while answers.look_ahead():
        pass
    monkeypatch.setattr("shoal.engine.desk.encode_column", None)
    assert answers.tree("diagnosis", None, None)["n_values"] > 1


def test_missing_numbers_need_no_place(answers: Answers, tmp_path: Path) -> None:
    pl.DataFrame({"age": [1.5, float("nan"), 2.5, None, 3.5]}).write_parquet(tmp_path / "ages.parquet")
    answers.open("ages.parquet", {})
    found = answers.tree("age", "intervals:width=2", "numeric")
    assert (found["lacking"], found["n_values"]) == ("", 3)


def test_errors_of_long_questions_come_through_the_line(tmp_path: Path) -> None:
    write_frame(people(50), tmp_path / "people.csv")
    line = DeskLine(tmp_path)

    async def talk() -> dict[str, Any]:
        await line.ask("open", name="people.csv", reading={})
        with pytest.raises(InputError, match="has no column 'zip'"):
            await line.ask("alone", quasi=["zip"])
        found: dict[str, Any] = await line.ask("alone", quasi=["sex"])
        return found

    try:
        assert asyncio.run(talk())["n_rows"] == 50
    finally:
        line.close()


def test_a_run_estimates_what_is_left_of_its_stage(tmp_path: Path) -> None:
    job = checked_job({"quasi_identifiers": ["a"], "privacy": {"k": 2}}, "t.csv", [])
    run = Run("one", job, {}, tmp_path)
    assert run.estimate == ""
    run._take("stage", "searching", 0.0, 4.0)
    time.sleep(0.05)
    run._take("stage", "searching", 1.0, 4.0)
    assert run.estimate.startswith("about ")
    assert run.estimate.endswith("left in this stage")
    run.cancel()
    assert run.estimate == ""


@pytest.mark.parametrize("more", [{"draws": 5}, {"backend": "spark"}, {"master": "local"}])
def test_what_is_for_the_command_line_is_refused_before_a_run(more: dict[str, str]) -> None:
    with pytest.raises(InputError, match="is for the command line"):
        checked_job({"quasi_identifiers": ["a"], "privacy": {"k": 2}, **more}, "t.csv", [])
