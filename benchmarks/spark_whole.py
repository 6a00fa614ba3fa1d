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


def main(sizes: list[int]) -> None:
    """Print one line per size."""
    _, frame = eight_columns()
    for n in sizes:
        with tempfile.TemporaryDirectory(dir=os.environ.get("SHOAL_SPILL")) as folder:
            rows = resampled(frame, n)
            rows.with_columns(rows.to_series(0).alias("sensitive")).write_parquet(f"{folder}/rows.parquet")
            clock, spent = run([
                sys.executable, "-m", "shoal", "anonymize", f"{folder}/rows.parquet", "--quasi",
                ",".join(frame.columns), "--sensitive", "sensitive", "--k", "10", "--backend", "spark", "--master",
                "local[2]", "-o", f"{folder}/release.parquet", "-q",
            ])  # fmt: skip
            told = ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in sorted(spent.items()))
            print(f"{n:,} rows: {clock:.1f} s on the clock; processors: {told}", flush=True)


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or [1_000_000, 3_000_000])
