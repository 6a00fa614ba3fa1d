"""The tables of the pattern-guided paper, ours beside theirs, with times. Needs SHOAL_DATA.

Run as ``python benchmarks/pattern_guided.py [greedy] [exact] [search] [mondrian] [two] [scale]``; without words,
everything. Behind each row of the paper it says whether ours is the same to the paper's own rounding, or why not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import verdicts
from pattern_data import NUMBERS, SLIPS, USER, coded, numbers_of, paper_rules, rows_of, table_of
from shoal.algorithms import Mondrian
from shoal.algorithms.patterns import PatternExact
from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.instances import row_bound
from shoal.algorithms.patterns.mask import make_mask
from shoal.algorithms.patterns.pattern_greedy import cover, cover_thriftily
from shoal.algorithms.patterns.pattern_search import moved
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.algorithms.patterns.rules import Rules
from shoal.core.contracts import Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.metrics import LM, Usefulness
from shoal.models import KAnonymity
from support.tally import tally

T = TypeVar("T")
KS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 50, 75, 100)
PLAIN = ((1, "adult"), (2, "adult-2"), (3, "nursery"), (4, "cmc"))


def timed(work: Callable[[], T], repeats: int = 1) -> tuple[T, float, float]:
    """The result, and the least seconds on the clock with those of the processor."""
    best: tuple[T, float, float] | None = None
    for _ in range(repeats):
        wall, cpu = perf_counter(), process_time()
        result = work()
        spent = (result, perf_counter() - wall, process_time() - cpu)
        best = spent if best is None or spent[1] < best[1] else best
    assert best is not None
    return best


def goal_of(k: int) -> Goal:
    return Goal((KAnonymity(k),), LM())


def line(*cells: tuple[object, int, int]) -> None:
    """Cells as (value, width, decimals)."""
    texts = [f"{v:>{w},.{d}f}" if isinstance(v, float | int) else f"{v:>{w}}" for v, w, d in cells]
    print("".join(texts), flush=True)


def verdict(number: int, algorithm: str, pairs: list[tuple[float, float | None]]) -> str:
    """Whether values are the paper's, rounded as coarsely as it rounds them."""
    differing = [(ours, theirs) for ours, theirs in pairs if theirs is not None and not is_same(ours, theirs)]
    if not differing:
        return "as the paper"
    told = ", ".join(f"{ours:,.10g} for {theirs:,.10g}" for ours, theirs in differing)
    is_less = algorithm == "ilp" and all(ours < theirs for ours, theirs in differing)
    return f"{'better' if is_less else 'differs'}, {told}: {SLIPS.get((number, algorithm), 'unexplained')}"


def conclude(table: str, told: list[str]) -> None:
    """The verdict on a whole table."""
    others = sorted({said.partition(": ")[2] for said in told if said != "as the paper"})
    n_same = sum(said == "as the paper" for said in told)
    outcome: verdicts.Outcome = "reproduced"
    if others:
        outcome = "differs" if any(said.startswith("differs") for said in told) else "better"
    verdicts.say(table, outcome, "; ".join([f"{n_same} of {len(told)} rows the same", *others]))


def is_same(ours: float, theirs: float) -> bool:
    """Within one step of the last digit that the paper prints (it cuts some figures instead of rounding them)."""
    digits = len(f"{theirs:.10g}".partition(".")[2])
    step = 10.0**-digits if digits or theirs < 300 else 1.0
    return ours == theirs if float(ours).is_integer() and digits == 0 else abs(ours - theirs) < step


def greedy(data: Table, rules: Rules, k: int) -> Assignment:
    """From a coded table to patterns for its rows."""
    return cover(PatternProblem(data, make_mask(rules, data.quasi)), goal_of(k), Silent())


def warm(table: Table) -> Table:
    """The table with its distinct rows worked out and the kernels compiled, outside the clock."""
    greedy(table, Rules(max_stars=1), 2)
    return table


