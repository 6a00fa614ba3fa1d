"""shoal beside other tools: same rows, same columns, same k, in one run; speed, and quality by a judge not ours.

Each Python peer gets a virtual environment of its own under ``.benchmarks/``, made on the first run; ARX runs where
``SHOAL_ARX_JAR`` names its jar. Every tool writes its release as CSV; ``judge.py``, which imports nothing of shoal,
recomputes class sizes, LM and GCP from the printed labels, and pycanon, somebody else's checker, the achieved k.
anonypy makes sets and ranges; anjana and ARX take one level of each hierarchy and may leave out 5% of the rows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import judge
from data import ADULT_EIGHT, adult

K = 10
PEERS = {
    "anonypy": ["anonypy==0.2.1", "pandas<3"],
    "anjana": ["anjana==1.2.3", "pandas<3"],
    "pycanon": ["pycanon==1.3.6", "pandas<3"],
}

OURS = """
import polars as pl, shoal
frame = pl.read_csv(path, infer_schema=False)
features = frame.columns[:-1]
trees = {{name: f"{{hierarchies}}/adult_hierarchy_{{name}}.csv" for name in features}} if {trees} else {{}}
work = lambda: shoal.anonymize(frame, quasi_identifiers=features, sensitive=frame.columns[-1:], hierarchies=trees,
                               privacy=shoal.KAnonymity(k), algorithm={algorithm!r}, audit="off").to_frame()
work()
save = lambda made: made.write_csv(release)
"""
SCRIPTS = {
    "shoal, default, sets": OURS.format(algorithm="auto", trees=False),
    "shoal, clustering 10 s, sets": OURS.format(algorithm="clustering:budget=10", trees=False),
    "shoal, default, hierarchies": OURS.format(algorithm="auto", trees=True),
    "shoal, clustering 10 s, hierarchies": OURS.format(algorithm="clustering:budget=10", trees=True),
    "shoal, lattice 5%, hierarchies": OURS.format(algorithm="lattice", trees=True).replace(
        "privacy=", "suppression_limit=0.05, privacy="
    ),
    "anonypy": """
import anonypy, pandas as pd
frame = pd.read_csv(path)
features = list(frame.columns[:-1])
for name in features:
    if frame[name].dtype == object:
        frame[name] = frame[name].astype("category")
work = lambda: anonypy.Preserver(frame, features, frame.columns[-1]).anonymize_k_anonymity(k=k)
def save(rows):
    made = pd.DataFrame(rows)
    made = made.loc[made.index.repeat(made["count"])].drop(columns="count")
    for name in features:
        made[name] = [",".join(map(str, v)) if isinstance(v, (list, tuple, set)) else str(v) for v in made[name]]
    made.to_csv(release, index=False)
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
save = lambda made: made.to_csv(release, index=False)
""",
}
CHECK = """
import pandas as pd, pycanon.anonymity as check
print("RESULT", check.k_anonymity(pd.read_csv(release, dtype=str), columns))
"""
TIMER = """
import time
start, cpu = time.perf_counter(), time.process_time()
made = work()
print("RESULT", time.perf_counter() - start, time.process_time() - cpu)
save(made)
"""


def python_of(peer: str) -> str:
    """The interpreter of the peer's own environment, made and filled where it is not there."""
    home = Path(".benchmarks") / peer
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PEERS[peer]], check=True)
    return str(python)


def answered(command: list[str]) -> list[str] | None:
    """What a run has to say behind the word RESULT, or None where it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    found = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("RESULT")]
    if not found:
        print(f"{Path(command[0]).name} failed: {done.stderr.strip().splitlines()[-1:]}")
        return None
    return found[0]


def run(who: str, path: Path, release: Path, folder: Path) -> list[str] | None:
    """Wall and CPU seconds of one run of a tool, its release written."""
    if who == "ARX, full-domain":
        jar = os.environ["SHOAL_ARX_JAR"]
        runner = str(Path(__file__).parent / "arx" / "Runner.java")
        said = [str(path), str(release), str(folder), str(K), "0.05", *ADULT_EIGHT]
        return answered(["java", "-cp", jar, runner, *said])
    python = sys.executable if who.startswith("shoal") else python_of(who)
    head = f"path, release, k, hierarchies = {str(path)!r}, {str(release)!r}, {K}, {str(folder)!r}\n"
    return answered([python, "-W", "ignore", "-c", head + SCRIPTS[who] + TIMER])


def checked_k(release: Path) -> str:
    """The k that pycanon finds."""
    head = f"release, columns = {str(release)!r}, {ADULT_EIGHT!r}\n"
    found = answered([python_of("pycanon"), "-W", "ignore", "-c", head + CHECK])
    return found[0] if found else "?"


def main() -> None:
    frame = adult()
    if frame is None:
        sys.exit("Set SHOAL_DATA to the folder that holds datasets/.")
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies").resolve()
    tools = [*SCRIPTS, *(["ARX, full-domain"] if os.environ.get("SHOAL_ARX_JAR") else [])]
    print(f"Adult, {frame.height:,} rows x 8, k = {K}; frame in, frame out; ratios of CPU time to the first line")
    print(f"| tool | wall s | CPU s | ratio | k (judge) | k (pycanon) | rows lost | LM | GCP |\n|{'---|' * 9}")
    with tempfile.TemporaryDirectory() as place:
        path, ours = Path(place) / "table.csv", None
        frame.select([*ADULT_EIGHT, "salary-class"]).write_csv(path)
        for who in tools:
            release = Path(place) / "release.csv"
            spent = run(who, path, release, folder)
            if spent is None:
                continue
            wall, cpu = map(float, spent)
            ours = ours or cpu
            try:
                found = judge.judge(path, release, folder, list(ADULT_EIGHT))
            except ValueError as problem:
                print(f"| {who} | {wall:.3f} | {cpu:.3f} | {cpu / ours:.1f} | {problem} |", flush=True)
                continue
            print(
                f"| {who} | {wall:.3f} | {cpu:.3f} | {cpu / ours:.1f} | {found['smallest class']:.0f} | "
                f"{checked_k(release)} | {found['missing']:,.0f} | {found['lm']:.4f} | {found['gcp']:.4f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
