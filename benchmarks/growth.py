"""How time and memory of every algorithm grow with rows, columns, k and values per column.

``python benchmarks/growth.py [ALGORITHM ...]``: one process per algorithm and axis, sizes ascending until a run takes
more than ``LIMIT`` seconds; prints the exponents that fit the larger half of the sizes, CPU seconds and memory of the
largest run. Kernels are warm. Tables as in tests/support/growth.py.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from shoal.algorithms import ALL
from shoal.core.contracts import PrivacyModel
from shoal.core.table import Table
from shoal.models import KAnonymity, UniformMatching
from support.growth import exponent, seconds_of, table_of

LIMIT = 8.0
AXES: dict[str, tuple[int, ...]] = {
    "rows": (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000),
    "columns": (2, 4, 8, 12, 20, 30),
    "k": (2, 5, 10, 30, 100, 300, 1_000),
    "values": (4, 16, 64, 256, 1_024),
}
USUAL = {"rows": 10_000, "columns": 5, "k": 10, "values": 40}
SMALLER = {"freeform", "forest", "concealment", "clustering", "agglomerative", "k-optimize"}
"""What is asked with 2,000 rows where rows are not the axis."""

MATCHING = ("nonhomogeneous", "freeform")
SKIPPED = ("patterns-exact", "patterns-two")


def promise_of(name: str, k: int) -> PrivacyModel:
    return UniformMatching(k) if name in MATCHING else KAnonymity(k)


def table_for(name: str, axis: str, size: int) -> tuple[Table, int]:
    said = {**USUAL, "rows": 2_000 if name in SMALLER else USUAL["rows"], axis: size}
    return table_of(said["rows"], said["columns"], said["values"]), said["k"]


def measure(name: str, axis: str) -> list[tuple[int, float, float]]:
    """Size, CPU seconds and peak MiB of each run. In a process of its own."""
    algorithm, found = ALL[name](), []
    seconds_of(algorithm, table_of(300), promise_of(name, 5))
    for size in AXES[axis]:
        table, k = table_for(name, axis, size)
        try:
            spent = seconds_of(algorithm, table, promise_of(name, k))
        except Exception as problem:
            print(f"{name} {axis} {size}: {type(problem).__name__}: {problem}", file=sys.stderr)
            break
        found.append((size, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
        if spent > LIMIT:
            break
    return found


def told(name: str, axis: str) -> str:
    done = subprocess.run(
        [sys.executable, __file__, "--measure", name, axis], capture_output=True, text=True, check=False, timeout=300
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    found = json.loads(lines[-1]) if lines else []
    if len(found) < 2:
        return "–"
    half = found[len(found) // 2 - 1 :] if len(found) > 3 else found
    slope = exponent([size for size, _, _ in half], [spent for _, spent, _ in half])
    size, spent, peak = found[-1]
    memory = f", {peak:,.0f} MiB" if axis == "rows" else ""
    return f"{slope:.2f} ({size:,}: {spent:.2g} s{memory})"


def main(wanted: list[str]) -> None:
    print("| algorithm | rows | columns | k | values |")
    print("|---|---|---|---|---|")
    for name in wanted or [name for name in ALL if name not in SKIPPED]:
        print(f"| `{name}` | " + " | ".join(told(name, axis) for axis in AXES) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(*sys.argv[2:4])))
    else:
        main(sys.argv[1:])
