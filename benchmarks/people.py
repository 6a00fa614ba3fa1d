"""People with several rows: what counting people costs, on an invented table of hospital visits.

Usage: python benchmarks/people.py [PEOPLE] [K]

Whole commands from CSV to CSV, each in a process of its own: once with the patient's key as an identifier, so that rows
are counted, and once as ``--person``. Prints seconds of the clock and of all processors, and the loss (LM);
``quick`` is the same with ``--quick``.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

from shoal.io.example_visits import VISIT_ROLES, visits

QUASI = VISIT_ROLES["quasi_identifiers"]


def command(source: Path, target: Path, k: int, *more: str) -> tuple[float, float]:
    """Seconds on the clock and of all processors."""
    said = ["anonymize", str(source), "--quasi", ",".join(QUASI), "--sensitive", "diagnosis", "--k", str(k)]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), monotonic()
    subprocess.run([sys.executable, "-m", "shoal", *said, *more, "-o", str(target), "-q"], check=True, env=os.environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(n_people: int, k: int) -> None:
    """Print one line per way."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "visits.csv", Path(folder) / "release.csv"
        frame = visits(n_people)
        frame.write_csv(source)
        print(f"{frame.height:,} visits of {n_people:,} people, k = {k}")
        for name, more in (("default", ()), ("quick", ("--quick",))):
            spent = {}
            for what, said in (("rows", ["--identifiers", "patient_id"]), ("people", ["--person", "patient_id"])):
                spent[what] = command(source, target, k, *said, *more)
                record = json.loads(target.with_suffix(".run.json").read_text())
                clock, cpu = spent[what]
                loss = record["losses"]["lm"]
                print(f"{name}, {what} counted: {clock:.1f} s, {cpu:.1f} s of processors, LM {loss:.4f}", flush=True)
            ratios = [spent["people"][i] / spent["rows"][i] for i in (0, 1)]
            print(f"{name}, people over rows: {ratios[0]:.2f} by the clock, {ratios[1]:.2f} of processors")


if __name__ == "__main__":
    asked = [int(one) for one in sys.argv[1:3]]
    main(*(asked + [250_000, 10][len(asked) :]))
