"""The judge of every tool's release: reads printed labels with plain Python, and nothing of shoal.

``python judge.py ORIGINAL.csv RELEASE.csv FOLDER_OF_HIERARCHIES COLUMN ...`` prints the smallest class, the rows that
are missing, LM over the hierarchies' leaves and GCP over the values that occur. A label is a value; a label of the
hierarchy; ``*``; a range ``[a..b]``, ``[a, b)`` or ``a-b`` of numbers; or a list of values ``{a, b}`` or ``a,b``. Rows
that are missing or starred count as losing everything. A label that is none of these is an error, not a guess.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from pathlib import Path

RANGE = re.compile(r"^[\[(]?\s*(-?\d+(?:\.\d+)?)\s*(?:\.\.|,|-)\s*(-?\d+(?:\.\d+)?)\s*([\])]?)$")


def leaves_of(folder: Path, name: str) -> dict[str, set[str]]:
    """For each label of a column's hierarchy the values below it."""
    found: dict[str, set[str]] = {}
    for line in (folder / f"adult_hierarchy_{name}.csv").read_text().splitlines():
        labels = [label.strip() for label in line.split(";")]
        for label in labels:
            found.setdefault(label, set()).add(labels[0])
    return found


def values_of(label: str, tree: dict[str, set[str]], everything: set[str]) -> set[str]:
    """The values that a label stands for."""
    text = label.strip()
    if text in everything:
        return {text}
    if text in tree:
        return tree[text] & everything or tree[text]
    if text in ("*", ""):
        return everything
    found = RANGE.match(text)
    if found:
        low, high = float(found[1]), float(found[2])
        is_open = found[3] == ")"
        return {v for v in everything if low <= float(v) <= high and not (is_open and float(v) == high)}
    parts = {part.strip().strip('"') for part in text.strip("{}").split(",")}
    if parts <= everything:
        return parts
    raise ValueError(f"the label {label!r} cannot be read")


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def judge(original: Path, release: Path, folder: Path, columns: list[str]) -> dict[str, float]:
    """The figures of a release."""
    before, after = rows_of(original), rows_of(release)
    lost_lm, lost_gcp = 0.0, 0.0
    for name in columns:
        tree = leaves_of(folder, name)
        leaves = {label for label, below in tree.items() if below == {label}} | {row[name] for row in before}
        occurring = {row[name] for row in before}
        for label, n in Counter(row[name] for row in after).items():
            lost_lm += n * (len(values_of(label, tree, leaves)) - 1) / (len(leaves) - 1)
            cell = values_of(label, tree, leaves) & occurring
            lost_gcp += n * (max(1, len(cell)) - 1) / (len(occurring) - 1)
    n_missing = len(before) - len(after)
    cells = len(before) * len(columns)
    classes = Counter(tuple(row[name] for name in columns) for row in after)
    return {
        "rows": len(after),
        "missing": n_missing,
        "smallest class": min(classes.values()),
        "lm": (lost_lm + n_missing * len(columns)) / cells,
        "gcp": (lost_gcp + n_missing * len(columns)) / cells,
    }


def main(said: list[str]) -> None:
    found = judge(Path(said[0]), Path(said[1]), Path(said[2]), said[3:])
    print("  ".join(f"{name} {value:,.4g}" for name, value in found.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
