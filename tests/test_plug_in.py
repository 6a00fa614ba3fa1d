"""A package of somebody else's brings an algorithm and a metric: the template of the docs, installed and run."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.page_commands import commands

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that has the package."""
    folder = tmp_path_factory.mktemp("plug_in")
    shutil.copytree(ROOT / "docs_src/plug_in", folder / "source")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", folder / "site", folder / "source"], check=True, capture_output=True)
    paths = [str(folder / "site"), str(ROOT / "src")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _run(installed: dict[str, str], folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    lines = ["age,zip", *(f"{30 + i},{'ab'[i % 2]}" for i in range(12))]
    (folder / "people.csv").write_text("\n".join(lines) + "\n")
    whole = [sys.executable, "-m", "shoal", *command]
    return subprocess.run(whole, cwd=folder, env=installed, capture_output=True, text=True)


def test_its_algorithm_makes_a_release_that_we_check(installed: dict[str, str], tmp_path: Path) -> None:
    asked = ("anonymize", "people.csv", "--quasi", "age,zip", "--k", "3", "--algorithm", "sorted", "-o", "out.csv")
    run = _run(installed, tmp_path, *asked)
    assert run.returncode == 0, run.stderr
    rows = (tmp_path / "out.csv").read_text().splitlines()[1:]
    assert min(rows.count(row) for row in rows) >= 3


def test_the_commands_of_the_page_succeed(installed: dict[str, str], tmp_path: Path) -> None:
    for command in commands(ROOT / "docs" / "plug-ins.md"):
        run = _run(installed, tmp_path, *shlex.split(command)[1:])
        assert run.returncode == 0, f"{command}\n{run.stderr}"


def test_its_metric_is_known_by_name(installed: dict[str, str]) -> None:
    code = (
        "import polars as pl, shoal\n"
        "t = pl.DataFrame({'age': [30, 30, 40, 40]})\n"
        "r = shoal.anonymize(t, quasi_identifiers=['age'], privacy=shoal.KAnonymity(2), metric='widest')\n"
        "print(r.metrics()['widest'])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], env=installed, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) == 0.5


def test_without_the_package_the_name_is_refused(tmp_path: Path) -> None:
    asked = ("anonymize", "people.csv", "--quasi", "age,zip", "--k", "3", "--algorithm", "sorted", "-o", "out.csv")
    run = _run({**os.environ, "PYTHONPATH": str(ROOT / "src")}, tmp_path, *asked)
    assert run.returncode == 2
    assert "sorted" in run.stderr + run.stdout
