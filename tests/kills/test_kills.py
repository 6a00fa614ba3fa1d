"""Whatever call to the disk is the last: all outputs are as before or as they should be, and the next run goes on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

from kills.harness import COMMANDS
from shoal.cli.entry import COMMANDS as ENTRIES
from shoal.cli.entry import _alone, _load

pytest.importorskip("adbc_driver_sqlite", reason="the db extra is not installed")
pytest.importorskip("duckdb", reason="the db extra is not installed")

HERE = Path(__file__).parent
CC = shutil.which("cc")
DEAD, FULL, KILL = "2", "3", "4"
pytestmark = pytest.mark.skipif(CC is None or sys.platform != "linux", reason="needs Linux and a C compiler")


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("disk") / "disk.so"
    subprocess.run([str(CC), "-shared", "-fPIC", "-o", str(made), str(HERE / "disk.c"), "-ldl"], check=True)
    return made


def _stopped(disk: Path, home: Path, mode: str, most: int, *names: str) -> list[dict[str, Any]]:
    home.mkdir()
    said = [sys.executable, "-m", "kills", str(home), mode, str(most), *names]
    paths = os.pathsep.join(filter(None, [str(HERE.parent), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        said, env={**os.environ, "LD_PRELOAD": str(disk), "PYTHONPATH": paths}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def _check(answers: list[dict[str, Any]], names: Sequence[str] = tuple(COMMANDS)) -> None:
    assert [answer["command"] for answer in answers] == list(names)
    for answer in answers:
        assert answer["wrong"] == [], answer["command"]
        assert answer["stopped"] > 0
        assert set(answer["found"]) <= {"old", "new"}


@pytest.mark.parametrize(
    ("mode", "most"), [(DEAD, 4), *(pytest.param(mode, 2, marks=pytest.mark.slow) for mode in (FULL, KILL))]
)
def test_stopped_at_some_calls_of_the_commands_that_matter_most(
    disk: Path, tmp_path: Path, mode: str, most: int
) -> None:
    names = ["anonymize in two tables", "apply and hold", "anonymize to SQLite"]
    _check(_stopped(disk, tmp_path / "home", mode, most, *names), names)


@pytest.mark.slow
def test_stopped_at_some_calls_of_every_command(disk: Path, tmp_path: Path) -> None:
    _check(_stopped(disk, tmp_path / "home", DEAD, 2))


@pytest.mark.nightly
@pytest.mark.parametrize("mode", [DEAD, FULL, KILL])
def test_stopped_at_every_call_of_every_command(disk: Path, tmp_path: Path, mode: str) -> None:
    answers = _stopped(disk, tmp_path / "home", mode, 0)
    _check(answers)
    assert all(answer["stopped"] == answer["calls"] for answer in answers)
    assert sum(answer["stopped"] for answer in answers) >= 500


WRITES = {"--output", "--report", "--folder", "--write-job"}


def test_every_command_that_writes_is_stopped() -> None:
    """The workbench writes in a folder of its own, and compiled code is no table's."""
    writing = {name for name in ENTRIES if WRITES & {o for param in _options(name) for o in param.opts}}
    assert writing - {"serve"} <= {command.said.split()[0] for command in COMMANDS.values()}


def _options(name: str) -> list[Any]:
    return typer.main.get_command(_alone(_load(name))).params
