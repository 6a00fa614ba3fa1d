"""What an income model and a regression lose by each form of each release: Adult, k = 10, shoal beside other tools.

Seven people in ten are published, eight quasi-identifiers, the income as it is; models learn from the release and are
tested on the originals of the other three, whom no tool has seen. Every tool gets the same file and the same k, and its
release is taken apart by the same reader. The Python peers are those of ``peers.py``; ARX runs where ``SHOAL_ARX_JAR``
names its jar. ``python benchmarks/usefulness.py [FORM …]``.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import polars as pl

import peers
import shoal
from data import ADULT_EIGHT, adult
from peers import ARX, LEVELS, NODES, SETS, Job, K, Tool, answered

TARGET, FORMS = "salary-class", ("labels", "bounds", "center", "sampled")
SHOWN = ("counts", "quantiles", "correlations", "coefficients", "intervals", "gradient-boosting", "random-forest")
OURS = (
    Tool("shoal", "shoal", SETS),
    Tool("shoal, quick", "shoal", SETS, ("quick=yes",)),
    Tool("shoal, hierarchies", "shoal", NODES, ("trees=yes",)),
    Tool("shoal, hierarchies, quick", "shoal", NODES, ("trees=yes", "quick=yes")),
    Tool("shoal, mondrian", "shoal", SETS, ("algorithm=mondrian",)),
    Tool("shoal, lattice", "shoal", LEVELS, ("trees=yes", "algorithm=lattice", "limit=0.05")),
)


THEIRS = tuple(tool for tool in peers.THEIRS if tool.publishes == SETS)
"""The Python peers that finish on eight columns; the full-domain ones do what the lattice does, from worse searches."""


def split(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The people who are published, and those whom models are tested on."""
    order = np.random.default_rng(1).permutation(frame.height)
    cut = int(0.7 * frame.height)
    return frame[order[:cut]], frame[order[cut:]]


def lines(tool: Tool, job: Job, test: pl.DataFrame, forms: tuple[str, ...]) -> list[str]:
    """The tool's lines of the table, one a form."""
    spent = answered(tool.command(job))
    if isinstance(spent, str):
        return [f"| {tool.name} | {spent} |" + " |" * len(SHOWN)]
    trees = {name: str(job.hierarchies / f"adult_hierarchy_{name}.csv") for name in ADULT_EIGHT}
    start = process_time()
    found = shoal.usefulness(
        job.original, job.release, quasi_identifiers=ADULT_EIGHT, measures=[], forms=forms, target=TARGET, test=test,
        hierarchies=trees if tool.publishes in (NODES, LEVELS) else {},
    )  # fmt: skip
    print(f"{tool.name}: {process_time() - start:.0f} CPU s", file=sys.stderr, flush=True)
    rows = [[found[f"{form}: {name}"] for name in SHOWN] for form in forms]
    return [
        f"| {tool.name} | {form} | " + " | ".join("–" if one is None else f"{one:.4f}" for one in row) + " |"
        for form, row in zip(forms, rows, strict=True)
    ]


def main(forms: tuple[str, ...]) -> None:
    frame = adult()
    if frame is None:
        sys.exit("Set SHOAL_DATA to the folder that holds datasets/.")
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies").resolve()
    columns = [*ADULT_EIGHT, TARGET]
    train, test = split(frame.select(columns))
    print(f"Adult, {train.height:,} people published, {test.height:,} to test on, 8 quasi-identifiers, k = {K}.")
    print("Each figure is an error: 0 where the release says what the original does.\n")
    print("| release | form | " + " | ".join(SHOWN) + " |\n|" + "---|" * (2 + len(SHOWN)))
    with tempfile.TemporaryDirectory() as place:
        job = Job(Path(place) / "table.csv", Path(place) / "release.csv", K, folder, columns)
        train.write_csv(job.original)
        peers.LIMIT = 900  # what is measured is quality
        for tool in [*OURS, *(ARX if os.environ.get("SHOAL_ARX_JAR") else ()), *THEIRS]:
            for line in lines(tool, job, test, forms):
                print(line, flush=True)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or FORMS)
