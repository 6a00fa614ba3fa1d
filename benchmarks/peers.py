"""shoal beside the Python packages that can be installed: same rows, same columns, same k, in one run.

Each peer gets a virtual environment of its own under ``.benchmarks/``, made on the first run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from data import ADULT_EIGHT, adult, eight_columns

PEERS = {"anonypy": ["anonypy==0.2.1", "pandas<3"], "anjana": ["anjana==1.2.3", "pandas<3"]}

SCRIPTS = {
    "shoal": """
import polars as pl, shoal
frame = pl.read_csv(path, infer_schema=False)
work = lambda: shoal.anonymize(frame, quasi_identifiers=frame.columns[:-1], sensitive=frame.columns[-1:],
                               privacy=shoal.KAnonymity(k))
work()
""",
    "anonypy": """
import anonypy, pandas as pd
frame = pd.read_csv(path)
features = list(frame.columns[:-1])
for name in features:
    if frame[name].dtype == object:
        frame[name] = frame[name].astype("category")
work = lambda: anonypy.Preserver(frame, features, frame.columns[-1]).anonymize_k_anonymity(k=k)
""",
    "anjana": """
import pandas as pd
from anjana.anonymity import k_anonymity
frame = pd.read_csv(path, dtype=str)
features = list(frame.columns[:-1])
trees = {}
for name in features:
    rows = [line.split(";") for line in open(f"{hierarchies}/adult_hierarchy_{name}.csv").read().splitlines() if line]
    trees[name] = {level: [row[level] for row in rows] for level in range(len(rows[0]))}
work = lambda: k_anonymity(frame, [], features, k, 5, trees)
""",
}

TIMER = """
import time, resource
start, cpu = time.perf_counter(), time.process_time()
work()
print("RESULT", time.perf_counter() - start, time.process_time() - cpu)
"""


def python_of(peer: str) -> str:
    """The interpreter of the peer's own environment, made and filled where it is not there."""
    home = Path(".benchmarks") / peer
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PEERS[peer]], check=True)
    return str(python)


def seconds(who: str, path: Path, k: int) -> tuple[float, float] | None:
    """Wall and CPU seconds of one run, or None where it fails."""
    folder = Path(os.environ.get("SHOAL_DATA", "")) / "datasets" / "adult-arx" / "hierarchies"
    python = sys.executable if who == "shoal" else python_of(who)
    head = f"path, k, hierarchies = {str(path)!r}, {k}, {str(folder)!r}\n"
    done = subprocess.run(
        [python, "-W", "ignore", "-c", head + SCRIPTS[who] + TIMER], check=False, capture_output=True, text=True
    )
    result = [line.split() for line in done.stdout.splitlines() if line.startswith("RESULT")]
    if not result:
        print(f"{who} failed: {done.stderr.strip().splitlines()[-1:]}")
        return None
    return float(result[0][1]), float(result[0][2])


def main() -> None:
    name, frame = eight_columns()
    whole = adult()
    if whole is not None:
        frame = whole.select([*ADULT_EIGHT, "salary-class"])
    k = 10
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        frame.write_csv(path)
        ours = seconds("shoal", path, k)
        print(f"{name}, {frame.height:,} rows x {frame.width - 1}, k = {k}, frame in, checked frame out")
        print(f"{'':<10}{'wall s':>9}{'CPU s':>9}{'shoal is faster by':>20}")
        for who in SCRIPTS:
            spent = ours if who == "shoal" else seconds(who, path, k)
            if spent and ours:
                print(f"{who:<10}{spent[0]:>9.3f}{spent[1]:>9.3f}{spent[1] / ours[1]:>18.0f} x")


if __name__ == "__main__":
    main()
