from __future__ import annotations

import json


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
