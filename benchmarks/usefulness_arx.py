"""The releases that ARX is known to have made, rebuilt, beside ours: what analysts get out of each.

ARX 3.9.2 on Adult, 30,162 people, nine quasi-identifiers with its hierarchies, k = 10, up to 5% of rows left out:
its search for one level per column is exact, and what it found is known (``reference/peers.md``: levels and how many
rows it left out). Levels, hierarchies and k are all that such a release consists of, so it is made here again: every
value at its level, rows of classes below k left out; that as many are left out as ARX said is checked. ``arx_local.py``
makes ARX's local recoding again, and checks its loss and classes. Ours gets the same table, columns and k, and leaves
out no row; a weight keeps the income class exact, as ARX's releases have it. Models are tested on the people of Adult's
test file, whom nobody published. ``python benchmarks/usefulness_arx.py [FORM …]``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import process_time

import polars as pl

import arx_local
import shoal
from data import ADULT_EIGHT, adult
from usefulness import FORMS, SHOWN, TARGET

K, LEFT_OUT = 10, 1437
LEVELS = {
    "sex": 0, "age": 3, "race": 0, "marital-status": 1, "education": 2, "native-country": 1, "workclass": 1,
    "occupation": 2, TARGET: 0,
}  # fmt: skip
"""ARX's optimum, and how many rows it left out."""


def hierarchy(name: str) -> Path:
    """ARX's hierarchy of a column."""
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies").resolve()
    return folder / f"adult_hierarchy_{name}.csv"


def rebuilt(frame: pl.DataFrame) -> pl.DataFrame:
    """The release at ARX's levels."""
    columns = []
    for name, level in LEVELS.items():
        tree = pl.read_csv(hierarchy(name), separator=";", has_header=False, infer_schema=False)
        columns.append(frame[name].replace_strict(tree[:, 0], tree[:, level]).alias(name))
    made = pl.DataFrame(columns)
    release = made.filter(pl.len().over(list(LEVELS)) >= K)
    if frame.height - release.height != LEFT_OUT:
        sys.exit(f"{frame.height - release.height} rows are left out where ARX left out {LEFT_OUT}.")
    return release


def ours(frame: pl.DataFrame, trees: dict[str, str]) -> pl.DataFrame:
    """Our default for the same promise, with ARX's hierarchies or with ranges and sets."""
    found = shoal.anonymize(
        frame, quasi_identifiers=list(LEVELS), privacy=shoal.KAnonymity(K), hierarchies=trees, audit="off",
        weights={TARGET: 1000.0}, seed=1,
    )  # fmt: skip
    if {*found.frame[TARGET]} != {*frame[TARGET]}:
        sys.exit("The income class is not exact in our release.")
    return found.frame


def people_to_test_on(columns: list[str]) -> pl.DataFrame:
    """Adult's test file, rows without a missing value."""
    path = Path(os.environ["SHOAL_DATA"], "datasets", "adult", "adult_test.csv")
    rows = pl.read_csv(path, infer_schema=False, null_values=["?"]).rename({"class": TARGET})
    return rows.select(columns).drop_nulls().with_columns(pl.col(TARGET).str.strip_chars(" ."))


def main(forms: tuple[str, ...]) -> None:
    frame = adult()
    if frame is None:
        sys.exit("Set SHOAL_DATA to the folder that holds datasets/.")
    test = people_to_test_on([*ADULT_EIGHT, TARGET])
    trees = {name: str(hierarchy(name)) for name in LEVELS}
    releases = {
        "ARX 3.9.2, its optimum": (rebuilt(frame), trees),
        "ARX 3.9.2, local recoding": (arx_local.release(frame, list(LEVELS), K), trees),
        "shoal, hierarchies": (ours(frame, trees), trees),
        "shoal": (ours(frame, {}), {}),
    }
    print(f"Adult, {frame.height:,} people published, {test.height:,} to test on, 9 quasi-identifiers, k = {K}.")
    print("Each figure is an error: 0 where the release says what the original does.\n")
    print("| release | records | form | " + " | ".join(SHOWN) + " |\n|" + "---|" * (3 + len(SHOWN)))
    for name, (release, known) in releases.items():
        for form in forms:
            start = process_time()
            found = shoal.usefulness(
                frame, release, quasi_identifiers=ADULT_EIGHT, measures=[], forms=[form], target=TARGET, test=test,
                hierarchies={column: tree for column, tree in known.items() if column != TARGET},
            )  # fmt: skip
            row = [found[f"{form}: {one}"] for one in SHOWN]
            shown = " | ".join("–" if one is None else f"{one:.4f}" for one in row)
            print(f"| {name} | {release.height:,} | {form} | {shown} |", flush=True)
            print(f"{name}, {form}: {process_time() - start:.0f} CPU s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or FORMS)
