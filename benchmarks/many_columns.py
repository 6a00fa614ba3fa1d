"""Full-domain search with 10 to 30 quasi-identifiers: ours beside a greedy search and ARX's heuristics.

``python benchmarks/many_columns.py [SECONDS ...] [TABLE[:COLUMNS] ...] [LIMIT% ...]``; without arguments 10 and 60
seconds, all tables and widths, and suppression limits of 0, 5 and 100%. k = 5, LM. All seconds are CPU seconds, ours
and the greedy's, so that others on the machine do not matter; ARX's figures (``reference/arx_heuristics.csv``, the best
of its genetic, bottom-up, top-down and optimal searches) had as many seconds by the clock. The loss is that of the
release, and its promises are checked again. Needs SHOAL_DATA.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from math import inf
from time import process_time

import numpy as np
import polars as pl

import verdicts
from shoal.algorithms.lattice import Lattice
from shoal.algorithms.lattice.optimal import search
from shoal.algorithms.lattice.search import Searcher
from shoal.algorithms.lattice.solution import SearchResult
from shoal.algorithms.lattice.space import Space
from shoal.core.contracts import Goal
from shoal.core.hierarchy import Hierarchy
from shoal.core.node import Node
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.metrics import LM
from shoal.models import KAnonymity
from tables import folder, read_csv, read_trees

K = 5
LIMITS = (0.0, 0.05, 1.0)
WIDTHS = {"credit": (10, 12, 15, 20, 24), "mach": (10, 12, 15), "coil": (30,), "kdd": (30,)}


def of_arx(name: str) -> Callable[[int], Table]:
    """The first columns of one of ARX's tables, with its hierarchies."""

    def first(n_columns: int) -> Table:
        frame = read_csv(f"arx/{name}/{name}.csv", ";")
        names = frame.columns[:n_columns]
        trees = read_trees(f"arx/{name}/hierarchies", names, name)
        return encode(frame.select(names), Schema(tuple(names), hierarchies=trees)).table

    return first


def coil(n_columns: int) -> Table:
    """9,822 households; codes in groups of three and of nine."""
    frame = pl.concat([read_csv("coil2000/coil2000_train.csv"), read_csv("coil2000/coil2000_eval.csv")])
    names = frame.columns[:n_columns]
    trees = {name: ranges(frame[name]) for name in names}
    return encode(frame.select(names), Schema(tuple(names), hierarchies=trees)).table


def kdd(n_columns: int) -> Table:
    """99,762 people of the KDD census; numbers in groups of three, nine, …, categories published or not."""
    frame = pl.read_parquet(folder() / "census-kdd" / "census_income_kdd_test.parquet").drop("instance weight")
    frame = frame.select(frame.columns[:n_columns])
    numbers = [name for name in frame.columns if frame[name].dtype.is_numeric() and frame[name].n_unique() > 3]
    text = frame.with_columns(pl.all().cast(pl.String))
    trees = {name: ranges(text[name]) for name in numbers}
    others = {name: "suppress" for name in text.columns if name not in numbers}
    return encode(text, Schema(tuple(text.columns), hierarchies=trees, recodings=others)).table


def ranges(column: pl.Series) -> Hierarchy:
    """The values that occur, by size, in groups of three, then of nine and so on."""
    values = sorted(column.unique().to_list(), key=float)
    sizes = [3**level for level in range(1, 7) if 3**level < len(values)]
    return Hierarchy.from_rows([[v, *(f"{size}:{i // size}" for size in sizes), "*"] for i, v in enumerate(values)])


TABLES = {"credit": of_arx("creditcard_int"), "mach": of_arx("mach2019_int"), "coil": coil, "kdd": kdd}


def greedy(table: Table, goal: Goal, seconds: float) -> float:
    """From the top, each time one step down in the column that then loses least, as long as that is less."""
    until = process_time() + seconds

    def loss(levels: tuple[int, ...]) -> float:
        if process_time() > until:
            return inf
        node = Node.of(table, levels, lambda groups: goal.accepts(table, groups))
        fits = node.n_suppressed <= goal.most_suppressed(table.n_rows) and node.n_suppressed < table.n_rows
        return goal.metric.node_score(node) if fits else inf

    space = Space.of(table)
    best = loss(space.top), space.top
    while True:
        below = min(((loss(levels), levels) for levels in space.below(best[1])), default=best)
        if below[0] >= best[0]:
            return best[0]
        best = below


