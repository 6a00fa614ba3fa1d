"""Cells of their own for every record: losses beside the paper's figures, and speed.

Usage: python benchmarks/nonhomogeneous.py [SECTION …] [--plots FOLDER]
Sections: adult, census, diversity (figures 9 to 15 of Wong et al., ``wong_figures.py``), freeform, exact, blocks,
hierarchies, speed, draws. Without any, all of them (a few minutes). Needs SHOAL_DATA for all but ``speed`` and
``draws``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import polars as pl

import wong_figures
from census import QUASI, census
from data import ADULT_EIGHT
from shoal.algorithms import Freeform, Hilbert, Mondrian, NonHomogeneous
from shoal.algorithms.freeform.exact import cost_of, solve
from shoal.algorithms.freeform.rounds import MATCHINGS, build
from shoal.core.contracts import Algorithm, Goal
from shoal.core.orders import lexicographic_order
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.core.tariff import tariff_of
from shoal.io.encode import encode
from shoal.io.hierarchies import read_hierarchy
from shoal.metrics import GCP, LM
from shoal.models import KAnonymity, UniformMatching
from wong_figures import coded, run

DATA = Path(os.environ.get("SHOAL_DATA", "."))


def main() -> None:
    asked = sys.argv[1:]
    folder = Path(asked[asked.index("--plots") + 1]) if "--plots" in asked else None
    wanted = [name for name in asked if name in SECTIONS] or [*SECTIONS]
    for name in wanted:
        print(f"\n== {name} ==", flush=True)
        SECTIONS[name](folder)


def adult_eight(n: int | None = None, seed: int = 1, trees: bool = False) -> Table:
    """Adult, 30,162 rows of eight columns or a sample: age as ranges and the others as sets, or hierarchies."""
    frame = pl.read_csv(DATA / "datasets" / "adult-arx" / "adult.csv", separator=";", infer_schema=False)
    if n:
        frame = frame[np.sort(np.random.default_rng(seed).choice(frame.height, n, replace=False))]
    names = [*ADULT_EIGHT, "salary-class"] if trees else ADULT_EIGHT
    paths = DATA / "datasets" / "adult-arx" / "hierarchies"
    given = {name: read_hierarchy(paths / f"adult_hierarchy_{name}.csv") for name in names} if trees else {}
    return encode(frame.select(names), Schema(tuple(names), hierarchies=given)).table


def cmc() -> Table:
    """CMC, 1,473 rows of nine columns: ages and children as ranges, the others as sets."""
    frame = pl.read_csv(DATA / "datasets" / "cmc" / "cmc.csv", infer_schema=False)
    names = frame.columns[:9]
    kinds = {name: "numeric" if name in ("wife_age", "num_children") else "nominal" for name in names}
    return encode(frame.select(names), Schema(tuple(names), kinds=kinds)).table  # type: ignore[arg-type]


def freeform(folder: Path | None) -> None:
    """GCP and seconds of NH and the four ways of Freeform, each in one block."""
    ways = {
        "NH": NonHomogeneous(),
        **{name: Freeform(name, block=5000) for name in ("greedy", "sorted", "hungarian")},
        "polished": Freeform("hungarian", block=5000, polish=2),
    }
    print(f"{'table':<14}{'k':>4}" + "".join(f"{name:>11}{'s':>7}" for name in ways))
    for name, table in (("Adult 1,000", adult_eight(1000)), ("Adult 2,000", adult_eight(2000)), ("CMC 1,473", cmc())):
        for k in (5, 10):
            line = ""
            for algorithm in ways.values():
                start = perf_counter()
                release = run(algorithm, table, UniformMatching(k))
                spent = perf_counter() - start
                assert UniformMatching(k).check(release).holds
                line += f"{GCP().score(release):>11.5f}{spent:>7.2f}"
            print(f"{name:<14}{k:>4}{line}", flush=True)


def exact(folder: Path | None) -> None:
    """Total GCP against the optimum, where HiGHS proves it or stops after 20 s."""
    print(f"{'rows':>5}{'k':>3}{'seed':>5}{'greedy':>9}{'sorted':>9}{'hungarian':>11}{'exact':>9}{'bound':>9}  above")
    for n, k in ((10, 3), (12, 3), (15, 3), (20, 3)):
        for seed in (1, 2, 3):
            table = adult_eight(n, seed)
            codes = np.ascontiguousarray(table.codes[:, lexicographic_order(table)])
            tariff = tariff_of(table, GCP(), most=k)
            graphs = {name: build(codes, k, tariff, take) for name, take in MATCHINGS.items()}
            best = solve(codes, k, tariff, 20.0, graphs["hungarian"])
            costs = {name: cost_of(codes, graph, tariff) for name, graph in graphs.items()}
            above = costs["hungarian"] / best.cost - 1
            state = "of the optimum" if best.gap < 1e-3 else f"of the best found (gap {best.gap:.1%})"
            line = "".join(f"{costs[name]:>{width}.3f}" for name, width in zip(costs, (9, 9, 11), strict=True))
            print(f"{n:>5}{k:>3}{seed:>5}{line}{best.cost:>9.3f}{best.bound:>9.3f}  {above:+.1%} {state}", flush=True)


def blocks(folder: Path | None) -> None:
    """What blocks cost against one block, and Adult as a whole."""
    table = adult_eight(6000)
    whole = GCP().score(run(Freeform(block=6000), table, UniformMatching(10)))
    print(f"Adult 6,000, k = 10, sorted, one block: GCP {whole:.5f}")
    for size in (3000, 2000, 1000, 500, 250):
        loss = GCP().score(run(Freeform(block=size), table, UniformMatching(10)))
        print(f"  blocks of {size:>5}: GCP {loss:.5f}, {loss / whole - 1:+.1%}", flush=True)
    table = adult_eight()
    for algorithm in (NonHomogeneous(), Freeform(), Freeform("hungarian", block=1000)):
        start = perf_counter()
        release = run(algorithm, table, UniformMatching(10))
        spent = perf_counter() - start
        print(f"Adult 30,162 × 8, k = 10, {algorithm}: GCP {GCP().score(release):.5f} in {spent:.1f} s", flush=True)


def hierarchies(folder: Path | None) -> None:
    """LM on Adult 30,162 × 9 with ARX's hierarchies: groups, rings inside them, and freeform."""
    table = adult_eight(trees=True)
    print(f"{'':<42}{'k = 5':>9}{'k = 10':>9}")
    groups = {"Mondrian, relaxed": Mondrian(relaxed=True), "Hilbert": Hilbert()}
    rows: dict[str, Callable[[int], Release]] = {}
    for name, algorithm in groups.items():
        rows[name] = lambda k, a=algorithm: run(a, table, KAnonymity(k), LM())
        rows[f"rings inside {name}"] = lambda k, a=algorithm: run(NonHomogeneous(a), table, UniformMatching(k), LM())
    for name, other in (
        ("rings, lexicographic", NonHomogeneous()),
        ("rings along a curve", NonHomogeneous("curve")),
        ("freeform sorted, blocks of 2,000", Freeform()),
        ("freeform hungarian, blocks of 1,000", Freeform("hungarian", block=1000)),
    ):
        rows[name] = lambda k, a=other: run(a, table, UniformMatching(k), LM())
    for name, make in rows.items():
        print(f"{name:<42}" + "".join(f"{LM().score(make(k)):>9.4f}" for k in (5, 10)), flush=True)


