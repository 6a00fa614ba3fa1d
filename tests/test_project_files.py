"""What a project brings beside its code: it agrees with the code, and holds what it says."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CHANGES = (ROOT / "CHANGELOG.md").read_text()


def test_the_citation_names_this_version() -> None:
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == PROJECT["version"]


def test_the_changelog_begins_with_this_version_and_the_citation_has_its_date() -> None:
    heading = re.search(r"^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$", CHANGES, re.MULTILINE)
    assert heading
    assert heading[1] == PROJECT["version"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text()).get("date-released")
    assert cited is None if heading[2] == "unreleased" else str(cited) == heading[2]


def test_every_tag_is_a_version_that_the_changelog_dates() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a clone with git")
    tags = subprocess.run([git, "tag", "--list", "v*"], cwd=ROOT, capture_output=True, text=True, check=True)
    dated = {f"v{version}" for version in re.findall(r"^## (\S+) \(\d{4}-\d\d-\d\d\)$", CHANGES, re.MULTILINE)}
    assert set(tags.stdout.split()) <= dated


def test_the_conda_recipe_asks_for_what_the_wheel_asks_for() -> None:
    recipe = (ROOT / "packaging/conda/meta.yaml").read_text()
    asked = re.search(r"  run:\n((?:    - .*\n)+)", recipe)
    assert asked
    lines = [line.removeprefix("    - ").replace(" ", "") for line in asked[1].splitlines()]
    assert lines == [f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]]
    assert f'set version = "{PROJECT["version"]}"' in recipe


def test_uvx_and_pipx_find_the_command_by_the_name_of_the_package() -> None:
    """Both run the command that is called like what they install."""
    module, _, function = PROJECT["scripts"][PROJECT["name"]].partition(":")
    assert callable(getattr(import_module(module), function))
    assert find_spec(f"{module}.{function}") is None  # a module of that name would take its place once imported


def test_the_image_runs_as_nobody_special_and_compiles_nothing_later() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    user = next(i for i, line in enumerate(lines) if line.startswith("USER "))
    assert "root" not in lines[user]
    kept = lines.index("ENV NUMBA_CACHE_DIR=/opt/shoal")
    warmed = lines.index("RUN mkdir /opt/shoal && shoal warm-up")
    assert kept < warmed < user  # the code is root's: whoever runs the image may read it, and nobody may change it
    assert all(":" in line.split()[1] and "latest" not in line for line in lines if line.startswith("FROM "))
    copied = {
        name for line in lines if line.startswith("COPY ") and "--from" not in line for name in line.split()[1:-1]
    }
    assert all((ROOT / name).exists() for name in copied)
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied == let_in


@pytest.mark.parametrize("file", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_forms_and_workflows_can_be_read(file: Path) -> None:
    assert isinstance(yaml.safe_load(file.read_text()), dict)


def test_the_workflow_calls_only_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    workflow = (ROOT / ".github/workflows/ci.yml").read_text()
    called = set(re.findall(r"run: make ([a-z-]+)", workflow))
    assert called
    assert called <= targets
    assert "run: .ci/run" in workflow


def test_the_workflow_names_only_files_that_exist() -> None:
    workflow = (ROOT / ".github/workflows/ci.yml").read_text()
    named = re.findall(r"\b((?:tests|packaging)/[\w/.]+)", workflow)
    assert named
    assert not [name for name in named if not (ROOT / name).exists()]
