"""The releases of the Python packages that can be installed, attacked like ours: Adult, seven quasi-identifiers.

Each peer runs in a virtual environment of its own (see ``peers.py``) and writes its release as CSV.
``python benchmarks/audit_peers.py [rows] [k]``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from audit_adult import COLUMNS, SENSITIVE, hierarchies, row
from data import adult
from peers import python_of
from shoal.engine.auditing import audit_release
from shoal.errors import ShoalError

SCRIPTS = {
    "anonypy": """
import anonypy, pandas as pd
frame = pd.read_csv(original)
features = list(frame.columns[:-1])
for name in features:
    if frame[name].dtype == object:
        frame[name] = frame[name].astype("category")
rows = anonypy.Preserver(frame, features, frame.columns[-1]).anonymize_k_anonymity(k=k)
made = pd.DataFrame(rows)
made = made.loc[made.index.repeat(made["count"])].drop(columns="count")
for name in features:
    made[name] = [",".join(map(str, v)) if isinstance(v, (list, tuple, set)) else str(v) for v in made[name]]
made.to_csv(release, index=False)
""",
    "anjana": """
import pandas as pd
from anjana.anonymity import k_anonymity
frame = pd.read_csv(original, dtype=str)
features = list(frame.columns[:-1])
trees = {}
for name in features:
    rows = [line.split(";") for line in open(f"{folder}/adult_hierarchy_{name}.csv").read().splitlines() if line]
    trees[name] = {level: [row[level] for row in rows] for level in range(len(rows[0]))}
k_anonymity(frame, [], features, k, 5, trees).to_csv(release, index=False)
""",
}


def main(n: int, k: int) -> None:
    frame = adult()
    assert frame is not None, "set SHOAL_DATA"
    quasi = [name for name in frame.columns if name not in (SENSITIVE, "salary-class")]
    frame = frame.select(*quasi, SENSITIVE).sample(n, seed=1)
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies")
    with tempfile.TemporaryDirectory() as place:
        original = Path(place, "original.csv")
        frame.write_csv(original)
        for peer, script in SCRIPTS.items():
            release = Path(place, f"{peer}.csv")
            said = f"original, release, folder, k = {str(original)!r}, {str(release)!r}, {str(folder)!r}, {k}\n"
            done = subprocess.run([python_of(peer), "-c", said + script], capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"| {peer} | failed: {done.stderr.strip().splitlines()[-1][:100]} |")
                continue
            trees = hierarchies(quasi) if peer == "anjana" else {}
            try:
                found = audit_release(
                    original,
                    release,
                    quasi_identifiers=quasi,
                    sensitive=[SENSITIVE],
                    hierarchies=trees,
                    k=k,
                    attacks=[*COLUMNS, "carrier"],
                    seed=1,
                )
            except ShoalError as problem:
                print(f"| {peer} | {problem} |")
                continue
            print(row(peer, k, n, float("nan"), found, sum(found.seconds.values())))
            for risk in found.risks:
                if risk.outcome == "falls":
                    print(f"  {risk.attack}: {risk.says}")


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    main(*(given + [5_000, 10][len(given) :]))
