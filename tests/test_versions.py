"""Other versions: the lowest of every dependency, and other Pythons, each in an environment of its own.

What is installed comes from where pip finds packages; without a way there the tests are skipped, and say so.
"""

from __future__ import annotations

import runpy
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support.environments import environment, run

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")

lowest = runpy.run_path(str(ROOT / "packaging" / "lowest.py"))["lowest"]


def test_every_dependency_says_its_lowest_version() -> None:
    pins = list(lowest())
    assert [pin.partition("==")[0] for pin in pins] == [one.partition(">=")[0] for one in PROJECT["dependencies"]]
    assert list(lowest(["web"]))[: len(pins)] == pins
    assert any(pin.startswith("nicegui==") for pin in lowest(["web"]))


def interpreter(version: str) -> str | None:
    """A Python of that version that can be found here: one of pyenv, whose shims may lead nowhere, or in the path."""
    there = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    return str(there[-1]) if there else shutil.which(f"python{version}")


def check_commands(folder: Path, python: Path) -> None:
    """Help, inspect, anonymize with a report, verify and audit, on a few rows of every kind of column."""
    rows = "\n".join(f"{20 + i % 4},{'mf'[i % 2]},2024-01-{1 + i % 9:02},{'abc'[i % 3]}" for i in range(48))
    (folder / "people.csv").write_text(f"age,sex,seen,ill\n{rows}\n")
    roles = ["--quasi", "age,sex,seen", "--sensitive", "ill"]
    shoal: list[str | Path] = [python, "-W", "ignore", "-m", "shoal"]
    assert "--suppression-limit" in run(folder, *shoal, "anonymize", "--help")
    assert "quasi" in run(folder, *shoal, "inspect", "people.csv")
    said = [*roles, "--k", "4", "--l", "2", "--quick", "-q", "-o", "release.xlsx", "--report", "report.html"]
    run(folder, *shoal, "anonymize", "people.csv", *said)
    assert "holds" in run(folder, *shoal, "verify", "release.xlsx", *roles, "--k", "4", "--json")
    run(folder, *shoal, "policy", "public-release", "--json")


@pytest.mark.slow
@pytest.mark.nightly
def test_the_lowest_versions_work_together(tmp_path: Path) -> None:
    python = environment(tmp_path, sys.executable, *lowest())
    there = dict(
        line.lower().split("==") for line in run(tmp_path, python, "-m", "pip", "freeze").splitlines() if "==" in line
    )
    for name, version in (pin.lower().split("==") for pin in lowest()):
        assert f"{there[name]}.".startswith(f"{version}."), name
    check_commands(tmp_path, python)


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("version", PYTHONS)
def test_it_works_with_every_python(version: str, tmp_path: Path) -> None:
    if (python := interpreter(version)) is None:
        pytest.skip(f"there is no Python {version} here: pyenv install {version}")
    check_commands(tmp_path, environment(tmp_path, python))
