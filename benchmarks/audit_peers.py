"""The releases of the Python packages that can be installed, attacked like ours: Adult, seven quasi-identifiers.

The same scripts and environments as in ``peers.py``.
``python benchmarks/audit_peers.py [rows] [k]``.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from audit_adult import HEADS, SENSITIVE, judged, line, tables
from peers import LEVELS, THEIRS, Job, answered
from shoal.errors import ShoalError


def main(n: int, k: int) -> None:
    whole, quasi, trees = tables()
    frame = whole.sample(n, seed=1)
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies")
    print("| " + " | ".join(HEADS) + " |\n" + "|---" * len(HEADS) + "|", flush=True)
    with tempfile.TemporaryDirectory() as place:
        job = Job(Path(place, "original.csv"), Path(place, "release.csv"), k, folder, frame.columns)
        frame.write_csv(job.original)
        for tool in THEIRS:
            spent = answered(tool.command(job))
            if isinstance(spent, str):
                print(f"| {tool.name} | {spent} |", flush=True)
                continue
            known = trees if tool.publishes == LEVELS else {SENSITIVE: trees[SENSITIVE]}
            _attack(tool.name, job.original, job.release, quasi, known, n, k)


def _attack(peer: str, original: Path, release: Path, quasi: list[str], trees: dict[str, Any], n: int, k: int) -> None:
    """Every attack that needs no algorithm to run again; what succeeds is told in its sentence."""
    try:
        found = judged(original, release, quasi, trees, k)
    except ShoalError as problem:
        print(f"| {peer} | {problem} |")
        return
    print(line(peer, n, float("nan"), {risk.attack: risk for risk in found.risks}), flush=True)
    for risk in found.falling:
        print(f"  {risk.attack}: {risk.says}", file=sys.stderr)


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    main(*(given + [5_000, 10][len(given) :]))