def greedy_tables() -> None:
    """Tables 1 to 4 and 6 to 8: every number of the greedy beside the paper's."""
    words = ("k", "types", "paper", "average", "paper", "max", "paper", "useful", "paper", "stars", "paper")
    for number, name in (*PLAIN, (6, "nursery"), (7, "cmc"), (8, "adult-2")):
        data = warm(table_of(name, numbers_of(number)))
        rules = paper_rules(number, data)
        print(f"\nTable {number}, {name}: ours and the paper's")
        line(*((word, 9, 0) for word in (*words, "wall s", "CPU s", "paper s")))
        told = []
        for row in rows_of(number, "greedy"):
            found, wall, cpu = timed(partial(greedy, data, rules, int(row["k"])), 3)
            got = tally(found)
            pairs = [(got.row_types, row["row_types"], 0), (got.average_size, row["avg_size"], 2)]
            pairs += [(got.largest_size, row["max_size"], 0), (got.usefulness, row["usefulness"], 3)]
            pairs += [(got.cost, "" if row["suppressions"] is None else row["suppressions"], 0)]
            cells = [(value, 9, decimals) for ours, theirs, decimals in pairs for value in (ours, theirs)]
            said = verdict(number, "greedy", [(ours, theirs or None) for ours, theirs, _ in pairs])
            told.append(said)
            line((row["k"], 9, 0), *cells, (wall, 9, 3), (cpu, 9, 3), (row["seconds"], 9, 3), ("  " + said, 0, 0))
        conclude(f"Bredereck et al. 2013, table {number}, greedy on {name}", told)


def exact_tables() -> None:
    """Tables 6 to 8: the optimum, proven, beside the paper's; and what greedy and search get."""
    words = ("k", "greedy", "search", "closed", "optimum", "paper", "gap", "wall s", "CPU s", "paper s")
    for number, name in ((6, "nursery"), (7, "cmc"), (8, "adult-2")):
        data = warm(table_of(name))
        rules = {6: Rules(), 7: Rules(max_stars=2), 8: USER}[number]
        print(f"\nTable {number}, {name}")
        line(*((word, 9, 0) for word in words))
        told = []
        for row in rows_of(number, "ilp"):
            problem, goal = PatternProblem(data, make_mask(rules, data.quasi)), goal_of(int(row["k"]))
            best, wall, cpu = timed(partial(PatternExact().solve, problem, goal, Randomness(1), Silent()))
            first = cover(problem, goal, Silent())
            room = first.cost - best.assignment.cost
            search = moved(problem, goal, first, Randomness(1), 10) if room else first
            closed = f"{(first.cost - search.cost) / room:.1%}" if room else "-"
            found = [(value, 9, 0) for value in (row["k"], first.cost, search.cost, closed)]
            costs = [(value, 9, 0) for value in (best.assignment.cost, row["suppressions"])]
            times = [(value, 9, 2) for value in (wall, cpu, row["seconds"])]
            said = verdict(number, "ilp", [(best.assignment.cost, row["suppressions"])])
            told.append(said)
            line(*found, *costs, (f"{best.gap:.2%}", 9, 0), *times, ("  " + said, 0, 0))
        conclude(f"Bredereck et al. 2013, table {number}, optima on {name}", told)


def search_tables() -> None:
    """All patterns: what moving rows gains over the greedy, and a bound below which nothing can be."""
    for number, name in PLAIN:
        data = warm(table_of(name))
        problem = PatternProblem(data, make_mask(Rules(), data.quasi))
        print(f"\nTable {number}, {name}, all patterns: stars")
        line(*((word, 10, 0) for word in ("k", "greedy", "thrifty", "search", "bound", "closed", "CPU s")))
        for k in KS:
            first, thrifty = cover(problem, goal_of(k), Silent()), cover_thriftily(problem, k)
            bound, start = row_bound(problem, k), min(first, thrifty, key=lambda one: one.cost)
            search, cpu = start, 0.0
            if start.cost > bound:
                search, _, cpu = timed(partial(moved, problem, goal_of(k), start, Randomness(1), 10))
            closed = (first.cost - search.cost) / (first.cost - bound) if first.cost > bound else 1.0
            costs = [(cost, 10, 0) for cost in (first.cost, thrifty.cost, search.cost, bound)]
            line((k, 10, 0), *costs, (f"{closed:.1%}", 10, 0), (cpu, 10, 2))


