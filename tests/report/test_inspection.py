"""The inspection as text and JSON."""

import json
import shlex
from collections.abc import Mapping
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from shoal.report.inspection import inspection_json, inspection_text


def column(name: str, role: str = "other", **more: object) -> dict[str, object]:
    basis: dict[str, object] = {
        "name": name,
        "kind": "nominal",
        "n_distinct": 1234,
        "n_missing": 0,
        "n_unique": 3,
        "separation": 0.5,
        "role": role,
        "reason": "the name suggests a place",
        "examples": ("Oslo",),
    }
    return basis | more


def data(*columns: dict[str, object], **more: object) -> dict[str, Any]:
    basis: dict[str, object] = {
        "n_rows": 1000,
        "columns": columns,
        "n_unique": 937,
        "n_unique_others": 0,
        "combinations": ({"columns": ("zip", "born"), "n_unique": 930, "share": 0.93},),
        "notes": ("Something was left out.",),
    }
    return basis | more


USUAL = data(
    column("name", "identifier"),
    column("zip", "quasi-identifier", n_missing=17),
    column("born", "quasi-identifier", kind="date"),
    column("illness", "sensitive"),
    column("ward"),
)


def plain(found: Mapping[str, Any], file: str = "FILE", width: int = 100) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(inspection_text(found, file))
    return capture.get()


def test_the_table_says_what_each_column_is() -> None:
    lines = plain(USUAL).splitlines()
    heads = next(line for line in lines if "suggested role" in line)
    assert heads.split() == ["column", "kind", "distinct", "missing", "suggested", "role", "why"]
    line = next(line for line in lines if line.strip().startswith("zip"))
    assert line.split()[:5] == ["zip", "nominal", "1,234", "17", "quasi-identifier"]
    assert "the name suggests a place" in line


def test_uniqueness_combinations_and_notes_are_told() -> None:
    text = plain(USUAL)
    assert "937 of 1,000 rows (93.7%) are unique on zip and born." in text
    assert "zip + born: 93% of rows unique" in text
    assert "Something was left out." in text
    assert "other columns" not in text


def test_what_the_others_give_away_is_told() -> None:
    assert "1 of 1,000 rows (0.1%) is unique on the other columns" in plain(USUAL | {"n_unique_others": 1})


def test_the_command_follows_the_suggestion() -> None:
    command = plain(USUAL, "people.csv").split("To go on\n")[1].replace("\\\n", "")
    assert shlex.split(command) == shlex.split(
        "shoal anonymize people.csv --identifiers name --quasi zip,born --sensitive illness --k 5 -o release.csv"
    )
    assert shlex.split(str(inspection_json(USUAL, "people.csv")["command"])) == shlex.split(command)


def test_a_shell_reads_odd_names_as_they_are() -> None:
    found = data(column("my zip", "quasi-identifier"), column("it's", "quasi-identifier"))
    assert "my zip,it's" in shlex.split(str(inspection_json(found, "my file.csv")["command"]))
    assert "my file.csv" in shlex.split(str(inspection_json(found, "my file.csv")["command"]))


def test_a_name_with_a_comma_cannot_be_given_as_an_option() -> None:
    found = data(column("a,b", "quasi-identifier"))
    assert inspection_json(found)["command"] is None
    assert "job file" in plain(found)


def test_many_names_are_folded_so_that_a_shell_joins_them() -> None:
    names = [f"a long column name {i}" for i in range(40)]
    text = plain(data(*(column(name, "quasi-identifier") for name in names)))
    command = text.split("To go on\n")[1].replace("\\\n", "")
    assert shlex.split(command)[4] == ",".join(names)


def test_without_quasi_identifiers_there_is_no_command() -> None:
    found = data(column("x"), n_unique=0, combinations=())
    assert "No quasi-identifier is suggested" in plain(found)
    assert "shoal anonymize" not in plain(found)
    assert inspection_json(found)["command"] is None


@pytest.mark.parametrize("found", [USUAL, data(*(column(f"{'long' * 20} {i}", "quasi-identifier") for i in range(30)))])
def test_it_fits_a_hundred_columns(found: dict[str, Any]) -> None:
    assert max(len(line) for line in plain(found).splitlines()) <= 100


def test_names_are_not_instructions() -> None:
    text = plain(data(column("[red]x[/red]", "quasi-identifier"), column("bell\x1b[31m", "quasi-identifier")))
    assert "[red]x[/red]" in text
    assert "\x1b" not in text


def test_very_many_columns_are_cut_those_with_a_role_first() -> None:
    found = data(*(column(f"c{i}") for i in range(5000)), column("zip", "quasi-identifier"))
    text = plain(found)
    assert "zip" in text.splitlines()[3]
    assert "4,941 more columns" in text
    assert len(text.splitlines()) < 200
    assert len(inspection_json(found)["columns"]) == 5001  # type: ignore[arg-type]


def test_json_has_the_numbers_and_no_values_unless_asked() -> None:
    found = inspection_json(USUAL)
    assert found["share_unique"] == 0.937
    assert found["roles"] == {
        "identifier": ["name"],
        "quasi-identifier": ["zip", "born"],
        "sensitive": ["illness"],
        "other": ["ward"],
    }
    assert json.loads(json.dumps(found)) == found
    assert "Oslo" not in json.dumps(found)
    assert "Oslo" in str(USUAL)


def test_text_shows_no_values() -> None:
    assert "Oslo" not in plain(USUAL)
