"""SQLite and DuckDB: types kept, one transaction, nothing overwritten unasked."""

from __future__ import annotations

import shlex
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import shoal
from shoal.cli import main
from shoal.errors import InputError
from shoal.io.databases import address_of, read_table, write_table

for driver in ("adbc_driver_sqlite", "duckdb"):
    pytest.importorskip(driver, reason="the db extra is not installed")

PEOPLE = pl.DataFrame(
    {
        "name": [f"person {row}" for row in range(12)],
        "born": [date(1950 + row, 1, 1) for row in range(12)],
        "sex": ["f", "m"] * 6,
        "smokes": [True, False, None] * 4,
        "seen": [datetime(2024, 1, 1, 12, row) for row in range(12)],
        "weight": [50.5 + row for row in range(12)],
        "visits": [None, *range(11)],
    }
)
ROLES = ["--identifiers", "name", "--quasi", "born,sex", "--others", "seen,weight,visits,smokes", "--k", "3"]

kinds = pytest.mark.parametrize("kind", ["sqlite", "duckdb"])


def _address(kind: str, folder: Path, table: str = "people") -> str:
    return f"{kind}:///{folder / 'people.db'}#{table}"


def _put(text: str, frame: pl.DataFrame = PEOPLE) -> None:
    address = address_of(text)
    assert address is not None
    write_table(frame, address, {})


def _get(text: str, query: str | None = None) -> pl.DataFrame:
    address = address_of(text)
    assert address is not None
    return read_table(address, query).frame


@kinds
def test_types_survive_the_way_there_and_back(kind: str, tmp_path: Path) -> None:
    _put(_address(kind, tmp_path))
    assert_frame_equal(_get(_address(kind, tmp_path)), PEOPLE)


