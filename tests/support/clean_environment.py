"""An environment of its own with a wheel in it, and commands that do not see this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path


def install(wheel: Path, folder: Path) -> Path:
    """Install the wheel in a new environment; what shoal depends on is taken from where the tests run.

    Returns:
        The environment's Python.
    """
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    said = ["--python", str(python), "install", "--no-deps", "--no-index", "--quiet", str(wheel)]
    run(sys.executable, "-m", "pip", *said, cwd=folder)
    own = Path(run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    (own / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def run(*command: str, cwd: Path, **more: str) -> str:
    """What the command prints, without this checkout in sight and with more in its environment."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=cwd, env={**kept, **more}, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return done.stdout
