"""What a user of the command line feels: start-up, first run with compilation, later runs, and a million rows.

Byte code is written beforehand, as an installer does; numba's machine code is not.
"""

from __future__ import annotations

import compileall
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import shoal as package
from data import eight_columns, resampled
from shoal.io.example import ROLES, people


def timed(command: list[str], **environment: str) -> tuple[float, float]:
    """Wall seconds, and the largest memory of any child so far in MiB."""
    start = perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    spent = perf_counter() - start
    return spent, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main() -> None:
    shoal = [sys.executable, "-m", "shoal"]
    compileall.compile_dir(Path(package.__file__).parent, quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        people(20_000).write_csv(here / "people.csv")
        job = [
            *shoal, "anonymize", str(here / "people.csv"), "--k", "10", "--l", "3", "-o", str(here / "release.csv"),
            "--identifiers", ",".join(ROLES["identifiers"]), "--quasi", ",".join(ROLES["quasi_identifiers"]),
            "--sensitive", ",".join(ROLES["sensitive"]),
        ]  # fmt: skip
        timed([*shoal, "--help"])
        print(f"shoal --help                             {min(timed([*shoal, '--help'])[0] for _ in range(5)):6.2f} s")
        fresh = str(here / "cache")
        print(f"anonymize 20,000 rows, kernels cold      {timed(job, NUMBA_CACHE_DIR=fresh)[0]:6.2f} s")
        print(f"anonymize 20,000 rows, kernels warm      {timed(job, NUMBA_CACHE_DIR=fresh)[0]:6.2f} s")
        name, frame = eight_columns()
        million = resampled(frame, 1_000_000)
        million.with_columns(million.to_series(0).alias("sensitive")).write_csv(here / "million.csv")
        command = [
            *shoal, "anonymize", str(here / "million.csv"), "--quasi", ",".join(frame.columns), "--sensitive",
            "sensitive", "--k", "10", "-o", str(here / "release.csv"),
        ]  # fmt: skip
        spent, memory = timed(command, NUMBA_CACHE_DIR=fresh)
        print(f"{name} resampled, 1,000,000 x 9, CSV to CSV {spent:6.2f} s, {memory:,.0f} MiB")


if __name__ == "__main__":
    main()