@kinds
def test_from_a_table_to_a_verified_table(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _put(_address(kind, tmp_path))
    out = _address(kind, tmp_path, "release")
    assert main(["anonymize", _address(kind, tmp_path), *ROLES, "-o", out, "-q"]) == 0
    release = _get(out)
    assert release.height == 12
    assert "name" not in release.columns
    assert [release[name].dtype for name in ("smokes", "seen", "weight")] == [pl.Boolean, pl.Datetime("us"), pl.Float64]
    assert sorted(release["weight"]) == sorted(PEOPLE["weight"])
    assert main(["verify", out, "--quasi", "born,sex", "--k", "3", "-q"]) == 0
    assert (tmp_path / "release.run.json").stat().st_mode & 0o777 == 0o600


@kinds
def test_nothing_is_overwritten_unasked(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _put(_address(kind, tmp_path))
    out = _address(kind, tmp_path, "release")
    _put(out, pl.DataFrame({"old": [1]}))
    said = ["anonymize", _address(kind, tmp_path), *ROLES, "-q", "-o", out]
    assert main(said) == 2
    assert "exists already" in capsys.readouterr().err
    assert _get(out).columns == ["old"]
    assert main([*said, "--replace"]) == 0
    assert "born" in _get(out).columns
    assert main([*said[:-1], _address(kind, tmp_path), "--replace"]) == 2
    assert "would overwrite the input" in capsys.readouterr().err


@kinds
def test_a_query_in_place_of_a_table(kind: str, tmp_path: Path) -> None:
    _put(_address(kind, tmp_path))
    address = _address(kind, tmp_path).partition("#")[0]
    result = shoal.anonymize(
        address, query="SELECT born, sex FROM people WHERE sex = 'f';", quasi_identifiers=["born", "sex"],
        privacy=shoal.KAnonymity(2),
    )  # fmt: skip
    assert result.frame.height == 6
    with pytest.raises(InputError, match="Both a query and the table"):
        _get(_address(kind, tmp_path), "SELECT 1")
    with pytest.raises(InputError, match="names a database but no table"):
        _get(address)
    with pytest.raises(InputError, match="not valid SQL"):
        _get(address, "SELEC * FROM people")


QUERIED = {
    "inspect": "",
    "anonymize": "--quasi born,sex --k 2 -o release.csv -q",
    "compare": "--quasi born,sex --k 2 --algorithms mondrian",
    "patterns": "--quasi born,sex",
    "verify": "--quasi born,sex --k 1",
    "hierarchy": "--column sex --builder mask",
    "audit": "release.csv --quasi born,sex",
    "usefulness": "release.csv --quasi born,sex",
}
"""The commands that read an original table, and the rest of what each wants."""


@kinds
@pytest.mark.usefixtures("trials_here")
@pytest.mark.parametrize("command", QUERIED)
def test_every_command_takes_a_query(
    kind: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _put(f"{kind}:///people.db#people")
    PEOPLE.filter(sex="f").select("born", "sex").write_csv(tmp_path / "release.csv")
    query = ["--query", "SELECT born, sex FROM people WHERE sex = 'f'"]
    says = 1 if command == "audit" else 0  # the release is the original
    said = [command, f"{kind}:///people.db", *shlex.split(QUERIED[command]), *query]
    assert main(said) == says, capsys.readouterr().err
    assert "Address(" not in capsys.readouterr().out


@kinds
def test_an_address_is_shown_as_an_address(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _put(f"{kind}:///people.db#people")
    assert main(["inspect", f"{kind}:///people.db#people"]) == 0
    assert f"shoal anonymize '{kind}:///{tmp_path}/people.db#people'" in capsys.readouterr().out


@kinds
def test_a_failed_write_leaves_the_old_table(kind: str, tmp_path: Path) -> None:
    out = _address(kind, tmp_path, "release")
    _put(out, pl.DataFrame({"old": [1]}))
    address = address_of(out)
    assert address is not None
    twins = pl.DataFrame({"a": ["155"], "A": ["2"]})  # SQLite refuses the names, DuckDB the number of digits
    with pytest.raises(InputError):
        write_table(twins, address, {"a": "DECIMAL(2,0)"}, replace=True)
    assert _get(out).columns == ["old"]


@kinds
def test_bad_input(kind: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no"):
        _get(_address(kind, tmp_path))
    assert not (tmp_path / "people.db").exists()
    _put(_address(kind, tmp_path))
    with pytest.raises(InputError, match="no table or column"):
        _get(_address(kind, tmp_path, "persons"))
    _put(_address(kind, tmp_path, "none"), PEOPLE.clear())
    with pytest.raises(InputError, match="has columns but no rows"):
        _get(_address(kind, tmp_path, "none"))
    (tmp_path / "text.db").write_text("not a database, " * 100)
    with pytest.raises(InputError, match="not such a database"):
        _get(f"{kind}:///{tmp_path / 'text.db'}#t")
    with pytest.raises(InputError, match="does not exist; make it first"):
        shoal.anonymize(PEOPLE.select("sex"), quasi_identifiers=["sex"], privacy=shoal.KAnonymity(2)).write(
            f"{kind}:///{tmp_path / 'no' / 'x.db'}#t"
        )
    with pytest.raises(InputError, match="does not apply to a database"):
        shoal.inspect(_address(kind, tmp_path), delimiter=";")
    with pytest.raises(InputError, match="A query is for databases"):
        shoal.inspect(PEOPLE, query="SELECT 1")


def test_duckdb_keeps_decimals_and_refuses_what_cannot_be_published(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "people.db")) as connection:
        connection.execute("CREATE TABLE people AS SELECT (range / 10)::DECIMAL(10,2) AS cost, range::HUGEINT AS id, "
                           "'x' AS sex FROM range(10)")  # fmt: skip
        connection.execute("CREATE TABLE lists AS SELECT [1, 2] AS l, 1 AS x")
        connection.execute("CREATE TABLE spans AS SELECT INTERVAL 1 DAY AS span, 1 AS x")
    words: dict[str, Any] = {"quasi_identifiers": ["sex"], "others": ["cost", "id"], "privacy": shoal.KAnonymity(2)}
    release = shoal.anonymize(_address("duckdb", tmp_path), **words)
    release.write(_address("duckdb", tmp_path, "release"), folder=tmp_path)
    with duckdb.connect(str(tmp_path / "people.db")) as connection:
        found = connection.execute("DESCRIBE release").fetchall()
    assert {name: kind for name, kind, *_ in found} == {"cost": "DECIMAL(10,2)", "id": "HUGEINT", "sex": "VARCHAR"}
    for table, column in (("lists", "l"), ("spans", "span")):
        with pytest.raises(InputError, match=f"'{column}' is of type .* cannot be published"):
            _get(_address("duckdb", tmp_path, table))


@kinds
def test_in_a_job_file(kind: str, tmp_path: Path) -> None:
    _put(_address(kind, tmp_path))
    (tmp_path / "job.toml").write_text(
        f'input = "{kind}:///people.db"\noutput = "{kind}:///people.db#release"\nreplace = true\n'
        'quasi_identifiers = ["born", "sex"]\n[privacy]\nk = 3\n[reading]\nquery = "SELECT born, sex FROM people"\n'
    )
    assert main(["run", str(tmp_path / "job.toml"), "-q"]) == 0
    assert main(["run", str(tmp_path / "job.toml"), "-q"]) == 0
    assert _get(_address(kind, tmp_path, "release")).columns == ["born", "sex"]
    assert (tmp_path / "release.run.json").exists()
