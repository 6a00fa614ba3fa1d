"""An input is not overwritten by a table of another spelling: the database says which table a name leads to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.io.databases import address_of, read_table, write_table

for driver in ("adbc_driver_sqlite", "duckdb", "adbc_driver_postgresql"):
    pytest.importorskip(driver, reason="the db extra is not installed")

PEOPLE = pl.DataFrame({"sex": ["f", "m"] * 3, "name": list("abcdef")})
SAID = ["--quasi", "sex", "--k", "3", "--replace", "-q"]
kinds = pytest.mark.parametrize("kind", ["sqlite", "duckdb"])


def _put(text: str, frame: pl.DataFrame = PEOPLE) -> None:
    address = address_of(text)
    assert address is not None
    write_table(frame, address, {})


def _get(text: str) -> pl.DataFrame:
    address = address_of(text)
    assert address is not None
    return read_table(address).frame


def _execute(kind: str, path: Path, sql: str) -> None:
    import sqlite3

    import duckdb

    connect: Any = {"sqlite": sqlite3.connect, "duckdb": duckdb.connect}[kind]
    with contextlib.closing(connect(str(path))) as connection:
        connection.execute(sql)


@pytest.fixture
def people(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    _put(f"{kind}:///people.db#people")
    _put(f"{kind}:///people.db#release", pl.DataFrame({"old": [1]}))
    (tmp_path / "link.db").symlink_to("people.db")
    return f"{kind}:///people.db#people"


@kinds
@pytest.mark.parametrize(
    "target",
    ["people.db#PEOPLE", "people.db#main.people", "people.db#MAIN.People", "./people.db#people", "link.db#people"],
)
def test_by_another_spelling(
    kind: str, people: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in (f"{kind}:///{target}", f"{kind}:///{tmp_path}/{target}"):
        assert main(["anonymize", people, "--identifiers", "name", *SAID, "-o", place]) == 2
        assert "would overwrite the input" in capsys.readouterr().err
    assert _get(people).equals(PEOPLE)


@kinds
def test_by_the_name_of_the_file(kind: str, people: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["anonymize", people, "--identifiers", "name", *SAID, "-o", f"{kind}:///people.db#people.people"]) == 2
    assert _get(people).equals(PEOPLE)


@kinds
def test_through_a_view_or_a_query(kind: str, people: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _execute(kind, tmp_path / "people.db", "CREATE VIEW women AS SELECT sex FROM people")
    database = people.partition("#")[0]
    queries = [
        "SELECT sex FROM people",
        "SELECT sex FROM women",
        "SELECT (SELECT max(sex) FROM People) AS sex FROM women;",
    ]
    for source in ([f"{database}#women"], *([database, "--query", query] for query in queries)):
        assert main(["anonymize", *source, *SAID, "-o", f"{database}#people"]) == 2
        assert "would overwrite the input" in capsys.readouterr().err
        assert _get(people).equals(PEOPLE)
        assert main(["anonymize", *source, *SAID, "-o", f"{database}#release"]) == 0
        assert _get(f"{database}#release").height == 6
    assert main(["anonymize", f"{database}#women", *SAID, "-o", "women.run.json"]) == 2


@kinds
def test_through_the_library(kind: str, people: str) -> None:
    database = people.partition("#")[0]
    result = shoal.anonymize(
        database, query="SELECT sex FROM people", quasi_identifiers=["sex"], privacy=shoal.KAnonymity(3), audit="off"
    )
    with pytest.raises(shoal.errors.InputError, match="would overwrite the input"):
        result.write(people.replace("#people", "#People"), replace=True)
    assert _get(people).equals(PEOPLE)


@kinds
def test_a_table_of_that_name_in_another_file_may_be_replaced(kind: str, people: str) -> None:
    _put(f"{kind}:///other.db#people")
    said = ["anonymize", people, "--identifiers", "name", *SAID, "-o", f"{kind}:///other.db#people"]
    assert main(said) == 0
    assert _get(f"{kind}:///other.db#people").columns == ["sex"]
    assert _get(people).equals(PEOPLE)


@pytest.mark.xdist_group("postgres")
def test_in_postgresql(
    address: str,
    execute: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    database = address
    _put(f"{database}#people")
    _put(f"{database}#release", pl.DataFrame({"old": [1]}))
    execute("CREATE TABLE parts (sex text) PARTITION BY LIST (sex)")
    for sex in "fm":
        execute(f"CREATE TABLE part_{sex} PARTITION OF parts FOR VALUES IN ('{sex}')")
        execute(f"INSERT INTO parts SELECT '{sex}' FROM generate_series(1, 3)")
    spelled = address.replace("127.0.0.1", "localhost")
    for source, target in [
        ([f"{database}#people"], f"{database}#public.people"),
        ([f"{database}#people"], f"{spelled}#people"),
        ([database, "--query", "SELECT sex, name FROM public.people"], f"{spelled}#people"),
    ]:
        assert main(["anonymize", *source, "--identifiers", "name", *SAID, "-o", target]) == 2
        assert "would overwrite the input" in capsys.readouterr().err
        assert _get(f"{database}#people").equals(PEOPLE)
        assert main(["anonymize", *source, "--identifiers", "name", *SAID, "-o", f"{database}#release"]) == 0
    for part, target in (("parts", "part_f"), ("part_f", "parts")):
        assert main(["anonymize", f"{database}#{part}", *SAID, "-o", f"{database}#{target}"]) == 2
        assert _get(f"{database}#parts").height == 6
