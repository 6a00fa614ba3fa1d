"""What a table begins with in the workbench: which privacy model beside k = 5 stops the attacks, and what it loses.

``python benchmarks/workbench_start.py`` anonymizes messy discharges whose sensitive column has values of several kinds,
with each model, attacks every release, and prints loss and findings. The decision about the workbench rests on it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import shoal
from shoal.engine.release_findings import findings
from shoal.errors import ShoalError

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.discharges import discharges

SENSITIVE = 6
"""The column of the discharges whose values are replaced."""

PROMISES: dict[str, dict[str, Any]] = {
    "k alone": {},
    "l = 3": {"l": 3},
    "l = 2.2 by frequency": {"l": {"l": 2.2, "kind": "frequency"}},
    "t = 0.4": {"t": 0.4},
    "t = 0.3": {"t": 0.3},
    "t = 0.2": {"t": 0.2},
    "t = 0.15, ordered": {"t": {"t": 0.15, "distance": "ordered"}},
    "beta = 1.9": {"beta": 1.9},
}

Draw = Callable[[random.Random], str]

VALUES: dict[str, tuple[int, Draw | None]] = {
    "six values, evenly": (5_000, None),
    "three values": (1_500, lambda draw: draw.choices("abc", [40, 35, 25])[0]),
    "five values, one with 60%": (1_500, lambda draw: draw.choices("abcde", [60, 20, 10, 5, 5])[0]),
    "two values, one with 75%": (1_500, lambda draw: draw.choices("ab", [75, 25])[0]),
    "amounts": (1_500, lambda draw: str(int(draw.lognormvariate(8, 1)))),
}

WORDS: dict[str, Any] = {
    "quasi_identifiers": ["DOB", "Sex", "ZIP"],
    "sensitive": ["Diagnosis"],
    "identifiers": ["MRN", "Patient Name", "Notes", "Admitted"],
    "dates": {"DOB": "%m/%d/%Y"},
    "hierarchies": {"DOB": {"builder": "dates"}, "ZIP": {"builder": "mask"}},
}


def main() -> None:
    """A line for each kind of values and each model."""
    with TemporaryDirectory() as folder:
        for kind, (n, draw) in VALUES.items():
            table = _table(Path(folder), n, draw)
            for name, more in PROMISES.items():
                print(f"{kind:28}{n:>6,}  {name:24}{_told(table, more)}", flush=True)


def _table(folder: Path, n: int, draw: Draw | None) -> Path:
    header, *rows = (line.split(",") for line in discharges(n).splitlines())
    chance = random.Random(1)
    for row in rows:
        row[SENSITIVE] = row[SENSITIVE] if draw is None else draw(chance)
    path = folder / "discharges.csv"
    path.write_text("".join(",".join(row) + "\n" for row in (header, *rows)), "utf-8")
    return path


def _told(table: Path, more: dict[str, Any]) -> str:
    try:
        result = shoal.anonymize(table, privacy={"k": 5, **more}, audit="usual", seed=1, **WORDS)
    except ShoalError:
        return "cannot be kept"
    found = [one["key"].partition(":")[0] for one in findings(result)]
    return f"loss {result.metrics()['lm']:.3f}  {', '.join(found) or 'no attack succeeds'}"


if __name__ == "__main__":
    main()
