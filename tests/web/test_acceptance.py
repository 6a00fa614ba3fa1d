"""A release is locked until every finding is fixed or accepted with a reason, which goes into the run record."""

from __future__ import annotations

import io
import json
import zipfile

import httpx
import polars as pl
import pytest

from support.bench import Bench, finish

N = 24
TABLE = pl.DataFrame(
    {
        "age": [30 + i // 4 for i in range(N)],
        "ill": ["x" if i < 4 else "abcd"[i % 4] for i in range(N)],
    }
)
WORDS = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "privacy": {"k": 4}, "quick": True}
KEY = "homogeneity:ill"


def start(session: tuple[httpx.Client, str], words: dict[str, object]) -> str:
    client, path = session
    content = TABLE.write_csv().encode()
    client.put(f"{path}/table", params={"name": "t.csv"}, content=content).raise_for_status()
    client.put(f"{path}/job", json=words).raise_for_status()
    run = str(client.post(f"{path}/runs").json()["id"])
    assert finish(client, path, run, "audit")["state"] == "done"
    return f"{path}/runs/{run}"


@pytest.fixture(scope="module")
def run(shared_session: tuple[httpx.Client, str]) -> str:
    """A run with an attack that succeeds; every test leaves it without a reason for that."""
    return start(shared_session, WORDS)


def accept(client: httpx.Client, run: str, key: str, reason: str) -> httpx.Response:
    return client.put(f"{run}/findings", json={"key": key, "reason": reason})


def test_nothing_that_may_leave_is_given_out_while_an_attack_succeeds(
    shared_session: tuple[httpx.Client, str], run: str
) -> None:
    client, _ = shared_session
    assert KEY in [found["key"] for found in client.get(run).json()["figures"]["findings"]]
    for name in ("release.csv", "release.parquet", "release.arrow", "release.xlsx", "public.html"):
        answer = client.get(f"{run}/files/{name}")
        assert (answer.status_code, "locked" in answer.text) == (422, True), name
    for name in ("report.html", "job.toml", "job.py", "release.run.json"):
        assert client.get(f"{run}/files/{name}").status_code == 200


def test_a_reason_opens_it_and_goes_into_the_record(shared_session: tuple[httpx.Client, str], run: str) -> None:
    client, _ = shared_session
    for found in client.get(run).json()["figures"]["findings"]:
        accept(client, run, found["key"], "Only  for the ward itself,\nunder contract.").raise_for_status()
    assert pl.read_csv(io.BytesIO(client.get(f"{run}/files/release.csv").content)).height == N
    record = json.loads(client.get(f"{run}/files/release.run.json").content)
    (said,) = [one for one in record["accepted"] if one["finding"] == KEY]
    assert said["reason"] == "Only for the ward itself, under contract."
    assert said["when"]
    assert record["privacy"] == ["4-anonymity"]
    dossier = zipfile.ZipFile(io.BytesIO(client.get(f"{run}/files/dossier.zip").content))
    assert "Only for the ward itself" in dossier.read("internal.html").decode()
    assert "Only for the ward itself" not in dossier.read("public.html").decode()
    accept(client, run, KEY, "").raise_for_status()
    assert client.get(f"{run}/files/release.csv").status_code == 422
    record = json.loads(client.get(f"{run}/files/release.run.json").content)
    assert KEY not in [one["finding"] for one in record["accepted"]]


def test_no_reason_is_none_and_unknown_findings_are_refused(shared_session: tuple[httpx.Client, str], run: str) -> None:
    client, _ = shared_session
    assert accept(client, run, KEY, "ok").status_code == 422
    assert accept(client, run, "nobody:knows", "A reason that is long enough.").status_code == 422
    assert client.get(f"{run}/files/release.csv").status_code == 422


def test_rows_beside_their_records_are_for_their_session_alone(
    bench: Bench, shared_session: tuple[httpx.Client, str], run: str
) -> None:
    client, _ = shared_session
    found = client.get(f"{run}/rows", params={"side": "before", "sort": "row", "n": 2}).json()
    assert found["n"] == N
    assert found["rows"][0]["cells"] == [1, "30", "x"]
    with bench.browser() as other, bench.stranger() as stranger:
        assert other.get(f"{run}/rows", params={"side": "before"}).status_code == 404
        assert stranger.get(f"{run}/rows", params={"side": "before"}).status_code == 401
        assert accept(other, run, KEY, "Somebody else says that it is fine.").status_code == 404


@pytest.mark.slow
def test_the_second_table_and_the_codebook_can_be_taken_away(session: tuple[httpx.Client, str]) -> None:
    client, _ = session
    parts = {"privacy": {"l": 2}, "algorithm": "anatomy"}
    for words, name in (({**WORDS, **parts}, "sensitive"), ({**WORDS, "cells": "codes"}, "codes")):
        made = start(session, words)
        assert client.get(f"{made}/files/release.{name}.csv").status_code == 422
        for found in client.get(made).json()["figures"]["findings"]:
            accept(client, made, found["key"], "Known, and fine for this test.").raise_for_status()
        taken = client.get(f"{made}/files/release.{name}.csv")
        assert taken.status_code == 200
        assert pl.read_csv(io.BytesIO(taken.content)).height > 0
        answer = client.get(f"{made}/files/release.{name}.parquet")
        assert answer.status_code == 200, answer.text
        assert pl.read_parquet(io.BytesIO(answer.content)).height > 0
        assert client.get(f"{made}/files/release.nothing.csv").status_code == 404
