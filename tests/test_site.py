"""The documentation site: it builds without a warning, lists every page, and needs no network."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def _pages(nav: Any) -> Iterator[str]:
    for entry in nav:
        for target in entry.values():
            if isinstance(target, str):
                yield target
            else:
                yield from _pages(target)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("zensical", reason="the documentation generator is not installed: pip install 'shoal[docs]'")
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "zensical.toml", folder)
    run = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "site"


def test_every_page_is_in_the_navigation_once() -> None:
    listed = list(_pages(tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]))
    there = sorted(str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md"))
    assert sorted(listed) == there


@pytest.mark.slow
def test_it_builds_without_a_warning_and_can_be_searched(site: Path) -> None:
    assert (site / "index.html").exists()
    assert "equivalence class" in (site / "search.json").read_text()


@pytest.mark.slow
def test_no_page_fetches_anything_from_another_host(site: Path) -> None:
    fetched = re.compile(r"<(?:script|img|iframe)[^>]+src=\"https?://|<link[^>]+rel=\"stylesheet\"[^>]+https?://")
    bad = [page.name for page in site.rglob("*.html") if fetched.search(page.read_text())]
    assert not bad


versions = runpy.run_path(str(ROOT / "packaging" / "site_versions.py"))


def test_versions_stand_beside_each_other_with_the_newest_first(tmp_path: Path) -> None:
    site, public = tmp_path / "site", tmp_path / "public"
    site.mkdir()
    with pytest.raises(SystemExit, match="There is no site"):
        versions["publish"](site, public, "0.2")
    for version in ("0.9", "0.10", "0.2", "0.10"):
        (site / "index.html").write_text(f"of {version}")
        found = versions["publish"](site, public, version)
    assert found == ["0.10", "0.9", "0.2"]
    listed = json.loads((public / "versions.json").read_text())
    assert [(one["version"], one["aliases"]) for one in listed] == [("0.10", ["latest"]), ("0.9", []), ("0.2", [])]
    assert (public / "0.9" / "index.html").read_text() == "of 0.9"
    assert 'url=0.10/"' in (public / "index.html").read_text()
    assert re.fullmatch(r"\d+\.\d+", versions["minor_version"]())


@pytest.fixture
def page() -> Iterator[Any]:
    browsers = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("there is no Chromium here; install Debian's package chromium")
    with browsers.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser.new_page()
        browser.close()


@pytest.mark.slow
def test_every_page_offers_the_other_versions(site: Path, tmp_path: Path, page: Any) -> None:
    """In a browser, as the pages are served."""
    for version in ("0.1", "0.2"):
        versions["publish"](site, tmp_path, version)
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *said: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, directory=str(tmp_path)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        page.goto(f"http://127.0.0.1:{server.server_port}/0.1/policies.html")
        chosen = page.locator(".md-version__current")
        chosen.wait_for(timeout=60_000)
        assert chosen.inner_text().strip() == "0.1"
        assert page.locator(".md-version__link").all_text_contents() == ["0.2", "0.1"]
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.slow
def test_pages_opened_as_files_can_be_searched(site: Path, page: Any) -> None:
    """Without a server or a network: from a page in a folder, the results lead to other pages."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "reference" / "commands.html").as_uri())
    page.locator(".md-search__button").first.click()
    page.keyboard.type("k-anonymity", delay=50)
    found = page.locator("[role=listbox] a", has_text="alpha-k-anonymity")
    found.first.wait_for(timeout=60_000)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    found.first.click()
    page.wait_for_url("**/reference/plug-ins.html**", timeout=60_000)
