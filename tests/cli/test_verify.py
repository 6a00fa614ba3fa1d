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


def test_matches_are_judged_with_the_original_and_not_told_without(shoal, folder):
    Path("people.csv").write_text("age,zip\n20,a\n21,b\n22,a\n23,b\n")
    Path("ring.csv").write_text('age,zip\n[20..21],"{a, b}"\n[21..22],"{a, b}"\n[22..23],"{a, b}"\n*,"{a, b}"\n')
    asked = ("verify", "ring.csv", "--quasi", "age,zip", "--kk", "2")
    without = shoal(*asked)
    assert without.status == 2
    assert "(2,2)-anonymity: It cannot be decided" in without.out
    assert "whether (2,2)-anonymity holds cannot be decided" in without.out
    assert "NO" not in without.out
    assert json.loads(shoal(*asked, "--json").out)["untold"][0]["promise"] == "(2,2)-anonymity"
    assert shoal(*asked, "--original", "people.csv").status == 0
    assert shoal("verify", "ring.csv", "--quasi", "age,zip", "--kk", "3", "--original", "people.csv").status == 1
    assert shoal(*asked, "--k", "2").status == 1  # one promise is broken, whatever the other
    assert shoal("verify", "ring.csv", "--quasi", "age,zip", "--k-map", "2").status == 2


def test_texts_are_ordered_as_is_said(shoal, folder):
    Path("t.csv").write_text("q,pain\na,low\na,mid\nb,high\nb,low\n")
    asked = ("verify", "t.csv", "--quasi", "q", "--sensitive", "pain", "--t", "0.5:ordered")
    refused = shoal(*asked)
    assert (refused.status, "--order pain=VALUES" in refused.err) == (2, True)
    assert shoal(*asked, "--order", "pain=low,mid,high").status == 0


def test_what_cannot_be_told_is_said_even_quietly(shoal, folder):
    answer = shoal("verify", "people.csv", "--quasi", "age", "--concealment", "40", "-q")
    assert answer.status == 2
    assert "cannot be decided" in answer.err


def test_a_column_whose_name_was_made_harmless_is_found(shoal, folder):
    Path("armed.csv").write_text("=q,s\n1,a\n1,b\n2,a\n2,b\n")
    assert shoal("anonymize", "armed.csv", "--quasi", "=q", "--sensitive", "s", "--k", "2", "-o", "r.csv").status == 0
    assert shoal("verify", "r.csv", "--quasi", "=q", "--k", "2").status == 0
    assert shoal("audit", "armed.csv", "r.csv", "--quasi", "=q", "--sensitive", "s").status in (0, 1)