def mondrian_tables() -> None:
    """Tables 1 to 4: Mondrian as the paper ran it, and ours on the same rows."""
    for number, name in PLAIN:
        numbers = NUMBERS if name != "cmc" else (*NUMBERS, "wife_age", "num_children")
        data = table_of(name, numbers, recoding=None)
        print(f"\nTable {number}, {name}: Mondrian, ours (strict) and the one that the paper ran")
        line(
            *((word, 10, 0) for word in ("k", "types", "paper", "useful", "paper", "rows", "paper", "CPU s", "paper s"))
        )
        for row in rows_of(number, "mondrian"):
            run = partial(Mondrian().run, data, goal_of(int(row["k"])), Randomness(1), Silent())
            release, _, cpu = timed(run)
            ours = (float(len(release.classes)), Usefulness().score(release), float(data.n_rows))
            theirs = (row["row_types"], row["usefulness"], row["row_types"] * row["avg_size"])
            cells = zip(ours, theirs, (0, 3, 0), strict=True)
            line(
                (row["k"], 10, 0),
                *((v, 10, d) for a, b, d in cells for v in (a, b)),
                (cpu, 10, 3),
                (row["seconds"], 10, 1),
            )


def two() -> None:
    """k = 2: the matchings of Theorem 2 beside the integer program, on rows of CMC and on random ones."""
    rng, cmc = np.random.default_rng(1), table_of("cmc").codes
    print("\nk = 2, all patterns: matchings and the program")
    line(*((word, 10, 0) for word in ("rows", "columns", "matchings", "CPU s", "program", "CPU s")))
    for n in (60, 120, 200):
        both(cmc[:6, rng.permutation(cmc.shape[1])[:n]].T.astype(np.int64))
    for n, columns, values in ((101, 6, 4), (201, 8, 3), (300, 6, 4), (301, 5, 4)):
        both(rng.integers(0, values, (n, columns)))
    print("many ties")
    for seed in range(1, 6):
        both(np.random.default_rng(seed).integers(0, 4, (200, 4)))


def both(rows: npt.NDArray[np.int64]) -> None:
    """One table by both methods."""
    data = coded(pl.DataFrame({f"c{j}": column for j, column in enumerate(rows.T)}))
    problem, found = PatternProblem(data, make_mask(Rules(), data.quasi)), []
    for method in ("matching", "program"):
        solve = PatternExact(method=method, time_limit=100).solve
        best, _, cpu = timed(partial(solve, problem, goal_of(2), Randomness(1), Silent()))
        found += [(f"{best.assignment.cost:,.0f}{'' if best.is_proven else ' ?'}", 10, 0), (cpu, 10, 2)]
    line((rows.shape[0], 10, 0), (rows.shape[1], 10, 0), *found)


def scale() -> None:
    """A million rows of nine columns with all patterns, and thirty columns with at most four stars."""
    rng = np.random.default_rng(1)
    adult = table_of("adult-2")
    draws = {f"c{j}": codes[rng.integers(0, codes.size, 1_000_000)] for j, codes in enumerate(adult.codes)}
    profiles = rng.integers(0, 7, (500, 30))[rng.integers(0, 500, 30_000)]
    noisy = np.where(rng.random(profiles.shape) < 0.05, rng.integers(0, 7, profiles.shape), profiles)
    wide = pl.DataFrame({f"c{j}": noisy[:, j] for j in range(30)})
    print("\nThe greedy on large tables, from the coded table, its distinct rows included")
    line(*((word, 12, 0) for word in ("rows", "columns", "patterns", "k", "stars", "wall s", "CPU s")))
    for frame, rules in ((pl.DataFrame(draws), Rules()), (wide, Rules(max_stars=4))):
        data = coded(frame)
        for k in (2, 10, 100):
            found, wall, cpu = timed(partial(greedy, Table(data.quasi, data.codes), rules, k))
            sizes = (data.n_rows, data.n_quasi, len(found.mask), k, found.cost)
            line(*((float(size), 12, 0) for size in sizes), (wall, 12, 2), (cpu, 12, 2))


PARTS = {
    "greedy": greedy_tables,
    "exact": exact_tables,
    "search": search_tables,
    "mondrian": mondrian_tables,
    "two": two,
    "scale": scale,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
