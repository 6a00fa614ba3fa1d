"""One workbench for many tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import httpx
    from playwright.sync_api import Browser

    from support.bench import Bench
    from support.tab import Tab

collect_ignore_glob = [] if find_spec("nicegui") else ["test_*.py"]
"""Without the extra ``web`` there is no workbench to test; the extra ``dev`` holds it."""


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """One workbench for all tests that leave it as it was."""
    from support.bench import start_bench

    started = start_bench(tmp_path_factory.mktemp("bench"), "--upload-limit", "64")
    yield started
    started.stop()


@contextmanager
def opened(bench: Bench) -> Iterator[tuple[httpx.Client, str]]:
    """A program with a session: the client, and the path of the session."""
    with bench.client() as client:
        made = client.post("/api/sessions")
        path = f"/api/sessions/{made.json()['session']}"
        yield client, path
        client.delete(path)


@pytest.fixture
def session(bench: Bench) -> Iterator[tuple[httpx.Client, str]]:
    """A session of the test's own."""
    with opened(bench) as session:
        yield session


@pytest.fixture(scope="module")
def shared_session(bench: Bench) -> Iterator[tuple[httpx.Client, str]]:
    """A session for those tests of a module that leave it as it was: the process that reads its table starts once."""
    with opened(bench) as session:
        yield session


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; tests that ask for it are skipped where there is none."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("there is no Chromium here; install Debian's package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Browser, bench: Bench) -> Iterator[Tab]:
    """A tab with a session of its own."""
    from support.tab import Tab

    opened = Tab(chromium, bench)
    yield opened
    opened.close()
