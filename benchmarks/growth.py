"""How time and memory of every algorithm grow with rows, columns, k and values per column.

``python benchmarks/growth.py [ALGORITHM ...]``: one process per algorithm and axis, two at a time, sizes ascending as
long as the next run is likely to take less than ``LIMIT`` CPU seconds. Prints the exponents that fit the larger half of
the sizes (time; for rows memory beyond that of the smallest table, too) and what the largest run took. Kernels are
warm. Tables as in tests/support/growth.py.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from shoal.algorithms import ALL
from shoal.core.contracts import PrivacyModel
from shoal.core.plugins import build
from shoal.core.table import Table
from shoal.errors import ShoalError
from shoal.models import KAnonymity, KConcealment, LDiversity, UniformMatching
from support.growth import exponent, seconds_of, table_of

LIMIT = 10.0
AXES: dict[str, tuple[int, ...]] = {
    "rows": (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000),
    "columns": (2, 4, 8, 12, 20, 30),
    "k": (2, 5, 10, 30, 100, 300, 1_000),
    "values": (4, 16, 64, 256, 1_024),
}
USUAL = {"rows": 10_000, "columns": 5, "k": 10, "values": 40}
SMALLER = {"freeform", "forest", "concealment", "clustering", "agglomerative", "k-optimize"}
"""What is asked with 2,000 rows where rows are not the axis."""

PROMISES: dict[str, Callable[[int], PrivacyModel]] = {
    "nonhomogeneous": UniformMatching,
    "freeform": UniformMatching,
    "concealment": KConcealment,
    "anatomy": lambda k: LDiversity(min(k, 20)),
}
"""What is promised where it is not k-anonymity."""

CHOSEN = {"clustering": "clustering:steps=300", "concealment": "concealment:linkage=1"}
"""How the algorithms that otherwise take the time they are given are run."""

SKIPPED = {"patterns-exact": "an integer program", "factor": "an integer program of 300 rows at most"}


def promise_of(name: str, k: int) -> PrivacyModel:
    return PROMISES.get(name, KAnonymity)(k)


def table_for(name: str, axis: str, size: int) -> tuple[Table, int]:
    said = {**USUAL, "rows": 2_000 if name in SMALLER else USUAL["rows"], axis: size}
    return table_of(said["rows"], said["columns"], said["values"]), said["k"]


def measure(name: str, axis: str) -> list[tuple[int, float, float]]:
    """Size, CPU seconds and peak MiB of each run. In a process of its own."""
    algorithm = build("algorithm", CHOSEN.get(name, name), ALL)
    found: list[tuple[int, float, float]] = []
    seconds_of(algorithm, table_of(300), promise_of(name, 5))
    for size in AXES[axis]:
        if found and expected(size, found) > LIMIT:
            break
        table, k = table_for(name, axis, size)
        try:
            spent = seconds_of(algorithm, table, promise_of(name, k))
            if spent < LIMIT / 3:  # a kernel may have been compiled for this size: once more
                spent = min(spent, seconds_of(algorithm, table, promise_of(name, k)))
        except ShoalError as problem:
            print(f"{name}, {axis}, {size:,}: {problem}", file=sys.stderr)
            break
        found.append((size, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
    return found


def expected(size: int, found: Sequence[tuple[int, float, float]]) -> float:
    """What a run of that size may take, by the last two."""
    before, last = found[-2:] if len(found) > 1 else (found[-1], found[-1])
    slope = exponent([before[0], last[0]], [before[1], last[1]]) if before != last else 1.0
    return last[1] * (size / last[0]) ** max(1.0, slope)


def told(name: str, axis: str) -> str:
    """One cell of the table."""
    command = [sys.executable, __file__, "--measure", name, axis]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    if not lines:
        return f"failed: {done.stderr.strip().splitlines()[-1][:60]}"
    found = json.loads(lines[-1])
    refusal = " (then refused)" if done.stderr.startswith(f"{name}, {axis}") else ""
    if not found:
        return "refused"
    size, spent, peak = found[-1]
    largest = f"{size:,}: {spent:.2g} s" + (f", {peak:,.0f} MiB" if axis == "rows" else "") + refusal
    if len(found) < 3:
        return f"– ({largest})"
    half = found[len(found) // 2 - 1 :] if len(found) > 4 else found[1:]
    sizes = [size for size, _, _ in half]
    slope = f"{exponent(sizes, [spent for _, spent, _ in half]):.2f}"
    if axis == "rows":
        slope += f", memory {exponent(sizes, [max(1.0, peak - found[0][2]) for _, _, peak in half]):.2f}"
    return f"{slope} ({largest})"


def main(wanted: list[str]) -> None:
    print("| algorithm | rows | columns | k | values |")
    print("|---|---|---|---|---|")
    names = wanted or [name for name in ALL if name not in SKIPPED]
    with ThreadPoolExecutor(2) as pool:
        cells = {name: [pool.submit(told, name, axis) for axis in AXES] for name in names}
        for name, row in cells.items():
            print(f"| `{CHOSEN.get(name, name)}` | " + " | ".join(cell.result() for cell in row) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(*sys.argv[2:4])))
    else:
        main(sys.argv[1:])
