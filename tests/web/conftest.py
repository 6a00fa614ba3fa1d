"""One workbench for many tests."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import httpx

    from support.bench import Bench

collect_ignore_glob = [] if find_spec("nicegui") else ["test_*.py"]
"""Without the extra ``web`` there is no workbench to test; the extra ``dev`` holds it."""


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """One workbench for all tests that leave it as it was."""
    from support.bench import start_bench

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