def best_of(times: int, work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and of all processors: they tell more where others use the machine as well."""
    clock, busy = [], []
    for _ in range(times):
        start, used = perf_counter(), process_time()
        work()
        clock.append(perf_counter() - start)
        busy.append(process_time() - used)
    return min(clock), min(busy)


def speed(folder: Path | None) -> None:
    """Codes in memory, kernels warm, the best of three runs."""
    frame = census(500_000)
    cases: list[tuple[str, float, Algorithm, Table, int]] = []
    for n, d, k, aim in ((100_000, 3, 10, 0.15), (100_000, 3, 100, 0.7), (500_000, 7, 10, 1.0)):
        cases.append((f"NH {n:,} × {d}, k = {k}", aim, NonHomogeneous(), coded(frame.head(n), QUASI[:d], "sets"), k))
    if DATA.joinpath("datasets").is_dir():
        cases += [
            ("freeform sorted 5,000, k = 10", 6.0, Freeform(block=5000), adult_eight(5000), 10),
            ("freeform hungarian 2,000, k = 10", 8.0, Freeform("hungarian"), adult_eight(2000), 10),
            ("freeform sorted, Adult whole, k = 10", 30.0, Freeform(), adult_eight(), 10),
        ]
    for name, aim, algorithm, table, k in cases:
        release = run(algorithm, table, UniformMatching(k))
        made, busy = best_of(3, lambda a=algorithm, t=table, m=k: run(a, t, UniformMatching(m)))
        checked, _ = best_of(3, lambda r=release, m=k: UniformMatching(m).check(r))
        print(f"{name:<40}{made:>8.3f} s ({busy:.3f} s CPU; aim {aim:g} s), checked in {checked:.3f} s", flush=True)


def draws(folder: Path | None) -> None:
    """How often row 0 of a ring of five gets each of its records: as published, and among all 13 assignments."""
    frame = pl.DataFrame({"q": [1, 2, 3, 4, 5]})
    table = encode(frame, Schema(("q",))).table
    counts = np.zeros(5, np.int64)
    n = 30_000
    for seed in range(n):
        rows = NonHomogeneous("curve").run(table, Goal((UniformMatching(3),), GCP()), Randomness(seed), Silent()).owners
        counts[np.flatnonzero(rows == 0)] += 1
    print(f"row 0 over {n:,} runs, records 0 … 4: {counts.tolist()} (a third each of those it matches: {n // 3:,})")


SECTIONS: dict[str, Callable[[Path | None], None]] = {
    "adult": wong_figures.adult,
    "census": wong_figures.varied,
    "diversity": wong_figures.diversity,
    "freeform": freeform,
    "exact": exact,
    "blocks": blocks,
    "hierarchies": hierarchies,
    "speed": speed,
    "draws": draws,
}


if __name__ == "__main__":
    main()
