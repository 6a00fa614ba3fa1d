"""The API fuzzed from its OpenAPI document: nothing that can be sent makes it fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case

from support.bench import PATIENCE, Bench

EXAMPLES = 12
"""How many requests are tried of each kind, besides those that the document gives."""


@pytest.fixture(scope="module")
def document(bench: Bench) -> dict[str, Any]:
    with bench.client() as client:
        found: dict[str, Any] = client.get("/api/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def own(bench: Bench) -> Iterator[str]:
    """A session with a table and a run, so that not every request ends at a session that does not exist."""
    with bench.client() as client:
        session = str(client.post("/api/sessions").json()["session"])
        table = b"a,b\n1,2\n1,2\n3,2\n3,4\n"
        client.put(f"/api/sessions/{session}/table", params={"name": "t.csv"}, content=table).raise_for_status()
        yield session
        client.delete(f"/api/sessions/{session}")


def test_it_never_fails(bench: Bench, document: dict[str, Any], own: str) -> None:
    tried: dict[str, set[int]] = {}

    def send(case: Case) -> None:
        if "session" in case.path_parameters and len(str(case.path_parameters["session"])) % 3:
            case.path_parameters["session"] = own
        if (case.method, case.path) == ("DELETE", "/api/sessions/{session}"):
            case.path_parameters["session"] = "none"
        headers = {"authorization": f"Bearer {bench.token}"}
        answer = case.call(base_url=bench.base, headers=headers, timeout=PATIENCE)
        assert answer.status_code < 500, f"{case.method} {case.path} {answer.status_code}"
        tried.setdefault(f"{case.method} {case.path}", set()).add(answer.status_code)

    for found in schemathesis.openapi.from_dict(document).get_all_operations():
        operation = found.ok()  # type: ignore[union-attr]
        fuzz = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        fuzz(given(case=operation.as_strategy())(send))()
    n_operations = sum(len(methods) for methods in document["paths"].values())
    assert len(tried) == n_operations
    assert {422, 404} <= set().union(*tried.values())
    assert any(status < 300 for statuses in tried.values() for status in statuses)


def test_the_document_is_whole_and_names_nothing_else(bench: Bench, document: dict[str, Any]) -> None:
    assert all(path.startswith("/api/sessions") for path in document["paths"])
    assert len(document["paths"]) >= 10
    with bench.client() as client:
        for page in ("/docs", "/redoc", "/openapi.json"):
            assert client.get(page).status_code == httpx.codes.NOT_FOUND