def ours(table: Table, goal: Goal, seconds: float) -> tuple[SearchResult, float, float]:
    """What was found, the loss of the release, and the CPU seconds it took."""
    start = process_time()
    found = search(Searcher(table, goal, Silent(), seconds, clock=process_time))
    spent = process_time() - start
    release = Lattice(levels=found.levels).run(table, goal, Randomness(1), Silent())
    assert all(promise.check(release).holds for promise in goal.promises)
    return found, goal.metric.score(release), spent


def best_of_arx() -> dict[tuple[str, int, float, float], float]:
    """The least loss of all of ARX's searches by table, columns, suppression limit and seconds."""
    best: dict[tuple[str, int, float, float], float] = {}
    with (folder().parent / "reference" / "arx_heuristics.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["tool"] == "arx" and int(row["k"]) == K:
                key = (row["table"], int(row["quasi_identifiers"]), float(row["suppression_limit"]))
                full = (*key, float(row["time_limit_s"]))
                best[full] = min(best.get(full, inf), float(row["lm"]))
    return best


def compare(seconds: float, widths: Mapping[str, Sequence[int]], limits: Sequence[float]) -> None:
    """Every table, width and limit; verdicts on the greedy, ARX and the clock."""
    arx, pairs, beside_arx, late = best_of_arx(), [], [], 0.0
    print(
        "| table | columns | nodes | limit | ours | greedy | ARX's best | at least | CPU s | nodes checked | starts |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, all_widths in widths.items():
        for n_columns in all_widths:
            table = TABLES[name](n_columns)
            table.distinct  # noqa: B018 (the rows are grouped once, not by each search)
            for limit in limits:
                goal = Goal((KAnonymity(K),), LM(), limit)
                found, loss, spent = ours(table, goal, seconds)
                simple = greedy(table, goal, seconds)
                theirs = arx.get((name, n_columns, limit, seconds))
                pairs.append((loss, simple))
                beside_arx += [] if theirs is None else [(loss, theirs)]
                late = max(late, spent / seconds)
                least = "proven" if found.is_optimal else f"{found.lower_bound:.4f}"
                print(
                    f"| {name} | {n_columns} | {found.n_nodes:.2g} | {limit:.0%} | {loss:.4f} | {simple:.4f} | "
                    f"{'–' if theirs is None else f'{theirs:.4f}'} | {least} | {spent:.1f} | {found.n_checked:,} | "
                    f"{found.n_starts} |",
                    flush=True,
                )
    say(f"greedy from the top, {seconds:g} s", pairs)
    if beside_arx:
        say(f"ARX's best heuristic, {seconds:g} s", beside_arx)
    print(f"longest search: {late:.3f} of the time limit")


def say(whom: str, pairs: Sequence[tuple[float, float]]) -> None:
    """Losses are compared as ARX's are printed, to six places."""
    worse = sum(a > b + 1e-6 for a, b in pairs)
    better = sum(a < b - 1e-6 for a, b in pairs)
    said = f"{len(pairs)} cells: {better} lose less, {worse} lose more; ours / theirs {_ratios(pairs)}"
    verdicts.say(f"full-domain, many columns, against {whom}", "differs" if worse else "better", said)


def _ratios(pairs: Sequence[tuple[float, float]]) -> str:
    ratios = np.array([a / b for a, b in pairs])
    return f"{ratios.min():.3f} to {ratios.max():.3f}"


def main(words: Sequence[str]) -> None:
    times = [float(word) for word in words if word.isdigit()] or [10.0, 60.0]
    limits = [float(word[:-1]) / 100 for word in words if word.endswith("%")] or LIMITS
    widths: dict[str, list[int]] = {}
    for name, _, n_columns in (word.partition(":") for word in words if word.partition(":")[0] in TABLES):
        widths.setdefault(name, []).extend([int(n_columns)] if n_columns else WIDTHS[name])
    search(Searcher(coil(3), Goal((KAnonymity(K),), LM(), 0.05), Silent(), 1.0))  # kernels are compiled
    for seconds in times:
        print(f"{seconds:g} CPU seconds")
        compare(seconds, widths or WIDTHS, limits)


if __name__ == "__main__":
    main(sys.argv[1:])
