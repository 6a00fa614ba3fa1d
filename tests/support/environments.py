"""Virtual environments with shoal and other packages in them, for what cannot be installed where the tests run.

What is installed comes from where pip finds packages; without a way there the test is skipped, and says so. With
``SHOAL_ENVIRONMENTS=FOLDER`` the environments are kept there and used again: installing takes longer than the tests.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNREACHABLE = re.compile(r"Could not find a version|No matching distribution|Name or service not known|NewConnection")


def environment(folder: Path, python: str, *packages: str) -> Path:
    """The Python of a new environment in ``folder`` with shoal and these packages in it."""
    run(folder, python, "-m", "venv", str(folder / "env"))
    own = _python(folder)
    done = subprocess.run(
        [own, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages, str(ROOT)],
        capture_output=True, text=True, timeout=3000,
    )  # fmt: skip
    if done.returncode and UNREACHABLE.search(done.stderr) and not is_reachable(own):
        pytest.skip("pip finds no packages from here")
    assert done.returncode == 0, done.stderr[-3000:]
    return own


def kept_environment(folder: Path, name: str, python: str, *packages: str) -> Path:
    """The same; where environments are kept, the one of that name, made if it is not there with these packages."""
    if (kept := os.environ.get("SHOAL_ENVIRONMENTS")) is None:
        return environment(folder, python, *packages)
    home = Path(kept, name)
    made = home / "made"
    if not made.exists() or made.read_text() != repr(packages):
        home.mkdir(parents=True, exist_ok=True)
        environment(home, python, "--upgrade", *packages)
        made.write_text(repr(packages))
    return _python(home)


def _python(folder: Path) -> Path:
    return folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def is_reachable(python: Path) -> bool:
    """Whether pip finds a package that there surely is: what it did not find is then ours to mend."""
    asked: list[str | Path] = [
        python,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "-d",
        str(python.parent),
        "typing-extensions",
    ]
    return subprocess.run(asked, capture_output=True, timeout=300).returncode == 0


def run(folder: Path, *command: str | Path) -> str:
    """What a command prints; the kernels run as plain Python, since compiling them is not the point here."""
    done = subprocess.run(command, cwd=folder, env=settings(), capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def settings(**more: str) -> dict[str, str]:
    """The variables of a process that sees nothing of the environment of the tests."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**kept, "NUMBA_DISABLE_JIT": "1", **more}
