from __future__ import annotations

import json
from pathlib import Path

import pytest

ROLES = ("--quasi", "age,zip", "--sensitive", "disease")


@pytest.fixture
def table(folder) -> str:
    rows = ["20-29,021*,flu", "20-29,021*,cold", "20-29,021*,flu", "30-39,,gout", "30-39,,gout"]
    Path("release.csv").write_text("\n".join(["age,zip,disease", *rows]) + "\n")
    return "release.csv"


def test_a_table_that_keeps_its_promises(shoal, table):
    answer = shoal("verify", table, *ROLES, "--k", "2", "--l", "1")
    assert (answer.status, answer.err) == (0, "")
    assert "every promise holds" in answer.out


def test_a_table_that_does_not(shoal, table):
    answer = shoal("verify", table, *ROLES, "--k", "3", "--l", "2")
    assert answer.status == 1
    assert "without 3-anonymity and 2-diversity" in answer.out
    assert "(missing)" in answer.out  # the worst class by name
    assert "30-39" in answer.out


def test_as_json(shoal, table):
    answer = shoal("verify", table, *ROLES, "--k", "3", "--l", "1", "--json")
    found = json.loads(answer.out)
    assert (answer.status, found["holds"], found["n_records"]) == (1, False, 5)
    assert [(v["promise"], v["holds"], v["achieved"]) for v in found["verdicts"]] == [
        ("3-anonymity", False, 2),
        ("1-diversity", True, 1),
    ]
    assert found["worst"][0]["labels"] == {"age": "30-39", "zip": None}


def test_quiet_answers_by_status_alone(shoal, table):
    answer = shoal("verify", table, *ROLES, "--k", "3", "--quiet")
    assert (answer.status, answer.out, answer.err) == (1, "", "")


def test_markup_in_labels_is_printed_as_it_is(shoal, folder):
    Path("t.csv").write_text('age,disease\n"[red]x[/red]",flu\n"[red]x[/red]",cold\n')
    assert "[red]x[/red]" in shoal("verify", "t.csv", "--quasi", "age", "--sensitive", "disease", "--k", "2").out
