"""Commands of tutorials, how-to guides and the README run as they stand; the reference is that of the code."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.cli import main
from support.page_commands import GUIDES, ROOT, TUTORIALS, commands

SLOW = {"spark"}
"""Guides whose commands start a cluster."""


def guides() -> list[object]:
    """The guides with commands."""
    return [
        pytest.param(page, id=page.stem, marks=pytest.mark.slow if page.stem in SLOW else ())
        for page in GUIDES
        if commands(page)
    ]


@pytest.mark.parametrize("page", guides())
def test_every_command_of_a_guide_succeeds(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in commands(page):
        words = shlex.split(command, comments=True)
        if words[0] == "shoal":
            status = main(words[1:])
        else:
            assert words[0] == "python", command
            status = subprocess.run([sys.executable, *words[1:]], check=False).returncode
        assert status == 0, f"{command}\n{capsys.readouterr().err}"


def test_the_guides_have_commands() -> None:
    assert {page.stem for page in GUIDES if not commands(page)} <= {"index"}


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in TUTORIALS if commands(page)], ids=lambda page: page.stem)
def test_every_command_of_a_tutorial_succeeds(page: Path, tmp_path: Path) -> None:
    for script in (ROOT / "docs_src" / "tutorials").glob("*.py"):
        shutil.copy(script, tmp_path)
    programs = tmp_path / "bin"
    programs.mkdir()
    shoal = programs / "shoal"
    shoal.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shoal "$@"\n')
    shoal.chmod(0o755)
    (programs / "python").symlink_to(sys.executable)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "COLUMNS": "200"}
    for command in commands(page):
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    released = (tmp_path / "discharges_release.csv").read_text("utf-8")
    assert not re.search(r"0221|P10\d{4}|Weiß|\d\d\.\d\d\.19\d\d", released)


def test_the_reference_is_that_of_the_code(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "packaging" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    reference.main(tmp_path)
    for page in reference.PAGES:
        kept = (ROOT / "docs" / "reference" / page).read_text("utf-8")
        assert kept == (tmp_path / page).read_text("utf-8"), f"{page} is old: python packaging/reference.py"


def test_the_tests_that_pages_name_exist() -> None:
    named = set(re.findall(r"`(tests/[\w/.]+)`", (ROOT / "docs" / "how-we-know.md").read_text("utf-8")))
    assert len(named) > 8
    assert not [name for name in named if not (ROOT / name).exists()]
