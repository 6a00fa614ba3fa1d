"""One workbench for many tests."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from support.bench import Bench, start_bench


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """One workbench for all tests that leave it as it was."""
    started = start_bench(tmp_path_factory.mktemp("bench"), "--upload-limit", "64")
    yield started
    started.stop()


@pytest.fixture
def session(bench: Bench) -> Iterator[tuple[httpx.Client, str]]:
    """A program with a session of its own: the client, and the path of the session."""
    with bench.client() as client:
        made = client.post("/api/sessions")
        path = f"/api/sessions/{made.json()['session']}"
        yield client, path
        client.delete(path)
