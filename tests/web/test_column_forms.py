"""Forms about columns: what a rule or a step of preparation says is what the job file says, and nothing is typed
that stands between values."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from shoal.engine.job import Job
from shoal.io.example import people
from shoal.io.hierarchies import parse_hierarchy
from shoal.io.inspect.inspection import inspect_frame
from shoal.io.write import write_frame
from shoal.web.column_words import ROLES, fitting_hierarchies, role, with_role
from shoal.web.desk_process import Answers
from shoal.web.fixes import ready, with_those_before
from shoal.web.job_words import checked_job, job_text
from shoal.web.preparation_forms import everything_said, suited, with_preparation
from shoal.web.rule_forms import RULES, fields_of, given_of, spec_of
from shoal.web.session import Session
from support.discharges import discharges

RULES_FILLED: dict[str, dict[str, Any]] = {
    "intervals": {"cuts": ["18", "65"], "factors": ["2"], "width": "", "origin": ""},
    "mask": {"char": "#", "from_right": False, "levels": "2", "pad": "0"},
    "dates": {"levels": ["month", "year"], "earliest": "1936"},
    "fanout": {"fanout": "4"},
    "prefixes": {"lengths": ["3", "1"], "separator": "", "hidden": ["036", "059"]},
    "icd10": {},
}


def _again(words: dict[str, Any]) -> Job:
    """The job that the job file says which is made of the words."""
    return Job.said(tomllib.loads(job_text(checked_job(words, "people.csv", []))), "The job")


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_in_the_job_file_as_its_form_says_it(rule: str) -> None:
    given = RULES_FILLED[rule]
    assert {*given} == {one.name for one in fields_of(rule)}
    spec = spec_of(rule, given)
    read = _again({"quasi_identifiers": ["a"], "privacy": {"k": 2}, "hierarchies": {"a": spec}}).hierarchies["a"]
    meant = parse_hierarchy(spec, Path(), "a")
    assert parse_hierarchy(read, Path(), "a") == meant
    found = given_of(read)
    assert found is not None
    assert spec_of(*found) == spec
    assert not any(sign in str(value) for value in given.values() for sign in ":/")


@pytest.mark.parametrize("spec", ["dates:levels=year/decade", "mask", "intervals:cuts=18/65,factors=2", "icd10"])
def test_a_hierarchy_that_was_found_is_shown_in_its_form(spec: str) -> None:
    found = given_of(spec)
    assert found is not None
    assert parse_hierarchy(spec_of(*found), Path(), "a") == parse_hierarchy(spec, Path(), "a")


def test_what_no_form_can_say_has_none() -> None:
    for spec in (None, "tree.csv", {"a": ["b", "c"]}, {"builder": "grouping"}, {"builder": "mask", "order": ["a"]}):
        assert given_of(spec) is None


def test_preparation_goes_into_the_job_file_and_can_be_taken_back() -> None:
    words: dict[str, Any] = {"quasi_identifiers": ["age"], "privacy": {"k": 2}, "hierarchies": {"seen": "dates"}}
    said = [
        ("top", "age", "90"),
        ("bottom", "age", "18"),
        ("rounding", "pay", "100"),
        ("bands", "seen", "month"),
        ("bands", "stay", "0,18,65"),
        ("rare", "job", "20"),
    ]
    before = words
    for one in said:
        words = with_preparation(words, *one)
    assert words["hierarchies"] == {}  # of the dates that bands take the place of
    assert everything_said(words) == said
    read = _again(words)
    assert (read.top, read.bands, read.rare) == ({"age": "90"}, {"seen": "month", "stay": "0,18,65"}, {"job": 20})
    for word, column, _ in said:
        words = with_preparation(words, word, column, "")
    assert words == {**before, "hierarchies": {}}
    assert {one.word for kind in ("numeric", "date", "nominal") for one in suited(kind)} == {
        word for word, _, _ in said
    }


@pytest.mark.parametrize("wanted", ROLES)
def test_a_column_has_one_role_and_can_be_given_every_other(wanted: str) -> None:
    words: dict[str, Any] = {"privacy": {"k": 2}}
    for first in ROLES:
        told = with_role(with_role(words, "a", first, ["a", "b"]), "a", wanted, ["a", "b"])
        assert role(told, "a") == wanted
        assert sum("a" in str(said) for word, said in told.items() if word != "privacy") == 1


def test_the_preview_is_of_the_table_as_it_is_prepared(tmp_path: Path) -> None:
    table = people(400)
    write_frame(table, tmp_path / "people.csv")
    answers = Answers(tmp_path)
    answers.open("people.csv", {})
    named = [one.name for one in inspect_frame(table).columns if one.role == "identifier"]
    words: dict[str, Any] = {"identifiers": named, "quasi_identifiers": ["birth_date", "sex"], "privacy": {"k": 3}}
    others = [name for name in table.columns if name not in (*named, "birth_date", "sex")]
    words["others"] = others

    def cells(said: dict[str, Any]) -> tuple[int, list[str]]:
        found = answers.table.preview(checked_job(said, "people.csv", []))
        return found["n_rows"], [before[0] for before, _ in found["pairs"]]

    assert all(len(cell) == 10 for cell in cells(words)[1])
    assert all(len(cell) == 4 for cell in cells(with_preparation(words, "bands", "birth_date", "year"))[1])
    assert answers.table.try_out(checked_job(with_preparation(words, "bands", "birth_date", "year"), "people.csv", []))
    assert 100 < cells({**words, "sample_share": 0.5})[0] < 300
    assert cells(words)[0] == 400


def test_dates_among_marks_for_missing_values_are_converted_by_one_button(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text(discharges(200), "utf-8")
    answers = Answers(tmp_path)
    answers.open("d.csv", {})
    session = Session(tmp_path)
    session.table.inspection = answers.inspect()
    (dates,) = [one for one in ready(session) if one["words"] == {"dates": {"Admitted": "%m/%d/%Y"}}]
    said = with_those_before(session, dates)
    assert said == {"dates": {"Admitted": "%m/%d/%Y"}, "missing_values": ["N/A"]}
    answers.open("d.csv", said)
    found = {one["name"]: one for one in answers.inspect()["columns"]}
    assert (found["Admitted"]["kind"], found["Admitted"]["n_missing"]) == ("date", 3)


@pytest.mark.parametrize(("words", "offered"), [({}, {"born": "dates"}), ({"bands": {"born": "year"}}, {})])
def test_no_hierarchy_is_offered_for_a_column_in_bands(words: dict[str, Any], offered: dict[str, Any]) -> None:
    found = {"advice": [], "hierarchies": {"born": {"spec": "dates"}}}
    assert fitting_hierarchies({"quasi_identifiers": ["born"], **words}, found) == offered
