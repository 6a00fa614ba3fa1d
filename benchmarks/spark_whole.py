"""Whole runs on Spark, from a Parquet file to a verified folder, on two cores of this machine.

``python benchmarks/spark_whole.py [ROWS ...]``. Adult drawn column by column, eight quasi-identifiers and a sensitive
column, k = 10, ``--backend spark --master local[2]``; the start of the session is in the time. Processor seconds are
those of Java and of all Python processes, looked at five times a second.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, sleep

from data import eight_columns, resampled

TICKS = os.sysconf("SC_CLK_TCK")
CORES = 32


def processor_seconds(root: int) -> dict[int, tuple[str, float]]:
    """The name of each process that came from ``root``, and the seconds of processors that it took so far."""
    known: dict[int, tuple[int, str, float]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        known[int(path.parent.name)] = (int(fields[1]), name, sum(map(int, fields[11:13])) / TICKS)
    ours, grown = {root}, True
    while grown:
        more = {pid for pid, (parent, _, _) in known.items() if parent in ours} - ours
        ours, grown = ours | more, bool(more)
    return {pid: known[pid][1:] for pid in ours if pid in known}


def run(command: list[str]) -> tuple[float, dict[str, float]]:
    """Seconds on the clock, and seconds of processors by the name of the program."""
    start, seen = monotonic(), dict[int, tuple[str, float]]()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        seen |= processor_seconds(process.pid)
        sleep(0.2)
    if process.returncode:
        raise SystemExit(process.stderr.read()[-2000:] if process.stderr else "")
    spent: dict[str, float] = {}
    for name, seconds in seen.values():
        kind = "Java" if name.startswith("java") else "Python"
        spent[kind] = spent.get(kind, 0.0) + seconds
    return monotonic() - start, spent


def whole_run(columns: list[str], source: str, release: str) -> tuple[float, dict[str, float]]:
    """The command that a user writes, from its start to its end."""
    return run([
        sys.executable, "-m", "shoal", "anonymize", source, "--quasi", ",".join(columns), "--sensitive", "sensitive",
        "--k", "10", "--backend", "spark", "--master", "local[2]", "-o", release, "-q",
    ])  # fmt: skip


def main(sizes: list[int]) -> None:
    """Print one line per size, and what the last two say of a hundred million rows."""
    _, frame = eight_columns()
    print("| rows | on the clock | times the first | Java, CPU s | Python, CPU s |")
    print("|---|---|---|---|---|", flush=True)
    found: list[tuple[int, float, float]] = []
    for n in sizes:
        with tempfile.TemporaryDirectory(dir=os.environ.get("SHOAL_SPILL")) as folder:
            rows = resampled(frame, n)
            rows.with_columns(rows.to_series(0).alias("sensitive")).write_parquet(f"{folder}/rows.parquet")
            clock, spent = whole_run(frame.columns, f"{folder}/rows.parquet", f"{folder}/release.parquet")
        found.append((n, clock, sum(spent.values())))
        java, python = spent.get("Java", 0.0), spent.get("Python", 0.0)
        print(f"| {n:,} | {clock:.1f} s | {clock / found[0][1]:.1f} | {java:.1f} | {python:.1f} |", flush=True)
    if len(found) > 1:
        (less, _, before), (more, _, after) = found[-2:]
        each = (after - before) / (more - less)
        total = after + each * (1e8 - more)
        print(f"Each further million rows: {1e6 * each:.1f} CPU s. 100 M rows: {total:,.0f} CPU s,")
        print(f"{total / CORES:,.0f} s on {CORES} cores that are all busy.")


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or [1_000_000, 3_000_000, 10_000_000])
