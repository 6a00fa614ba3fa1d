"""A real PostgreSQL: types, rights, credentials, and what is left when a run is killed."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.errors import InputError
from support.postgres import PASSWORD

pytestmark = pytest.mark.xdist_group("postgres")

Execute = Callable[..., list[Any]]
PEOPLE = """
    CREATE TABLE people AS SELECT 'person ' || i AS name, 20 + i % 40 AS age, (ARRAY['f', 'm'])[1 + i % 2] AS sex,
    (i % 7 + 0.10)::numeric(10, 2) AS cost, date '2024-01-01' + i AS seen, i % 3 = 0 AS smokes,
    (ARRAY['flu', 'gout', 'cold'])[1 + i % 3] AS ill, now() AS entered, (1e20 + i)::numeric AS code
    FROM generate_series(1, 200) AS i
"""
ROLES = [
    "--identifiers",
    "name",
    "--quasi",
    "age,sex",
    "--sensitive",
    "ill",
    "--others",
    "seen,entered,code,cost,smokes",
]
ROLES += ["--k", "7"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    monkeypatch.chdir(tmp_path)
    return lambda *said: main([*said])


def test_from_a_table_to_a_verified_table(address: str, execute: Execute, run: Callable[..., int]) -> None:
    execute(PEOPLE)
    assert run("anonymize", f"{address}#people", *ROLES, "--l", "2", "-o", f"{address}#release", "-q") == 0
    kinds = execute("SELECT column_name, data_type, numeric_precision, numeric_scale FROM information_schema.columns "
                    "WHERE table_name = 'release'")  # fmt: skip
    assert {name: kind for name, kind, *_ in kinds} == {
        "age": "text", "sex": "text", "cost": "numeric", "seen": "date", "smokes": "boolean", "ill": "text",
        "entered": "timestamp with time zone", "code": "numeric",
    }  # fmt: skip
    assert next((p, s) for name, _, p, s in kinds if name == "cost") == (10, 2)
    assert execute("SELECT count(*), min(n) >= 5 FROM (SELECT count(*) AS n FROM release GROUP BY age, sex) AS c")[0][1]
    same = "SELECT seen, cost, smokes, code FROM people EXCEPT SELECT seen, cost, smokes, code FROM release"
    assert execute(same) == [], "a value changed on its way"
    assert run("verify", f"{address}#release", "--quasi", "age,sex", "--k", "5", "-q") == 0


def test_columns_that_nobody_spoke_about_are_refused(
    address: str, execute: Execute, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    execute(PEOPLE)
    said = ["anonymize", f"{address}#people", "--quasi", "age,sex", "--k", "7", "-o", f"{address}#release", "-q"]
    assert run(*said) == 2
    sentence = " ".join(capsys.readouterr().err.split())
    for name in ("'name', which looks like an identifier", "'seen', which looks like", "'code', which looks like"):
        assert name in sentence
    assert "--roles suggested" in sentence
    assert execute("SELECT to_regclass('release') IS NULL") == [(True,)]
    assert run(*said, "--roles", "suggested") == 0
    columns = execute("SELECT column_name FROM information_schema.columns WHERE table_name = 'release'")
    assert not {"name", "code"} & {name for (name,) in columns}


def test_what_inspect_suggests_runs_as_printed_and_as_a_job(
    address: str, execute: Execute, run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    execute(PEOPLE)
    assert run("inspect", f"{address}#people", "--write-job", "job.toml", "--json") == 0
    printed = capsys.readouterr().out
    assert PASSWORD not in printed + (tmp_path / "job.toml").read_text(encoding="utf-8")
    command = shlex.split(json.loads(printed)["command"])
    assert run(*command[1:], "-q", "--quick") == 0
    assert "name" not in pl.read_csv(tmp_path / "release.csv").columns
    assert run("run", "job.toml", "-q") == 0
    assert "name" not in pl.read_csv(tmp_path / "table_release.csv").columns


def test_numerics_as_quasi_identifiers(address: str, execute: Execute, tmp_path: Path) -> None:
    execute(PEOPLE)
    result = shoal.anonymize(
        address, query="SELECT cost, sex FROM people", quasi_identifiers=["cost", "sex"], privacy=shoal.KAnonymity(60)
    )
    assert result.release.table.quasi[0].domain.kind == "numeric"
    result.write(f"{address}#release", folder=tmp_path)
    [(kind,)] = execute("SELECT data_type FROM information_schema.columns WHERE table_name = 'release' AND "
                        "column_name = 'cost'")  # fmt: skip
    assert kind == "text", "ranges are no numbers"


def test_the_right_to_select_suffices(
    address: str, execute: Execute, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    execute(PEOPLE, "CREATE VIEW shown AS SELECT age, sex FROM people",
            f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'",
            "GRANT SELECT ON shown TO reader", "GRANT USAGE ON SCHEMA public TO reader",
            "REVOKE CREATE ON SCHEMA public FROM public")  # fmt: skip
    try:
        reader = address.replace("owner@", "reader@")
        assert run("anonymize", f"{reader}#shown", "--quasi", "age,sex", "--k", "5", "-o", "release.csv", "-q") == 0
        assert run("anonymize", f"{reader}#people", "--quasi", "age", "--k", "5", "-q") == 2
        assert "lack the right" in capsys.readouterr().err
        said = ["anonymize", f"{reader}#shown", "--quasi", "age,sex", "--k", "5", "-q", "-o", f"{reader}#release"]
        assert run(*said) == 2
        assert "You may not create" in capsys.readouterr().err
    finally:
        execute("DROP OWNED BY reader", "DROP ROLE reader")


def test_nothing_is_overwritten_unasked(
    address: str, execute: Execute, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    execute(PEOPLE, "CREATE TABLE release AS SELECT 1 AS old")
    said = ["anonymize", f"{address}#people", *ROLES, "-q", "-o", f"{address}#release"]
    assert run(*said) == 2
    assert "exists already" in capsys.readouterr().err
    execute("CREATE VIEW leaning AS SELECT old FROM release")
    assert run(*said, "--replace") == 2
    assert "depend on the table" in capsys.readouterr().err
    assert execute("SELECT old FROM release") == [(1,)]
    execute("DROP VIEW leaning")
    assert run(*said, "--replace") == 0
    assert execute("SELECT count(*) FROM release") == [(200,)]


def test_killed_in_the_middle_leaves_no_half_table(address: str, execute: Execute, tmp_path: Path) -> None:
    execute(PEOPLE)
    code = f"""
