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
from typing import Any

import shoal
from audit_adult import APART, HEADS, SENSITIVE, line, tables
from peers import python_of
from shoal.audit import ALL as ATTACKS
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
    whole, quasi, trees = tables()
    frame = whole.sample(n, seed=1)
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies")
    print("| " + " | ".join(HEADS) + " |\n" + "|---" * len(HEADS) + "|", flush=True)
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
            known = trees if peer == "anjana" else {SENSITIVE: trees[SENSITIVE]}
            _attack(peer, original, release, quasi, known, n, k)


def _attack(peer: str, original: Path, release: Path, quasi: list[str], trees: dict[str, Any], n: int, k: int) -> None:
    """Every attack that needs no algorithm to run again; what succeeds is told in its sentence."""
    try:
        found = shoal.audit_release(
            original,
            release,
            quasi_identifiers=quasi,
            sensitive=[SENSITIVE],
            hierarchies=trees,
            k=k,
            attacks=[attack for attack in ATTACKS if attack not in (*APART, "algorithm")],
            seed=1,
        )
    except ShoalError as problem:
        print(f"| {peer} | {problem} |")
        return
    print(line(peer, n, float("nan"), {risk.attack: risk for risk in found.risks}), flush=True)
    for risk in found.falling:
        print(f"  {risk.attack}: {risk.says}", file=sys.stderr)


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    main(*(given + [5_000, 10][len(given) :]))
