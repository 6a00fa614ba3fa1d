"""Lines that each room's own tests run, kernels included, against a floor that only rises.

``make nojit`` (or ``python packaging/coverage_floor.py [PART ...]``) runs the tests of each part in a process of its
own with the kernels as plain Python, since what is compiled cannot be measured. A test that needs more than a few
seconds of processor time that way is stopped, and what it ran until then counts, so every part comes to an end. Below
the floor in ``tests/coverage_floor.json`` the exit status is 1; where more is covered the floor is raised, and it is
never lowered.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from math import floor
from pathlib import Path

ROOT = Path(__file__).parent.parent
FLOORS = ROOT / "tests" / "coverage_floor.json"
PARTS = ("kernels", "core", "models", "metrics", "utility", "audit", "io", "report", "policies")
"""Rooms whose own tests end in minutes without the JIT: src/shoal/NAME, measured by tests/NAME."""

SECONDS = 5
"""Processor time of a test."""

SLACK = 0.5
"""Points by which a measurement may differ from the last one: tests that were stopped were not all stopped alike."""


def measured(part: str) -> float:
    """The share of lines of a room that its own tests run, in percent.

    Raises:
        SystemExit: a test fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        own = {"NUMBA_DISABLE_JIT": "1", "SHOAL_CPU_SECONDS": str(SECONDS), "COVERAGE_FILE": f"{folder}/data"}
        settings = {**os.environ, **own}
        chosen = ["-m", "not slow and not nightly and not data", f"tests/{part}"]
        run = [
            sys.executable,
            "-m",
            "coverage",
            "run",
            "-m",
            "pytest",
            "-q",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            *chosen,
        ]
        if subprocess.run(run, cwd=ROOT, env=settings).returncode:  # noqa: S603
            raise SystemExit(f"Tests of {part} fail without the JIT.")
        told = [
            sys.executable,
            "-m",
            "coverage",
            "json",
            "-q",
            "-o",
            f"{folder}/told",
            "--include",
            f"*/shoal/{part}/*",
        ]
        subprocess.run(told, cwd=ROOT, env=settings, check=True)  # noqa: S603
        totals = json.loads(Path(folder, "told").read_text())["totals"]
    return 100 * float(totals["covered_lines"]) / float(totals["num_statements"])


def judged(found: Mapping[str, float], floors: Mapping[str, float]) -> tuple[dict[str, float], list[str]]:
    """The floors as they are from now on, none lower than before, and the parts that are below theirs."""
    below = [part for part, percent in found.items() if percent < floors.get(part, 0.0) - SLACK]
    raised = {part: max(floors.get(part, 0.0), floor(10 * percent) / 10) for part, percent in found.items()}
    return {**floors, **raised}, below


def main(parts: Iterable[str]) -> int:
    """Measure, compare, and raise the floors."""
    floors: dict[str, float] = json.loads(FLOORS.read_text()) if FLOORS.exists() else {}
    found = {part: measured(part) for part in (list(parts) or PARTS)}
    after, below = judged(found, floors)
    for part, percent in found.items():
        state = "below" if part in below else "at least"
        sys.stdout.write(f"{part}: {percent:.1f}% of lines, {state} {floors.get(part, 0.0):.1f}%\n")
    if not below:
        FLOORS.write_text(json.dumps(after, indent=2, sort_keys=True) + "\n")
    return int(bool(below))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
