"""Every code block of the docs is a file under test."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal import algorithms, metrics, models

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "docs_src").rglob("*.py"))
SLOW = {"spark_frame.py"}
"""Examples that start a cluster."""
PIPELINES = {"dagster_assets.py": ("dagster",), "airflow_dag.py": ("airflow",)}
"""Examples that run where what they are for is installed."""
INVENTED = {"shoal.protect"}
"""An example of a deprecated name."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.usefixtures("trials_here")
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(script, id=str(script.relative_to(ROOT)), marks=pytest.mark.slow if script.name in SLOW else ())
        for script in SCRIPTS
    ],
)
def test_it_runs(script: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for package in PIPELINES.get(script.name, ()):
        pytest.importorskip(package, reason=f"{package} is not installed; make pipelines runs the example with it")
    runpy.run_path(str(script), run_name="__main__")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_blocks_are_taken_from_docs_src(page: Path) -> None:
    known = "\n".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.S):
        assert block.strip() in known, f"not in docs_src: {block[:80]!r}"


def test_the_readme_shows_what_its_example_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """Line by line, in any order: records are shuffled."""
    runpy.run_path(str(ROOT / "docs_src" / "tour" / "anonymize.py"), run_name="__main__")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"```text\n(.*?)```", text.partition("```python")[2], flags=re.DOTALL)[0]
    assert sorted(capsys.readouterr().out.splitlines()) == sorted(shown.splitlines())


@pytest.mark.parametrize("script", sorted((ROOT / "docs_src").rglob("*.R")), ids=lambda path: path.name)
def test_r_is_shown_as_it_is_and_runs_where_r_is_at_hand(script: Path, tmp_path: Path) -> None:
    assert any(f"```r\n{script.read_text(encoding='utf-8')}```" in page.read_text(encoding="utf-8") for page in PAGES)
    if (program := shutil.which("Rscript")) is None:
        pytest.skip("R is not installed")
    _published(tmp_path)
    done = subprocess.run([program, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "age" in done.stdout


@pytest.mark.parametrize("script", sorted((ROOT / "docs_src").rglob("*.do")), ids=lambda path: path.name)
def test_stata_is_shown_as_it_is_and_runs_where_stata_is_at_hand(script: Path, tmp_path: Path) -> None:
    shown = f"```stata\n{script.read_text(encoding='utf-8')}```"
    assert any(shown in page.read_text(encoding="utf-8") for page in PAGES)
    if (program := shutil.which("stata") or shutil.which("stata-se") or shutil.which("stata-mp")) is None:
        pytest.skip("Stata is not installed")
    _published(tmp_path)
    done = subprocess.run([program, "-b", "do", str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "r(" not in (tmp_path / f"{script.stem}.log").read_text()


def _published(folder: Path) -> None:
    """A release as bounds."""
    people = pl.DataFrame({"age": [20 + i % 40 for i in range(60)], "town": ["Ely", "Truro", "Ripon"] * 20})
    said: dict[str, Any] = {"quasi_identifiers": ["age", "town"], "privacy": shoal.KAnonymity(5), "quick": True}
    shoal.anonymize(people, cells="bounds", **said).write(folder / "release.csv")


def test_job_files_that_pages_point_to_are_shown_as_they_are() -> None:
    """A page that links a job file in docs_src shows it whole."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)]*docs_src[^)]*\.toml)\)", text):
            job = (page.parent / target).read_text(encoding="utf-8")
            assert f"```toml\n{job}```" in text, f"{page.name} does not show {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} points to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_names_that_a_page_mentions_exist(page: Path) -> None:
    """Files by their path from the root, the package, the docs or the page; names of the library by their modules."""
    text = page.read_text(encoding="utf-8")
    roots = (ROOT, ROOT / "src" / "shoal", ROOT / "docs", page.parent)
    for name in re.findall(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|json|yml|toml|js|csv|txt))`", text):
        assert any((root / name).exists() for root in roots), f"{page.name} mentions {name}"
    for name in re.findall(r"`(shoal(?:\.\w+)+)", text):
        assert name in INVENTED or _found(name), f"{page.name} mentions {name}"


def _found(name: str) -> bool:
    """Whether a dotted name leads to a module, or to something in one."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        with suppress(ImportError):
            found: Any = import_module(".".join(parts[:n]))
            return reduce(lambda thing, part: getattr(thing, part, None), parts[n:], found) is not None
    return False


@pytest.mark.parametrize(
    ("page", "known"),
    [
        ("docs/promises.md", models.ALL),
        ("docs/metrics.md", metrics.ALL),
        ("docs/algorithms.md", algorithms.ALL),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_plug_in_is_on_its_page(page: str, known: Mapping[str, type]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [name for name in known if name not in text] == []


def test_the_tests_that_the_security_policy_names_exist() -> None:
    root = Path(__file__).parent.parent
    named = set(re.findall(r"`(tests/[\w/.]+)`", (root / "SECURITY.md").read_text("utf-8")))
    assert len(named) > 10
    assert not [name for name in named if not (root / name).exists()]
