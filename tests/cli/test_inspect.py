from __future__ import annotations

import json
import shlex
import sqlite3

import polars as pl
import pytest


def test_for_people(shoal, folder):
    answer = shoal("inspect", "people.csv")
    assert (answer.status, answer.err) == (0, "")
    for word in ("name", "identifier", "quasi-identifier", "sensitive", "unique", "shoal anonymize people.csv"):
        assert word in answer.out


def test_for_programs(shoal, folder):
    answer = shoal("inspect", "people.csv", "--json")
    found = json.loads(answer.out)
    assert (answer.status, found["n_rows"]) == (0, 60)
    assert [column["name"] for column in found["columns"]] == ["name", "age", "zip", "sex", "disease"]
    assert found["roles"]["sensitive"] == ["disease"]


def test_the_suggested_command_works(shoal, folder):
    command = json.loads(shoal("inspect", "people.csv", "--json").out)["command"].split()
    assert command[0] == "shoal"
    assert shoal(*command[1:]).status == 0


def test_remarks_on_reading_go_to_stderr(shoal, folder):
    (folder / "t.csv").write_bytes("ä;b\n1;2\n3;4\n".encode("latin-1"))
    answer = shoal("inspect", "t.csv", "--json")
    assert "cp1252" in answer.err
    assert [column["name"] for column in json.loads(answer.out)["columns"]] == ["ä", "b"]


def workbook(folder, people):
    """A workbook whose second sheet has the people, below a title."""
    import xlsxwriter

    with xlsxwriter.Workbook(folder / "my people.xlsx") as book:
        book.add_worksheet("About").write(0, 0, "what this is")
        sheet = book.add_worksheet("All of them")
        for number, row in enumerate([["Export 2023"], [], people.columns, *people.rows()]):
            sheet.write_row(number, 0, row)
    return ["my people.xlsx", "--sheet", "All of them"]


def database(folder, people):
    """A table of a database with a name that a shell would split."""
    with sqlite3.connect(folder / "ward.db") as opened:
        opened.execute('CREATE TABLE "my people" (name TEXT, age INTEGER, zip TEXT, sex TEXT, disease TEXT)')
        opened.executemany('INSERT INTO "my people" VALUES (?, ?, ?, ?, ?)', people.rows())
    opened.close()
    return ['sqlite:///ward.db#"my people"']


def query(folder, people):
    """What a query of a database gives."""
    database(folder, people)
    return ["sqlite:///ward.db", "--query", 'SELECT * FROM "my people" WHERE age > 0']


def text(folder, people):
    """A text with a separator, an encoding and codes for missing that have to be said."""
    people = people.with_columns(sex=pl.col("sex").replace({"f": "weiß nicht"}))
    (folder / "p.txt").write_bytes(people.write_csv(separator="|").encode("cp1252"))
    return ["p.txt", "--delimiter", "|", "--encoding", "cp1252", "--missing-values", "weiß nicht"]


@pytest.mark.parametrize("made", [workbook, database, query, text])
def test_what_is_suggested_runs_as_it_is_printed(shoal, folder, made):
    people = pl.read_csv(folder / "people.csv", schema_overrides={"zip": pl.String})
    said = made(folder, people)
    for_people, for_programs = shoal("inspect", *said).out, json.loads(shoal("inspect", *said, "--json").out)
    printed = for_people.partition("To go on")[2].replace("\\\n", "")
    assert shlex.split(printed) == shlex.split(for_programs["command"])
    assert shoal(*shlex.split(printed)[1:], "-q", "--quick").status == 0
    assert "name" not in pl.read_csv(folder / "release.csv").columns
