"""The documentation site: it builds without a warning, lists every page, and needs no network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
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