import os, signal, sys
import shoal
from shoal.io.databases import postgres
write = postgres.Postgres.write
def killed(self, *said):
    write(self, *said)
    os.kill(os.getpid(), signal.SIGKILL)
postgres.Postgres.write = killed
shoal.anonymize({address + "#people"!r}, quasi_identifiers=["age", "sex"], identifiers=["name"],
    others=["seen", "entered", "code", "cost", "smokes", "ill"], privacy=shoal.KAnonymity(5),
).write({address + "#release"!r}, folder={str(tmp_path)!r})
"""
    done = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    assert execute("SELECT to_regclass('release') IS NULL") == [(True,)]
    assert not [path for path in tmp_path.iterdir() if not path.name.startswith(".")]
    result = shoal.anonymize(
        f"{address}#people",
        quasi_identifiers=["age", "sex"],
        identifiers=["name"],
        others=["seen", "entered", "code", "cost", "smokes", "ill"],
        privacy=shoal.KAnonymity(5),
    )
    result.write(f"{address}#release", folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["release.run.json"], "the next run sweeps"


def test_credentials_are_nowhere(
    address: str,
    execute: Execute,
    run: Callable[..., int],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    execute(PEOPLE)
    said = ["anonymize", f"{address}#people", *ROLES, "-o", f"{address}#release", "--report", "report.html"]
    assert run(*said, "--public-report", "public.json") == 0
    monkeypatch.setenv("SHOAL_DEBUG", "1")
    assert run(*said) == 2
    assert run("anonymize", f"{address.replace('owner@', 'owner:' + PASSWORD + '@')}#people", *ROLES) == 2
    monkeypatch.setenv("PGPASSWORD", "wrong-" + PASSWORD)
    assert run("anonymize", f"{address}#people", *ROLES) == 2
    printed = "".join(capfd.readouterr())
    assert "refused the user or the password" in printed
    texts = [printed, *(path.read_text() for path in tmp_path.iterdir())]
    assert len(texts) == 4, "release.run.json, report.html and public.json"
    assert not [text for text in texts if PASSWORD in text or "owner@" in text]
    record = json.loads((tmp_path / "release.run.json").read_text())
    where = address.replace("owner@", "")
    assert record["input"] == {"database": f"{where}#people"}
    assert record["output"] == {"database": f"{where}#release"}


def test_the_password_may_be_in_a_file(
    address: str, execute: Execute, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(PEOPLE)
    (tmp_path / "pgpass").write_text(f"*:*:*:*:{PASSWORD}\n")
    (tmp_path / "pgpass").chmod(0o600)
    monkeypatch.delenv("PGPASSWORD")
    with pytest.raises(InputError, match="refused the user or the password"):
        shoal.inspect(f"{address}#people")
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "pgpass"))
    assert shoal.inspect(f"{address}#people").n_rows == 200


def test_bad_input(address: str, execute: Execute) -> None:
    execute("CREATE TABLE nobody (age int)", "CREATE TABLE odd AS SELECT 1 AS age, ARRAY[1, 2] AS l",
            "CREATE TABLE rich AS SELECT 1 AS age, 5::money AS m, '1 day'::interval AS i")  # fmt: skip
    for text, words in (
        (f"{address}#nobody", "has columns but no rows"),
        (f"{address}#odd", "'l' is of type List"),
        (f"{address}#rich", "'m' is of type money, which cannot be published"),
        (f"{address}#nowhere", "no table or column of that name"),
        (f"{address[:-8]}nothere#people", "no database of that name"),
        ("postgresql://owner@127.0.0.1:1/postgres#people", "cannot be reached"),
        (address, "names a database but no table"),
    ):
        with pytest.raises(InputError, match=words):
            shoal.inspect(text)
    people = pl.DataFrame({"age": [1, 1]})
    with pytest.raises(InputError, match="cannot be reached"):
        shoal.anonymize(people, quasi_identifiers=["age"], privacy=shoal.KAnonymity(2)).write(
            "postgresql://owner@127.0.0.1:1/postgres#release"
        )


def test_the_views_and_roles_of_the_docs(address: str, execute: Execute, run: Callable[..., int]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "databases.md").read_text(encoding="utf-8")
    block = re.sub(r"--.*", "", re.findall(r"```sql\n(.*?)```", page, flags=re.DOTALL)[0])
    execute(
        "CREATE SCHEMA ward",
        "CREATE TABLE ward.stays AS SELECT 'person ' || i AS name, 1940 + i % 20 AS birth_year, '1011' || i % 3 AS "
        "postcode, (ARRAY['f', 'm'])[1 + i % 2] AS sex, (ARRAY['flu', 'gout', 'cold', 'flu'])[1 + i % 4] AS diagnosis, "
        "date '2024-01-01' + i AS discharged FROM generate_series(1, 300) AS i",
    )
    try:
        execute(*(statement for statement in block.split(";") if statement.strip()))
        execute(f"ALTER ROLE anonymizer PASSWORD '{PASSWORD}'")
        reader = address.replace("owner@", "anonymizer@")
        said = ["--quasi", "birth_year,area,sex", "--sensitive", "diagnosis", "--k", "10", "--l", "3", "-q"]
        to = ["-o", f"{reader}#release.stays"]
        assert run("anonymize", f"{reader}#ward.for_release", *said, *to) == 0
        assert run("anonymize", f"{reader}#ward.for_release", *said, *to, "--replace") == 0
        assert run("anonymize", f"{reader}#ward.stays", *said) == 2
        assert execute("SELECT has_table_privilege('analysts', 'release.stays', 'SELECT')") == [(True,)]
        assert execute("SELECT has_schema_privilege('analysts', 'ward', 'USAGE')") == [(False,)]
    finally:
        execute("DROP SCHEMA IF EXISTS ward, release CASCADE", "DROP OWNED BY anonymizer, analysts")
        execute("DROP ROLE anonymizer", "DROP ROLE analysts")
