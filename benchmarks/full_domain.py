"""Full-domain searches on Adult and on 1.2 million generated rows: optimum, nodes checked, seconds, memory.

``python benchmarks/full_domain.py [adult] [diverse] [big] [others]``; without arguments all of it. Needs
SHOAL_DATA for the hierarchies. Kernels are warm; seconds are of the search alone, CPU and wall, the best of three
(one for the big tables). ARX's are CPU seconds on a like machine, from ``reference/peers.md``.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import polars as pl

import verdicts
from shoal.algorithms.lattice import KOptimize, Lattice, Samarati
from shoal.algorithms.lattice.class_rollup import ClassRollup
from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.incognito import minimal_nodes
from shoal.algorithms.lattice.space import Space
from shoal.core.contracts import Goal, GroupModel, Metric
from shoal.core.hierarchy import Hierarchy
from shoal.core.progress import Silent
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.metrics import DM, LM, LMGeometric
from shoal.models import KAnonymity, LDiversity, TCloseness

K = KAnonymity
ARX = {(2, 0.0): 0.07, (5, 0.0): 0.05, (5, 0.05): 1.38, (10, 0.05): 1.75, (5, 1.0): 5.29, (100, 1.0): 7.08}
"""CPU seconds by k and suppression limit."""


def data() -> Path:
    folder = os.environ.get("SHOAL_DATA")
    if not folder:
        sys.exit("Set SHOAL_DATA to the folder that holds datasets/.")
    return Path(folder, "datasets")


def hierarchy(path: Path, name: str) -> Hierarchy:
    return Hierarchy.from_rows([line.split(";") for line in path.read_text().splitlines()], name)


@cache
def adult(sensitive: str | None = None) -> Table:
    """30,162 rows with ARX's hierarchies: nine quasi-identifiers, or eight and a sensitive column."""
    frame = pl.read_csv(data() / "adult-arx" / "adult.csv", separator=";", infer_schema=False)
    folder = data() / "adult-arx" / "hierarchies"
    trees = {name: hierarchy(folder / f"adult_hierarchy_{name}.csv", name) for name in frame.columns}
    quasi = tuple(name for name in frame.columns if name != sensitive)
    return encode(frame, Schema(quasi, sensitive=(sensitive,) if sensitive else (), hierarchies=trees)).table


def generated(n_rows: int, seed: int = 1) -> Table:
    """Rows drawn independently, column by column, from the values of IHIS's hierarchies, frequencies like 1 / rank."""
    rng, columns, trees = np.random.default_rng(seed), {}, {}
    for name in ("YEAR", "QUARTER", "REGION", "PERNUM", "AGE", "MARSTAT", "SEX", "RACEA", "EDUC"):
        trees[name] = hierarchy(data() / "arx" / "ihis_int" / "hierarchies" / f"ihis_int_hierarchy_{name}.csv", name)
        leaves = np.array(trees[name].leaves)
        shares = rng.permutation(1 / np.arange(1, leaves.size + 1))
        columns[name] = leaves[rng.choice(leaves.size, n_rows, p=shares / shares.sum())]
    return encode(pl.DataFrame(columns), Schema(tuple(columns), hierarchies=trees)).table


def timed(table: Table, goal: Goal, algorithm: Lattice, repeats: int = 3) -> tuple[float, str]:
    """Search, and say how many CPU seconds it took and what was found."""
    table.distinct  # noqa: B018 (the rows are grouped once, not by each search)
    spent = []
    for _ in range(repeats):
        cpu, wall = process_time(), perf_counter()
        found = algorithm.search(table, goal)
        spent.append((process_time() - cpu, perf_counter() - wall))
    cpu, wall = min(spent)
    sure = "" if found.is_optimal else f", at least {found.lower_bound:.4f}"
    return cpu, (
        f"{cpu:7.3f} CPU s {wall:7.3f} s  loss {found.score:.4f}{sure}  levels {'/'.join(map(str, found.levels))}  "
        f"suppressed {found.n_suppressed:,}  checked {found.n_checked:,} of {found.n_nodes:,}  peak {peak():,.0f} MiB"
    )


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_adult() -> None:
    print("Adult, 9 quasi-identifiers, LM by geometric mean")
    ours = []
    for (k, limit), theirs in ARX.items():
        cpu, said = timed(adult(), Goal((K(k),), LMGeometric(), limit), Lattice())
        ours.append(cpu)
        print(f"  k = {k:<4}{limit:>5.0%}  {said}  (ARX {theirs} CPU s)", flush=True)
    verdicts.compare(
        "ARX's seconds for the optimum on Adult, 9 columns", ours, [*ARX.values()], "theirs on a similar machine"
    )


def run_diverse() -> None:
    print("Adult, 8 quasi-identifiers, occupation sensitive, k = 5, 5 %")
    more: Sequence[tuple[GroupModel, ...]] = (
        (),
        (LDiversity(5),),
        (LDiversity(5, "recursive", 4),),
        (TCloseness(0.2),),
        (TCloseness(0.2, "ordered"),),
        (TCloseness(0.2, "hierarchical"),),
    )
    for models in more:
        goal = Goal((K(5), *models), LMGeometric(), 0.05)
        said = " and ".join(map(str, goal.promises))
        print(f"  {said:<52}{timed(adult('occupation'), goal, Lattice())[1]}", flush=True)


def run_big() -> None:
    table = generated(1_200_000)
    print(f"1,200,000 generated rows, 9 columns, {table.distinct.firsts.size:,} distinct, k = 5")
    for limit in (0.0, 0.05):
        print(f"  {limit:>5.0%}  {timed(table, Goal((K(5),), LMGeometric(), limit), Lattice(), 1)[1]}", flush=True)


def run_others() -> None:
    print("The chapter's algorithms on Adult, 9 quasi-identifiers, CPU s")
    for k, limit in ((5, 0.0), (5, 0.05)):
        goal = Goal((K(k),), LMGeometric(), limit)
        cpu = process_time()
        node = Samarati().search(adult(), goal)
        print(
            f"  samarati   k = {k} {limit:>4.0%} {process_time() - cpu:7.2f}  height {node.absolute_distance}",
            flush=True,
        )
        cpu = process_time()
        nodes = minimal_nodes(Judge(adult(), goal, ClassRollup(adult())), Silent())
        print(
            f"  incognito  k = {k} {limit:>4.0%} {process_time() - cpu:7.2f}  {len(nodes):,} minimal nodes", flush=True
        )
    metrics: tuple[Metric, ...] = (DM(), LM())
    for metric in metrics:
        goal = Goal((K(50),), metric, 1.0)
        cpu = process_time()
        found = KOptimize(max_sets=200).search(adult(), goal)
        node_score = Lattice().search(adult(), goal).score
        print(
            f"  k-optimize k = 50 {metric.name}: {process_time() - cpu:.2f}  {found.score:,.6g} where no recoding has "
            f"less than {found.lower_bound:,.6g} (one level per column: {node_score:,.6g})",
            flush=True,
        )


def main(wanted: Sequence[str]) -> None:
    parts = {"adult": run_adult, "diverse": run_diverse, "big": run_big, "others": run_others}
    print(f"lattice of {Space.of(adult()).n_nodes:,} nodes")
    Lattice().search(adult(), Goal((K(2),), LMGeometric(), 0.05))
    for name in wanted or parts:
        parts[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
