"""Every algorithm against every attack on Adult, as a table in Markdown; and a release of hubs to compare with.

Seven quasi-identifiers with ARX's hierarchies, occupation sensitive. ``python benchmarks/audit_adult.py [k …]``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl

import shoal
from data import adult
from shoal import algorithms
from shoal.audit.findings import Audit
from shoal.core.cells import Cells
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.schema import Schema
from shoal.engine.auditing import audit_release, audit_result
from shoal.errors import ShoalError
from shoal.io.encode import encode
from shoal.io.hierarchies import read_hierarchy
from shoal.io.labels import to_frame
from shoal.metrics import LM
from shoal.models import ALL as MODELS

SENSITIVE = "occupation"
COLUMNS = [
    "linking",
    "matching",
    "posterior",
    "homogeneity",
    "skewness",
    "inference",
    "definetti",
    "corruption",
    "order",
]
SLOW = {"freeform": 2000, "k-optimize": 500}
"""Algorithms that get a sample of so many rows."""

LEFT_OUT = ("patterns-exact",)
"""Takes minutes, and publishes what patterns-search does."""


def hierarchies(names: list[str]) -> dict[str, object]:
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies")
    files = {name: folder / f"adult_hierarchy_{name}.csv" for name in names}
    return {name: read_hierarchy(path) for name, path in files.items() if path.exists()}


def promises(algorithm: str, k: int) -> list[object]:
    """k-anonymity where the algorithm serves it, else uniform matching."""
    served = algorithms.ALL[algorithm].serves
    return [shoal.KAnonymity(k) if issubclass(shoal.KAnonymity, served) else MODELS["uniform-matching"].parse(str(k))]


def row(name: str, k: int, n: int, lm: float, found: Audit, seconds: float) -> str:
    worst = found.of("posterior")[0].figures.get("largest chance", float("nan"))
    above = found.of("posterior")[0].figures.get("people above 0.5", 0)
    cells = []
    for attack in COLUMNS:
        risk = found.of(attack)[0]
        cells.append(
            "–" if risk.outcome == "not run" else f"{risk.outcome} {100 * risk.rate:.1f} / {100 * risk.baseline:.1f}"
        )
    return f"| {name} | {k} | {n:,} | {lm:.3f} | {worst:.3f} | {above:,} | " + " | ".join(cells) + f" | {seconds:.1f} |"


def hub(frame: pl.DataFrame, quasi: list[str], trees: dict[str, object], k: int) -> tuple[Release, pl.DataFrame]:
    """k stars, and every other record fits its own row and the next: everybody has k matches and more."""
    table = encode(frame, Schema(tuple(quasi), (SENSITIVE,), hierarchies=trees)).table  # type: ignore[arg-type]
    order = np.lexsort(table.codes).astype(np.int32)
    following = np.roll(order, -1)
    cells: list[Cells] = []
    for column, codes in zip(table.quasi, table.codes, strict=True):
        low, high = np.minimum(codes[order], codes[following]), np.maximum(codes[order], codes[following])
        low[:k], high[:k] = 0, column.domain.n_leaves - 1
        cells.append(column.recoding.close(low, high))
    release = Release(table, order, np.arange(order.size, dtype=np.int32), tuple(cells))
    return release, to_frame(publish(release, Randomness(1)))


def main(ks: list[int]) -> None:
    frame = adult()
    assert frame is not None, "set SHOAL_DATA"
    quasi = [name for name in frame.columns if name not in (SENSITIVE, "salary-class")]
    frame = frame.select(*quasi, SENSITIVE)
    trees = hierarchies(quasi)
    print("| algorithm | k | rows | LM | largest chance | above 0.5 | " + " | ".join(COLUMNS) + " | s |")
    print("|---" * (7 + len(COLUMNS)) + "|")
    for k in ks:
        for name in [name for name in algorithms.ALL if name not in LEFT_OUT]:
            table = frame.sample(SLOW[name], seed=1) if name in SLOW else frame
            start = perf_counter()
            try:
                made = shoal.anonymize(
                    table,
                    quasi_identifiers=quasi,
                    sensitive=[SENSITIVE],
                    hierarchies=trees,
                    privacy=promises(name, k),
                    algorithm=name,
                    suppression_limit=0.05 if name in ("lattice", "samarati", "incognito", "k-optimize") else 0.0,
                    seed=1,
                )
                between = perf_counter()
                found = audit_result(made, attacks=COLUMNS)
            except (ShoalError, OverflowError) as problem:
                print(f"| {name} | {k} | {table.height:,} | {problem} |", flush=True)
                continue
            print(row(name, k, table.height, made.metrics()["lm"], found, perf_counter() - between), flush=True)
            assert start < between
        release, printed = hub(frame, quasi, trees, k)
        start = perf_counter()
        found = audit_release(
            frame,
            printed,
            quasi_identifiers=quasi,
            sensitive=[SENSITIVE],
            hierarchies=trees,
            k=k,
            attacks=COLUMNS,
            seed=1,
        )
        print(row("hub (by hand)", k, frame.height, LM().score(release), found, perf_counter() - start), flush=True)
        print("\n" + found.of("posterior")[0].says + "\n")


if __name__ == "__main__":
    main([int(k) for k in sys.argv[1:]] or [10])
