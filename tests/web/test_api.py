"""The way through by the API: upload, configure, run, poll, download, delete; and the same again, byte for byte."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import httpx
import polars as pl
import pytest

from shoal.engine.job import run_job
from shoal.io.example import people
from shoal.io.example_visits import VISIT_ROLES, visits
from shoal.io.write import write_frame
from support.bench import PATIENCE, Bench, accept_all, finish

JOB: dict[str, Any] = {
    "identifiers": ["name", "ssn", "email"],
    "quasi_identifiers": ["birth_date", "postcode", "sex"],
    "sensitive": ["diagnosis"],
    "others": ["marital_status", "job"],
    "privacy": {"k": 5, "l": 2},
    "hierarchies": {
        "birth_date": {"builder": "dates", "levels": ["year", "decade"]},
        "postcode": "mask:levels=3",
        "sex": "sexes.csv",
    },
    "suppression_limit": 0.05,
    "algorithm": "lattice",
    "weights": {"sex": 2.0},
    "seed": 7,
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "people.csv"
    write_frame(people(2_000), path)
    return path


def prepare(client: httpx.Client, path: str, table: Path) -> None:
    client.put(f"{path}/table", params={"name": table.name}, content=table.read_bytes()).raise_for_status()
    sexes = b"female;any;*\nmale;any;*\n"
    client.put(f"{path}/files", params={"name": "sexes.csv"}, content=sexes).raise_for_status()


@pytest.fixture(scope="module")
def prepared(shared_session: tuple[httpx.Client, str], table: Path) -> tuple[httpx.Client, str]:
    """A session with a table and a hierarchy, which what is refused leaves as it is."""
    prepare(*shared_session, table)
    return shared_session


@pytest.mark.slow
def test_the_whole_way(session: tuple[httpx.Client, str], table: Path, tmp_path: Path) -> None:
    client, path = session
    prepare(client, path, table)
    looked = client.get(f"{path}/table", params={"n": 3}).json()
    assert len(looked["rows"]) == 3
    assert {c["name"]: c["role"] for c in looked["inspection"]["columns"]}["ssn"] == "identifier"
    assert client.put(f"{path}/job", json=JOB).status_code == 200
    assert client.get(f"{path}/job/check").json()["algorithm"]
    exported = client.get(f"{path}/hierarchies", params={"column": "postcode"})
    assert exported.text.splitlines()[0].count(";") == 4
    started = client.post(f"{path}/runs", json={"name": "first"})
    assert started.status_code == 202
    run = started.json()["id"]
    found = finish(client, path, run, "classes", "utility", "audit", "nodes")
    accept_all(client, path, run)
    assert found["state"] == "done"
    assert found["figures"]["smallest"] >= 5
    names = ["release.csv", "release.parquet", "release.xlsx", "report.html", "public.html", "again.zip"]
    files = {name: client.get(f"{path}/runs/{run}/files/{name}") for name in names}
    assert {answer.status_code for answer in files.values()} == {200}
    assert "attachment" in files["report.html"].headers["content-disposition"]
    released = pl.read_csv(io.BytesIO(files["release.csv"].content), infer_schema=False)
    assert released.height == found["figures"]["n_records"]
    assert released.group_by(JOB["quasi_identifiers"]).len()["len"].min() >= 5  # type: ignore[operator]
    check_again(files, table, tmp_path)
    assert client.delete(f"{path}/runs/{run}").status_code == 204
    assert client.get(f"{path}/runs/{run}").status_code == 404


def check_again(files: dict[str, httpx.Response], table: Path, folder: Path) -> None:
    """The job file and the script give the same bytes as the run."""
    for name, command in {"file": ["-m", "shoal", "run", "job.toml", "--quiet"], "script": ["job.py"]}.items():
        place = folder / name
        place.mkdir()
        zipfile.ZipFile(io.BytesIO(files["again.zip"].content)).extractall(place)
        (place / table.name).write_bytes(table.read_bytes())
        subprocess.run([sys.executable, *command], cwd=place, check=True, timeout=PATIENCE)
        assert (place / "release.csv").read_bytes() == files["release.csv"].content
        assert (place / "public.html").read_bytes() == files["public.html"].content
    for ending in ("parquet", "xlsx"):
        text = (folder / "file" / "job.toml").read_text("utf-8").replace("release.csv", f"release.{ending}")
        (folder / "file" / "other.toml").write_text(text)
        run_job(folder / "file" / "other.toml")
        assert (folder / "file" / f"release.{ending}").read_bytes() == files[f"release.{ending}"].content


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("broken.csv", b"a,b\n1,2\n1,2,3\n", "has 3 fields where the header has 2"),
        ("empty.csv", b"", "is empty"),
        ("fake.parquet", b"PAR1 no", "fake.parquet"),
        ("fake.xlsx", b"PK\x03\x04 no", "is not an Excel workbook"),
    ],
)
def test_bad_tables_are_refused_in_a_sentence(
    prepared: tuple[httpx.Client, str], name: str, content: bytes, sentence: str
) -> None:
    client, path = prepared
    answer = client.put(f"{path}/table", params={"name": name}, content=content)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]


def test_a_job_that_leaves_out_columns_that_give_people_away_is_refused_in_a_sentence(
    prepared: tuple[httpx.Client, str],
) -> None:
    client, path = prepared
    job = {"quasi_identifiers": ["postcode", "sex"], "sensitive": ["diagnosis"], "privacy": {"k": 5}}
    assert client.put(f"{path}/job", json=job).status_code == 200
    answer = client.get(f"{path}/job/check")
    assert answer.status_code == 422
    assert "no role and may identify people: 'name', which looks like an identifier" in answer.json()["detail"]
    started = client.post(f"{path}/runs", json={"name": "first"})
    state = finish(client, path, started.json()["id"]) if started.status_code == 202 else started.json()
    assert "no role and may identify people" in str(state)


def test_a_table_stays_where_the_next_cannot_be_read(prepared: tuple[httpx.Client, str], table: Path) -> None:
    client, path = prepared
    assert client.put(f"{path}/table", params={"name": table.name}, content=b"a,b\n1\n").status_code == 422
    assert client.get(path).json()["table"] == table.name
    assert client.get(path).json()["files"] == ["sexes.csv"]
    assert len(client.get(f"{path}/table", params={"n": 2}).json()["rows"]) == 2


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"privacy": {"k": 5000}}, "k = 5,000 needs at least 5,000 rows, but the table has 2,000"),
        ({"privacy": {"l": 1000}}, "ask for l of at most"),
        ({"quasi_identifiers": ["birthdate"]}, "Did you mean 'birth_date'?"),
        ({"hierarchies": {"sex": {"men": ["male"]}}}, "lacks 1 value of the table: 'female'"),
        ({"algorithm": "mondriaan"}, "Did you mean 'mondrian'?"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(
    prepared: tuple[httpx.Client, str], more: dict[str, Any], sentence: str
) -> None:
    client, path = prepared
    client.put(f"{path}/job", json={**JOB, **more}).raise_for_status()
    for answer in (client.get(f"{path}/job/check"), client.post(f"{path}/runs")):
        assert answer.status_code == 422
        assert sentence in answer.json()["detail"]
    assert client.get(path).json()["runs"] == []


def test_words_that_a_job_does_not_have_are_refused_as_in_a_job_file(prepared: tuple[httpx.Client, str]) -> None:
    client, path = prepared
    answer = client.put(f"{path}/job", json={**JOB, "metrik": "lm"})
    assert answer.status_code == 422
    assert "Did you mean 'metric'?" in answer.json()["detail"]


def test_a_run_can_be_cancelled(session: tuple[httpx.Client, str], table: Path) -> None:
    client, path = session
    prepare(client, path, table)
    client.put(f"{path}/job", json={**JOB, "algorithm": "clustering:budget=600"}).raise_for_status()
    run = client.post(f"{path}/runs").json()["id"]
    assert client.get(f"{path}/runs/{run}/files/release.csv").status_code == 422
    cancelled = client.post(f"{path}/runs/{run}/cancel").json()
    assert cancelled["state"] == "cancelled"
    assert finish(client, path, run)["sentence"] == "Cancelled; nothing was written."
    assert client.get(f"{path}/runs/{run}/files/release.csv").status_code == 422
    assert client.get(f"{path}/runs/{run}/files/job.toml").status_code == 200


def test_no_file_of_a_run_is_given_out_but_those_it_offers(session: tuple[httpx.Client, str], table: Path) -> None:
    client, path = session
    prepare(client, path, table)
    client.put(f"{path}/job", json=JOB).raise_for_status()
    run = client.post(f"{path}/runs").json()["id"]
    finish(client, path, run)
    for name in ("people.csv", "..%2F..%2Fpeople.csv", "release.h5", "risk.html"):
        assert client.get(f"{path}/runs/{run}/files/{name}").status_code == 404


def test_nothing_of_the_data_is_logged(bench: Bench, session: tuple[httpx.Client, str]) -> None:
    client, path = session
    secret = "Zaphod-Beeblebrox"
    client.put(f"{path}/table", params={"name": f"{secret}.csv"}, content=f"name,b\n{secret},2\n{secret},2,3".encode())
    client.put(f"{path}/job", json={"quasi_identifiers": [secret], "privacy": {"k": secret}})
    client.put(f"{path}/table", params={"name": f"{secret}.csv"}, content=f"name,b\n{secret},2\n".encode())
    client.get(f"{path}/hierarchies", params={"column": secret})
    assert not [line for line in bench.errors if secret in line or bench.token in line]


def test_a_job_that_reads_the_table_otherwise_has_it_read_again(session: tuple[httpx.Client, str]) -> None:
    client, path = session
    client.put(f"{path}/table", params={"name": "t.csv"}, content=b"a,b\n1,?\n2,3\n").raise_for_status()
    job = {"quasi_identifiers": ["b"], "privacy": {"k": 2}, "reading": {"missing_values": ["?"]}}
    client.put(f"{path}/job", json=job).raise_for_status()
    columns = client.get(f"{path}/table").json()["inspection"]["columns"]
    assert [column["n_missing"] for column in columns] == [0, 1]
    refused = client.put(f"{path}/job", json={**job, "reading": {"encoding": "no-such-thing"}})
    assert refused.status_code == 422
    assert client.get(path).json()["job"] == job
    assert client.get(f"{path}/table").status_code == 200


def test_a_session_finds_whose_rows_are_whose_and_counts_people(session: tuple[httpx.Client, str]) -> None:
    client, path = session
    file = io.BytesIO()
    visits(200).write_csv(file)
    client.put(f"{path}/table", params={"name": "visits.csv"}, content=file.getvalue()).raise_for_status()
    looked = client.get(f"{path}/table", params={"n": 1}).json()
    assert [key["name"] for key in looked["inspection"]["keys"]] == ["patient_id"]
    job = {**VISIT_ROLES, "person": "patient_id", "privacy": {"k": 3}}
    assert client.put(f"{path}/job", json=job).status_code == 200
    assert client.get(f"{path}/job/check").status_code == 200
    wrong = {**job, "others": ["patient_id"]}
    assert "choose one role" in client.put(f"{path}/job", json=wrong).text + client.get(f"{path}/job/check").text
