"""What is wrong with a column of people is said over REST in the sentence of the command line."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from engine.test_people_on_every_face import REFUSED
from support.bench import finish


def told(session: tuple[httpx.Client, str], keys: list[str], more: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Upload a table, say the job and run it: the run, if it came to that, and all that was said on the way."""
    client, path = session
    rows = "".join(f"{key},{30 + row % 7}\n" for row, key in enumerate(keys))
    client.put(f"{path}/table", params={"name": "visits.csv"}, content=f"who,age\n{rows}".encode()).raise_for_status()
    job = {"quasi_identifiers": ["age"], "person": "who", "privacy": {"k": 2}, "quick": True, "audit": "off", **more}
    answers = [client.put(f"{path}/job", json=job), client.get(f"{path}/job/check")]
    started = client.post(f"{path}/runs", json={"name": "first"}) if answers[0].is_success else answers[0]
    found = finish(client, path, started.json()["id"]) if started.is_success else {"state": "refused"}
    return found, " ".join([*(answer.text for answer in (*answers, started)), json.dumps(found)]).replace("\\", "")


@pytest.mark.parametrize(("keys", "more", "why"), REFUSED, ids=["two roles", "no such", "too few people", "one person"])
def test_what_cannot_be_counted_is_refused_in_one_sentence(
    session: tuple[httpx.Client, str], keys: list[str], more: dict[str, Any], why: str
) -> None:
    found, said = told(session, keys, more)
    assert why in said
    assert found["state"] in ("refused", "failed")


def test_rows_without_a_key_are_told(session: tuple[httpx.Client, str]) -> None:
    found, said = told(session, ["a", "b", "", ""], {})
    assert "2 of 4 rows have no value in 'who'; each counts as a person of its own." in said
    assert found["state"] == "done"


def test_a_person_with_a_hundred_thousand_rows_is_one(session: tuple[httpx.Client, str]) -> None:
    client, path = session
    found, _ = told(session, ["busy"] * 100_000 + ["a", "b", "c"], {"privacy": {"k": 4}})
    assert found["state"] == "done"
    release = client.get(f"{path}/runs/{found['id']}/files/release.csv").text.splitlines()
    assert len(release) == 100_004
    assert len({*release[1:]}) == 1
