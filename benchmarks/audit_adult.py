"""Every algorithm against every attack on Adult, as tables in Markdown; and a release of hubs to compare with.

Seven quasi-identifiers with ARX's hierarchies, occupation sensitive with its hierarchy, k-anonymity alone where the
algorithm serves it. ``python benchmarks/audit_adult.py 10 [algorithm …]``. Composition is with a release by another
algorithm; minimality, which runs the algorithm many times and needs a promise about values, is three samples of 30 rows
with k = 5 and l = 2 of the salary class.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

import shoal
from data import adult
from shoal import algorithms
from shoal.audit import ALL as ATTACKS
from shoal.audit.contract import Risk
from shoal.audit.findings import Audit
from shoal.core.cells import Cells
from shoal.core.contracts import PrivacyModel
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.schema import Schema
from shoal.engine.result import Result
from shoal.errors import ShoalError
from shoal.io.encode import encode
from shoal.io.hierarchies import read_hierarchy
from shoal.io.labels import to_frame
from shoal.metrics import LM
from shoal.models import ALL as MODELS

SENSITIVE = "occupation"
SMALL = {
    "freeform": 2000,
    "concealment": 2000,
    "park-shim": 2000,
    "meyerson-williams": 2000,
    "k-optimize": 500,
    "microaggregation": 500,
}
"""Algorithms that get a sample of so many rows."""

LEFT_OUT = {
    "patterns-exact": "takes minutes, and publishes what patterns-search does",
    "factor": "is for k = 2 and 3",
}
DIVERSITY = 4
"""What algorithms are asked for that promise nothing but diversity."""

LATTICE = ("lattice", "samarati", "incognito", "k-optimize")
"""Algorithms that may suppress 5% of the rows."""

APART = ("composition", "minimality")
"""Attacks that are run by themselves."""

HEADS = ["algorithm", "rows", "LM", "likeliest match", "people above 0.5", *ATTACKS]


def main(k: int, names: list[str]) -> None:
    frame, quasi, trees = tables()
    print("| " + " | ".join(HEADS) + " |\n" + "|---" * len(HEADS) + "|", flush=True)
    for name in names or [name for name in algorithms.ALL if name not in LEFT_OUT]:
        table = frame.sample(SMALL[name], seed=1) if name in SMALL else frame
        start = perf_counter()
        try:
            print(line(name, table.height, *attacked(name, table, quasi, trees, k)), flush=True)
        except (ShoalError, OverflowError) as problem:
            print(f"| {name} | {table.height:,} | {problem} |", flush=True)
        print(f"{name}: {perf_counter() - start:.0f} s", file=sys.stderr)
    if not names:
        print(line("hub (by hand)", frame.height, *hubs(frame, quasi, trees, k)), flush=True)


def tables() -> tuple[pl.DataFrame, list[str], dict[str, Any]]:
    """Adult, its quasi-identifiers, and the hierarchies of all columns."""
    frame = adult()
    assert frame is not None, "set SHOAL_DATA"
    quasi = [name for name in frame.columns if name not in (SENSITIVE, "salary-class")]
    return frame.select(*quasi, SENSITIVE), quasi, hierarchies([*quasi, SENSITIVE])


def hierarchies(names: list[str]) -> dict[str, Any]:
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies")
    files = {name: folder / f"adult_hierarchy_{name}.csv" for name in names}
    return {name: read_hierarchy(path) for name, path in files.items() if path.exists()}


def promise(algorithm: str, k: int) -> PrivacyModel:
    """k-anonymity where the algorithm serves it, else the first that it serves of those that speak of matches.

    Buckets have no k: there it is l-diversity.
    """
    served = algorithms.ALL[algorithm]().serves
    wanted = {"k-anonymity": k, "uniform-matching": k, "k-concealment": k, "l-diversity": min(k, DIVERSITY)}
    return next(MODELS[name].parse(str(size)) for name, size in wanted.items() if issubclass(MODELS[name], served))


def make(name: str, table: pl.DataFrame, quasi: list[str], trees: dict[str, Any], *promises: PrivacyModel) -> Result:
    return shoal.anonymize(
        table,
        quasi_identifiers=quasi,
        sensitive=[SENSITIVE],
        hierarchies=trees,
        privacy=promises,
        algorithm=name,
        suppression_limit=0.05 if name in LATTICE else 0.0,
        audit="off",
        seed=1,
    )


def attacked(
    name: str, table: pl.DataFrame, quasi: list[str], trees: dict[str, Any], k: int
) -> tuple[float, dict[str, Risk]]:
    """The loss of a release and the risk of every attack on it."""
    made = make(name, table, quasi, trees, promise(name, k))
    risks = {risk.attack: risk for risk in made.audit(attacks=[a for a in ATTACKS if a not in APART]).risks}
    if made.values is None:
        risks["composition"] = composed(name, made, table, quasi, trees, k)
    if k == 10:
        risks["minimality"] = minimality(name, quasi, trees)
    return LM().score(made.release), risks


def composed(name: str, made: Result, table: pl.DataFrame, quasi: list[str], trees: dict[str, Any], k: int) -> Risk:
    """What a second release of the same rows, by another algorithm, adds; for releases of one table."""
    second = make("hilbert" if name == "mondrian" else "mondrian", table, quasi, trees, shoal.KAnonymity(k))
    twice = shoal.audit_release(
        table,
        made.frame,
        other=second.frame,
        quasi_identifiers=quasi,
        sensitive=[SENSITIVE],
        hierarchies=trees,
        attacks=["composition"],
    )
    return twice.risks[0]


def minimality(name: str, quasi: list[str], trees: dict[str, Any]) -> Risk:
    """On a few rows of a column of two values: the mean of the samples in which enough worlds lead to the release."""
    frame = adult()
    assert frame is not None
    found: list[Risk] = []
    for seed in range(3):
        few = frame.select(*quasi, pl.col("salary-class").alias(SENSITIVE)).sample(30, seed=seed)
        own = {column: tree for column, tree in trees.items() if column != SENSITIVE}
        try:
            diverse = make(name, few, quasi, own, promise(name, 5), shoal.LDiversity(2))
            found += diverse.audit(attacks=["minimality:worlds=200"]).risks
        except ShoalError:
            continue
    run = [risk for risk in found if risk.outcome != "not run"]
    if not run:
        return Risk("minimality", "not run", "No world leads to the release.")
    rates = [float(np.mean([getattr(risk, field) for risk in run])) for field in ("rate", "baseline")]
    worst = max(run, key=lambda risk: ("stopped", "weak", "falls").index(risk.outcome))
    return replace(worst, rate=rates[0], baseline=rates[1])


def line(name: str, n: int, lm: float, risks: dict[str, Risk]) -> str:
    """A row of the table: what falls is bold, what gains something has its rate, what is stopped a dot."""
    figures = risks["posterior"].figures
    cells = [name, f"{n:,}", f"{lm:.3f}", f"{figures.get('largest chance', float('nan')):.3f}"]
    cells += [f"{figures.get('people above 0.5', 0):,.0f}", *(shown(risks.get(attack)) for attack in ATTACKS)]
    return "| " + " | ".join(cells) + " |"


def shown(risk: Risk | None) -> str:
    if risk is None or risk.outcome == "not run":
        return "–"
    rate = f"{100 * risk.rate:.1f} / {100 * risk.baseline:.1f}" if risk.baseline else f"{100 * risk.rate:.1f}"
    return {"stopped": "·", "weak": rate, "falls": f"**{rate}**"}[risk.outcome]


def judged(original: Any, release: Any, quasi: list[str], trees: dict[str, Any], k: int) -> Audit:
    """Every attack that needs no algorithm to run again."""
    return shoal.audit_release(
        original,
        release,
        quasi_identifiers=quasi,
        sensitive=[SENSITIVE],
        hierarchies=trees,
        k=k,
        attacks=[attack for attack in ATTACKS if attack not in (*APART, "algorithm")],
        seed=1,
    )


def hubs(frame: pl.DataFrame, quasi: list[str], trees: dict[str, Any], k: int) -> tuple[float, dict[str, Risk]]:
    """The hub release, attacked; it has no algorithm to run again."""
    release, printed = hub(frame, quasi, trees, k)
    risks = {risk.attack: risk for risk in judged(frame, printed, quasi, trees, k).risks}
    print(risks["posterior"].says, file=sys.stderr)
    return LM().score(release), risks


def hub(frame: pl.DataFrame, quasi: list[str], trees: dict[str, Any], k: int) -> tuple[Release, pl.DataFrame]:
    """k stars, and every other record fits its own row and the next: everybody has k matches and more."""
    table = encode(frame, Schema(tuple(quasi), (SENSITIVE,), hierarchies=trees)).table
    order = np.lexsort(table.codes).astype(np.int32)
    following = np.roll(order, -1)
    cells: list[Cells] = []
    for column, codes in zip(table.quasi, table.codes, strict=True):
        low, high = np.minimum(codes[order], codes[following]), np.maximum(codes[order], codes[following])
        low[:k], high[:k] = 0, column.domain.n_leaves - 1
        cells.append(column.recoding.close(low, high))
    release = Release(table, order, np.arange(order.size, dtype=np.int32), tuple(cells))
    return release, to_frame(publish(release, Randomness(1)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10, sys.argv[2:])
