"""Ten million rows of nine columns within 4 GiB on one machine: by full-domain levels and by local recoding.

``python benchmarks/scale.py [ROWS]``. Rows are drawn column by column from Adult (so that nearly all are distinct,
which is the worst case), or from the example that shoal makes where the data sets are not at hand. Each run is a
process of its own, so its peak memory is its own; seconds are from file to verified file, wall and CPU.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import polars as pl

from data import adult, eight_columns, resampled

RUN = """
import json, sys, time, resource
from pathlib import Path
import shoal
said = json.loads(sys.argv[1])
trees = {name: str(path) for name, path in said.pop("trees").items()}
start = time.perf_counter()
made = shoal.anonymize_file(said["source"], said["target"], memory=said["memory"], quasi_identifiers=said["quasi"],
                            privacy=shoal.KAnonymity(10), hierarchies=trees, algorithm=said["algorithm"])
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"wall": time.perf_counter() - start, "cpu": usage.ru_utime + usage.ru_stime,
                  "peak": usage.ru_maxrss / (1 << 20), "lm": made.losses["lm"], "classes": made.n_classes,
                  "smallest": made.smallest_class, "seconds": made.seconds, "levels": made.levels}))
"""


def hierarchies(frame: pl.DataFrame) -> dict[str, str]:
    """ARX's hierarchies of Adult, where they are at hand."""
    folder = Path(os.environ.get("SHOAL_DATA", "")) / "datasets" / "adult-arx" / "hierarchies"
    found = {name: folder / f"adult_hierarchy_{name}.csv" for name in frame.columns}
    return {name: str(path) for name, path in found.items() if path.exists()}


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    whole = adult()
    frame = whole if whole is not None else eight_columns()[1]
    trees = hierarchies(frame)
    with tempfile.TemporaryDirectory(dir=os.environ.get("SHOAL_SPILL")) as folder:
        source = Path(folder) / "rows.parquet"
        resampled(frame, n).write_parquet(source)
        print(f"{n:,} rows x {frame.width}, {source.stat().st_size >> 20:,} MiB of Parquet, k = 10, limit 4 GiB")
        for algorithm, limit in (("lattice", 180), ("auto", 300)):
            said = {"source": str(source), "target": f"{folder}/release.parquet", "memory": "4GiB",
                    "quasi": frame.columns, "trees": trees, "algorithm": algorithm}  # fmt: skip
            start = perf_counter()
            done = subprocess.run([sys.executable, "-c", RUN, json.dumps(said)], capture_output=True, text=True)
            if done.returncode:
                print(f"{algorithm}: failed after {perf_counter() - start:.0f} s: {done.stderr[-2000:]}")
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            print(
                f"{algorithm:8} {found['wall']:6.1f} s wall (limit {limit}), {found['cpu']:6.1f} s CPU, peak "
                f"{found['peak']:.2f} GiB, LM {found['lm']:.4f}, {found['classes']:,} classes, "
                f"smallest {found['smallest']}"
            )
            print(
                "         " + ", ".join(f"{phase} {spent:.1f} s" for phase, spent in found["seconds"].items()),
                flush=True,
            )


if __name__ == "__main__":
    main()
