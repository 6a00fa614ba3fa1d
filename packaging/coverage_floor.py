"""Lines that each room's own tests run, kernels included, against a floor that only rises.

``make nojit`` (or ``python packaging/coverage_floor.py [PART ...]``) runs the tests of each part in a process of its
own. Kernels are plain Python there, since what is compiled cannot be measured, and a test that needs more than a few
seconds of processor time that way is stopped, so that every part comes to an end; what it ran until then counts. Rooms
that only call kernels are measured with compiled ones. Below the floor in ``tests/coverage_floor.json`` the exit status
is 1; where more is covered the floor is raised, and it is never lowered.
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
PARTS = (
    *("kernels", "core", "models", "metrics", "utility", "audit", "io", "report", "policies"),
    *("algorithms", "algorithms/clustering", "algorithms/concealment", "algorithms/relaxation", "algorithms/freeform"),
    *("algorithms/lattice", "algorithms/microaggregation", "algorithms/patterns", "algorithms/suppression"),
    *("engine", "engine/backends", "cli", "web"),
)
"""Rooms, src/shoal/NAME, each measured by tests/NAME; a room inside another is a part of its own.

Processes that a test starts, such as a server or a cluster, are not measured, so the floors of ``web`` and
``engine/backends`` are lower than what the whole suite runs.
"""

SECONDS = 5
"""Processor time of a test where kernels are plain Python."""

COMPILED = ("algorithms", "engine", "cli", "web")
"""Rooms that call kernels all the time but hold none: measured with compiled kernels, and no test is stopped."""

SLACK = 0.5
"""Points by which a measurement may differ from the last one: tests that were stopped were not all stopped alike."""


def measured(part: str) -> float:
    """The share of lines of a room that its own tests run, in percent.

    Raises:
        SystemExit: a test fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        plain = {} if part.split("/")[0] in COMPILED else {"NUMBA_DISABLE_JIT": "1", "SHOAL_CPU_SECONDS": str(SECONDS)}
        settings = {**os.environ, **plain, "COVERAGE_FILE": f"{folder}/data"}
        within = [name for name in PARTS if name.startswith(f"{part}/")]
        left_out = [f"--ignore=tests/{name}" for name in within]
        chosen = ["-m", "not slow and not nightly and not data", *left_out, f"tests/{part}"]
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
            raise SystemExit(f"Tests of {part} fail while they are measured.")
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
            *(["--omit", ",".join(f"*/shoal/{name}/*" for name in within)] if within else []),
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
