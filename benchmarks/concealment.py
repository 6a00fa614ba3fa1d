"""(1,k), (k,1), (k,k), k-concealment: loss, and beside it the likeliest link.

Usage: python benchmarks/concealment.py [SECTION [NAME …]] [brief] [idle] [--again]
                                        [--plots FOLDER] [--minutes M] [--most S]

Without a section all but ``speed``. Cells that ``results/concealment.csv`` has are not made again, unless ``--again``
says so; new ones are added to it, so that a table can be made in slices: after ``--minutes`` no further cell is begun
(0: only what is saved is shown), and one that takes more than ``--most`` CPU seconds (300) is given up. ``brief`` makes
a few cells of each figure anew and leaves the file alone. With ``idle`` budgets are spent in CPU seconds, as on a
machine that does nothing else.

  adult [K …]          every step and every variant on Adult, 30,162 rows of nine columns, LM (k = 5 and 10)
  bounded [K …]        the last lines of that table alone
  larger [K …]         k = 25, 50, 100 beside agglomerative and forest, LM and entropy
  figures [TABLE …] [K …]   Tassa et al. 2012, figures 5 to 8: forest, agglomerative, k-concealment, LM and entropy
  randomized [K …]     figure 9: with and without randomization, Adult 45,222
  diverse [TABLE …] [K …]   figure 10: with l-diversity, Adult (l = 1.1) and Nursery (l = 2)
  choices              what the order of repairs, the expansion and the shrinking pass are worth, Adult
  blocks [ROWS] [S]    with the bound, 200,000 rows mixed from Adult, k = 10, 120 s: groups, and cells shared in blocks
  speed [CASE …]       seconds and memory where there is a limit; each case in a process of its own

"likeliest" is the largest chance of a link, all complete assignments being equally likely; "above" are the rows that
can be linked with more than 2 / k. Matches are counted by ``matcher.py``, which shares no code with the algorithm or
the models, and must be what the models count. CPU seconds, kernels warm. Needs SHOAL_DATA for all but the artificial
table.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time
from typing import get_args

import numpy as np
import polars as pl

import idle_clock  # noqa: F401 (before shoal)
import tables
from artificial import artificial
from data import resampled
from local_recoding import bits_of
from matcher import matches_of
from plot import plot
from saved import FOLDER, Cell, Saved
from shoal.algorithms import Agglomerative, Clustering, Concealment, Forest
from shoal.algorithms.concealment.bicycles import concealed
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.expansion import greedy
from shoal.algorithms.concealment.expansion import randomized as blurred
from shoal.algorithms.concealment.match_repair import Order, repaired, visiting_order
from shoal.algorithms.concealment.optimal import optimal
from shoal.algorithms.concealment.requirements import Needs
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.algorithms.concealment.shrinking import shrunk
from shoal.core.consistency import consistency_of
from shoal.core.contracts import Algorithm, Goal, Metric, PrivacyModel
from shoal.core.linkage import glimpsed
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.metrics import LM, Entropy
from shoal.models import KK, KAnonymity, KConcealment, LDiversity, LinkageBound
from verdicts import say

SEED = 1
LARGE = 10_000
"""Rows above which a table is large."""

WORK = 1_000_000_000
"""Messages along the edges of a graph for the chances of its links, about ten seconds; at least 50 rounds."""


def budget(table: Table) -> float:
    """Seconds for the cells with a bound, but for those of the table of Adult, which have the default, a minute."""
    return 2.0 if table.n_rows <= LARGE else 10.0


HEAD = (
    "| release | loss | likeliest | above 2/k | matches of rows | of records | CPU s |\n|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Run:
    """How a section is run: which names were asked for, where cells are kept and plots go, and whether it is short."""

    asked: Sequence[str] = ()
    folder: Path | None = None
    saved: Saved = field(default_factory=lambda: Saved(None))
    is_brief: bool = False

    def names(self, known: Sequence[str]) -> list[str]:
        """Those of these that were asked for; all where none was."""
        return [name for name in known if name in self.asked] or list(known)

    def measures(self, table: Table) -> list[str]:
        """LM and entropy, or those asked for; LM alone for large tables where it is to be short."""
        return self.names(("LM",) if self.is_brief and table.n_rows > LARGE else ("LM", "EM"))

    def ks(self, known: Sequence[int]) -> list[int]:
        """The k that were asked for, or these."""
        return [int(word) for word in self.asked if word.isdigit()] or list(known)


def measured(k: int, make: Callable[[], Release], metric: Metric) -> Cell:
    """Make a release, time it, and look at it; its matches are counted twice, by code that shares nothing."""
    wall, cpu = perf_counter(), process_time()
    release = make()
    wall, cpu = perf_counter() - wall, process_time() - cpu
    assert release.truthful().all()
    linkage, graph = glimpsed(release, WORK), consistency_of(release)
    matches = matches_of(release)
    assert matches == tuple(int(numbers.min()) for numbers in graph.matches), "the matchers do not agree"
    return Cell(loss_of(release, metric), linkage.largest, linkage.rows_above(2 / k), *matches, cpu, wall)


def loss_of(release: Release, metric: Metric) -> float:
    """LM, or entropy in bits per cell."""
    if isinstance(metric, LM):
        return LM().score(release)
    return Entropy().score(release) / (release.table.n_rows * release.table.n_quasi)


def ran(algorithm: Algorithm, table: Table, metric: Metric, *promises: PrivacyModel) -> Release:
    """Run an algorithm, and check its promises."""
    release = algorithm.run(table, Goal(promises, metric), Randomness(SEED), Silent())
    assert all(promise.check(release).holds for promise in promises), "a promise is broken"
    return release


Make = Callable[[Table, int, Metric], Release]


def by(algorithm: Algorithm, *promises: PrivacyModel) -> Make:
    """That algorithm with these promises."""
    return lambda table, k, metric: ran(algorithm, table, metric, *promises)


def with_k(algorithm: Algorithm, model: Callable[[int], PrivacyModel], *others: PrivacyModel) -> Make:
    """That algorithm with a promise of k and others."""
    return lambda table, k, metric: ran(algorithm, table, metric, model(k), *others)


def warm() -> None:
    """Compile every kernel."""
    table = artificial(300)
    for k in (2, 5):
        steps = Steps(table, k, LM())
        for name in steps.steps:
            steps.cell(name)
        for algorithm in (Concealment(steps=20), Concealment(linkage=1, randomized=True)):
            ran(algorithm, table, LM(), KConcealment(k))
        for other in (Agglomerative(), Forest("levels"), Clustering(steps=20)):
            ran(other, table, LM(), KAnonymity(k))


# the steps ---------------------------------------------------------------------------------------------------------


def paper(table: Table, k: int, metric: Metric, *, shrink: bool = False, seed: int | None = None) -> Draft:
    """Algorithms 2, 3 and 5 in the order of the table; with a seed 6, 3 and 5 in random orders."""
    field = RowTree.of(table, metric)
    draft, order = greedy(field, k), np.arange(field.n_rows)
    randomness = Randomness(seed)
    if seed is not None:
        draft = blurred(draft, k, 0, randomness)
    draft = repaired(draft, k, order if seed is None else randomness.permutation(field.n_rows).astype(np.int64))
    order = order if seed is None else randomness.permutation(field.n_rows).astype(np.int64)
    draft = concealed(draft, k, 0, order)
    return shrunk(draft, Needs(k, k, k, 1)) if shrink else draft


class Steps:
    """Every step of the family on a table, each made once; a step makes those before it that it needs."""

    def __init__(self, table: Table, k: int, metric: Metric) -> None:
        field, chance = RowTree.of(table, metric), Randomness(SEED)
        self.k, self.metric, self.kept = k, metric, dict[str, Draft]()
        one, both = "(k,1), optimal", "(k,k) from it, costliest row first"
        cycles, two = "k-concealment by 2-cycles from it, cheapest first", "the same with matches of records as well"
        by_cost = lambda name, order: visiting_order(self.made(name), order, chance)  # noqa: E731
        self.steps: dict[str, Callable[[], Draft]] = {
            "(k,1), greedy (Algorithm 2)": lambda: greedy(field, k),
            one: lambda: optimal(field, k)[0],
            both: lambda: repaired(self.made(one), k, by_cost(one, "costliest")),
            "k-concealment, the paper's steps as they are": lambda: paper(table, k, metric),
            "… after shrinking": lambda: paper(table, k, metric, shrink=True),
            cycles: lambda: concealed(self.made(both), k, 0, by_cost(both, "cheapest")),
            f"… {cycles} after shrinking": lambda: shrunk(self.made(cycles), Needs(k, k, k, 1)),
            two: lambda: concealed(self.made(both), k, k, by_cost(both, "cheapest")),
            f"… {two} after shrinking": lambda: shrunk(self.made(two), Needs(k, k, k, k)),
        }
        self.needs = {both: one, cycles: both, two: both}
        self.needs |= {f"… {cycles} after shrinking": cycles, f"… {two} after shrinking": two}

    def made(self, name: str) -> Draft:
        """What a step makes."""
        if name not in self.kept:
            self.kept[name] = self.steps[name]()
        return self.kept[name]

    def cell(self, name: str) -> Cell:
        """What is told of a step; its seconds are its own."""
        if name in self.needs:
            self.made(self.needs[name])
        self.kept.pop(name, None)
        wall, cpu = perf_counter(), process_time()
        draft = self.made(name)
        wall, cpu = perf_counter() - wall, process_time() - cpu
        return replace(measured(self.k, draft.release, self.metric), cpu=cpu, wall=wall)


TARGETS = {5: (0.0301, 0.0306, 0.0495, 0.0480), 10: (0.0431, 0.0440, 0.0800, 0.0725)}
"""The losses that were aimed at: (k,1), (k,k), k-concealment after shrinking, both sides with the bound."""

AIMED = (
    "(k,1), optimal",
    "(k,k) from it, costliest row first",
    "… after shrinking",
    "concealment, k matches on both sides, at most 2/k",
)


def adult(run: Run) -> None:
    """Every step, and the variants with the bound."""
    table = tables.adult()
    for k in run.ks((10,) if run.is_brief else (5, 10)):
        print(f"Adult, 30,162 rows, nine columns, k = {k}, LM\n\n{HEAD}", flush=True)
        steps = Steps(table, k, LM())
        found = {name: _line(run, k, name, partial(steps.cell, name)) for name in steps.steps}
        found |= _bounded_lines(run, table, k)
        _judge_adult(k, found)


def bounded(run: Run) -> None:
    """The last lines of the table alone."""
    for k in run.ks((5, 10)):
        print(f"Adult, 30,162 rows, nine columns, k = {k}, LM\n\n{HEAD}", flush=True)
        _bounded_lines(run, tables.adult(), k)


def _line(
    run: Run, k: int, name: str, make: Callable[[], Cell], section: str = "adult", measure: str = "LM"
) -> Cell | None:
    """One line of a table, printed where there is one."""
    done = run.saved.cell((section, "adult 30,162", measure, k, name), make)
    if done:
        print(f"| {name} | {done} |", flush=True)
    return done


def _bounded_lines(run: Run, table: Table, k: int) -> dict[str, Cell | None]:
    bound, found = LinkageBound(2 / k), {}
    for name, made in (
        ("concealment, k matches on both sides, at most 2/k", by(Concealment(), KConcealment(k), bound)),
        ("best homogeneous groups, 60 s", by(Clustering(budget=60), KAnonymity(k))),
        ("concealment, (k,k), at most 2/k", by(Concealment(), KK(k), bound)),
    ):
        if not (run.is_brief and "(k,k)" in name):
            found[name] = _line(run, k, name, lambda make=made: measured(k, partial(make, table, k, LM()), LM()))
    print()
    return found


def _judge_adult(k: int, found: dict[str, Cell | None]) -> None:
    """The losses that were aimed at, and the release with the bound below the groups of the same run."""
    losses = {name: cell.loss for name, cell in found.items() if cell and cell.loss is not None}
    groups = losses.get("best homogeneous groups, 60 s")
    if groups is None or any(name not in losses for name in AIMED):
        return
    ours = [losses[name] for name in AIMED]
    missed = [f"{name} {ours[i]:.4f}" for i, name in enumerate(AIMED) if round(ours[i], 4) > TARGETS[k][i]]
    missed += [] if ours[-1] < groups else [f"not below groups, {groups:.4f}"]
    told = " / ".join(f"{loss:.4f}" for loss in ours) + f" (equivalence classes {groups:.4f})"
    why = f"{told}, targets {' / '.join(map(str, TARGETS[k]))}" + (f"; missed: {', '.join(missed)}" if missed else "")
    say(
        f"Adult, 30,162 rows, k = {k}: LM of (k,1), (k,k), k-concealment, and with bounded links",
        "differs" if missed else "reproduced",
        why,
    )


LARGER: dict[str, Make] = {
    "forest": lambda table, k, metric: ran(Forest("levels"), table, metric, KAnonymity(k)),
    "agglomerative": lambda table, k, metric: ran(Agglomerative(), table, metric, KAnonymity(k)),
    "k-concealment, no bound": lambda table, k, metric: ran(
        Concealment(linkage=1), table, metric, KConcealment(k, "rows")
    ),
    "k-concealment, no bound, randomized": lambda table, k, metric: ran(
        Concealment(linkage=1, randomized=True), table, metric, KConcealment(k, "rows")
    ),
    "(k,k), at most 2/k": lambda table, k, metric: ran(Concealment(budget=budget(table)), table, metric, KK(k)),
    "k-concealment, both sides, at most 2/k": lambda table, k, metric: ran(
        Concealment(budget=budget(table)), table, metric, KConcealment(k)
    ),
}


def larger(run: Run) -> None:
    """Larger k, beside what makes classes."""
    table = tables.adult()
    for measure in run.names(("LM", "EM")):
        metric = LM() if measure == "LM" else bits_of(table)
        for k in run.ks((25, 50, 100)):
            print(f"Adult, 30,162 rows, nine columns, k = {k}, {measure}\n\n{HEAD}", flush=True)
            for name, made in LARGER.items():
                work = lambda make=made, k=k, metric=metric: measured(k, partial(make, table, k, metric), metric)  # noqa: E731
                _line(run, k, name, work, "larger", measure)
            print()


# figures -----------------------------------------------------------------------------------------------------------

KS = (10, 25, 50, 100)
MADE: dict[str, Callable[[], Table]] = {
    "artificial": artificial,
    "adult": tables.adult_45222,
    "cmc": tables.cmc,
    "nursery": tables.nursery,
}
NUMBERS = {"artificial": 5, "adult": 6, "cmc": 7, "nursery": 8}

LINES: dict[str, Make] = {
    "forest": LARGER["forest"],
    "agglomerative": LARGER["agglomerative"],
    "k-concealment, paper": lambda table, k, metric: paper(table, k, metric).release(),
    "k-concealment, ours": LARGER["k-concealment, no bound"],
    "at most 2/k": LARGER["k-concealment, both sides, at most 2/k"],
}
ORDER = ("k-concealment, paper", "agglomerative", "forest")
"""The curves of figures 5 to 8 from below."""

RANDOM: dict[str, Make] = {
    "agglomerative": LARGER["agglomerative"],
    "ours": LARGER["k-concealment, no bound"],
    "ours, randomized": LARGER["k-concealment, no bound, randomized"],
}


def figures(run: Run) -> None:
    """Each line minimises the measure by which it is drawn; chances of the likeliest link in brackets."""
    for name in run.names(tuple(MADE)):
        table = MADE[name]()
        for measure in run.measures(table):
            title = f"figure {NUMBERS[name]}: {name}, {table.n_rows:,} rows, {table.n_quasi} columns"
            found = _drawn(run, "figures", title, name, measure, table, LINES)
            _judge(f"Tassa et al. 2012, figure {NUMBERS[name]}, {measure}", found, ORDER)


def randomized(run: Run) -> None:
    """Figure 9: what randomization costs."""
    table = tables.adult_45222()
    for measure in run.measures(table):
        found = _drawn(run, "randomized", "figure 9: adult", "randomized", measure, table, RANDOM)
        _judge(f"Tassa et al. 2012, figure 9, {measure}", found, ("ours", "ours, randomized", "agglomerative"))


def diverse(run: Run) -> None:
    """Figure 10: LM with l-diversity."""
    made = {"adult": (_adult_with_class, 1.1), "nursery": (_nursery_with_class, 2.0)}
    for name in run.names(tuple(made)):
        table, l = made[name][0](), made[name][1]  # noqa: E741
        promise = LDiversity(l, "frequency")
        bounded_by = Concealment(budget=budget(table)) if run.is_brief else Concealment()
        lines: dict[str, Make] = {
            "agglomerative": with_k(Agglomerative(), KAnonymity, promise),
            "no bound": with_k(Concealment(linkage=1), KConcealment, promise),
            "at most 2/k": with_k(bounded_by, KConcealment, promise),
        }
        title = f"figure 10: {name}, {table.n_rows:,} rows, l = {l:g}"
        found = _drawn(run, "diverse", title, f"diverse-{name}", "LM", table, lines)
        _judge(f"Tassa et al. 2012, figure 10, {name}", found, ("no bound", "agglomerative"))


Found = dict[int, dict[str, Cell]]


def _drawn(run: Run, section: str, title: str, name: str, measure: str, table: Table, lines: dict[str, Make]) -> Found:
    """Make, print and plot the cells of one figure."""
    metric = LM() if measure == "LM" else bits_of(table)
    print(f"{title}, {measure}\n\n| k | " + " | ".join(lines) + " |\n|---" + "|---" * len(lines) + "|")
    found: Found = {}
    for k in run.ks(_brief_ks(table) if run.is_brief else KS):
        cells: dict[str, Cell | None] = {}
        for line, make in lines.items():
            work = lambda make=make, k=k: measured(k, partial(make, table, k, metric), metric)  # noqa: E731
            cells[line] = run.saved.cell((section, name, measure, k, line), work)
        found[k] = {line: cell for line, cell in cells.items() if cell and cell.loss is not None}
        print(f"| {k} | " + " | ".join(cell.short if cell else "–" for cell in cells.values()) + " |", flush=True)
    print()
    if run.folder and sum(map(bool, found.values())) > 1:
        _plotted(run.folder / f"concealment-{name}-{measure.lower()}.svg", measure, lines, found)
    return found


def _brief_ks(table: Table) -> tuple[int, ...]:
    """Ten alone for large tables."""
    return KS[:1] if table.n_rows > LARGE else KS[:2]


def _plotted(file: Path, measure: str, lines: dict[str, Make], found: Found) -> None:
    axes = ("k", "LM" if measure == "LM" else "EM, bits per cell")
    curves = {}
    for line in lines:
        ks = [k for k in found if line in found[k]]
        curves[line] = (ks, [found[k][line].loss or 0.0 for k in ks])
    plot(file, axes, {line: curve for line, curve in curves.items() if curve[0]})


DIFFERS = {
    "figure 8": "every combination occurs once, ties decide, and our agglomerative clustering tries two orders of them",
}
"""Why the order of the curves is another one."""


def _judge(figure: str, found: Found, order: Sequence[str]) -> None:
    """The paper prints pictures and no numbers, so what can be compared is which curve lies below which."""
    ks = [k for k, cells in found.items() if all(line in cells for line in order)]
    if not ks:
        return
    holds = [k for k in ks if all(_loss(found, k, a) < _loss(found, k, b) for a, b in pairwise(order))]
    others = [k for k in ks if k not in holds]
    told = f"{' < '.join(order)} for {len(holds)} of {len(ks)} k"
    if others:
        why = next((why for name, why in DIFFERS.items() if name in figure), "not explained")
        told += f"; not for k = {', '.join(map(str, others))}: {why}"
    say(figure, "differs" if others else "reproduced", told)


def _loss(found: Found, k: int, line: str) -> float:
    return found[k][line].loss or 0.0


def _adult_with_class() -> Table:
    names = tables.ADULT_EIGHT
    frame = pl.concat([tables.read_csv("adult/adult.csv"), tables.read_csv("adult/adult_test.csv")])
    frame = frame.filter(~pl.any_horizontal(pl.all() == "?"))
    last = frame.columns[-1]
    frame = frame.with_columns(pl.col(last).str.strip_chars(" ."))
    trees = tables.read_trees("adult-arx/hierarchies", names, "adult")
    return encode(frame.select([*names, last]), Schema(tuple(names), sensitive=(last,), hierarchies=trees)).table


def _nursery_with_class() -> Table:
    frame, table = tables.read_csv("nursery/nursery.csv"), tables.nursery()
    trees = {name: tables.Hierarchy.from_dict(groups, name=name) for name, groups in tables.NURSERY.items()}
    names = tuple(column.name for column in table.quasi)
    schema = Schema(names, sensitive=("class",), hierarchies=trees, recodings={"finance": "suppress"})
    return encode(frame, schema).table


def choices(run: Run) -> None:
    """Expansion by order of the repair, before and after shrinking, k = 10."""
    k, table = 10, tables.adult()
    field, chance = RowTree.of(table, LM()), Randomness(SEED)
    print("| expansion | repair | (k,k) | concealed, shrunk |\n|---|---|---|---|")
    for name, start in (("optimal", optimal(field, k)[0]), ("greedy", greedy(field, k))):
        for order in get_args(Order):
            kk = repaired(start, k, visiting_order(start, order, chance))
            done = shrunk(concealed(kk, k, 0, visiting_order(kk, "cheapest", chance)), Needs(k, k, k, 1))
            print(f"| {name} | {order} | {kk.loss:.4f} | {done.loss:.4f} |", flush=True)


# speed -------------------------------------------------------------------------------------------------------------


def _expand() -> object:
    field = RowTree.of(tables.adult(), LM())
    return lambda: optimal(field, 10)


def _grow() -> object:
    field = RowTree.of(tables.adult(), LM())
    return lambda: greedy(field, 10)


def _paper_pipeline() -> object:
    table = tables.adult()
    return lambda: ran(Concealment(linkage=1), table, LM(), KConcealment(10, "rows"))


def _bounded() -> object:
    table = tables.adult()
    return lambda: ran(Concealment(), table, LM(), KConcealment(10))


def _fourteen() -> object:
    frame = pl.concat([tables.read_csv("adult/adult.csv"), tables.read_csv("adult/adult_test.csv")])
    frame = frame.filter(~pl.any_horizontal(pl.all() == "?"))
    names = frame.columns[:14]
    numbers = [name for name in names if frame[name].cast(pl.Float64, strict=False).null_count() == 0]
    trees = tables.read_trees("adult-arx/hierarchies", tables.ADULT_EIGHT, "adult")
    schema = Schema(tuple(names), kinds={n: "numeric" for n in numbers if n not in trees}, hierarchies=trees)
    table = encode(frame.select(names), schema).table
    return lambda: ran(Concealment(linkage=1), table, LM(), KConcealment(10, "rows"))


def _resampled(n_rows: int) -> object:
    frame = resampled(tables.read_csv("adult-arx/adult.csv", ";"), n_rows)
    trees = tables.read_trees("adult-arx/hierarchies", frame.columns, "adult")
    table = encode(frame, Schema(tuple(frame.columns), hierarchies=trees)).table
    return lambda: ran(Concealment(linkage=1), table, LM(), KConcealment(10, "rows"))


CASES: dict[str, tuple[Callable[[], object], str]] = {
    "expand": (_expand, "(k,1) optimal, 30,162 x 9, k = 10: 1 s"),
    "greedy": (_grow, "(k,1) greedy (Algorithm 2), 30,162 x 9, k = 10: 1.5 s"),
    "paper": (_paper_pipeline, "the whole pipeline with shrinking, 30,162 x 9, k = 10: 8 s"),
    "bounded": (_bounded, "at most 2/k, 30,162 x 9, k = 10: the budget, 60 s"),
    "fourteen": (_fourteen, "45,222 x 14, k = 10: 60 s"),
    "hundred": (partial(_resampled, 100_000), "100,000 x 9 as a whole, k = 10"),
    "million": (partial(_resampled, 1_000_000), "1,000,000 x 9 in blocks, k = 10: 300 s and 6 GiB"),
}


def speed(run: Run) -> None:
    """Each case in a process of its own."""
    for name in run.asked or CASES:
        subprocess.run([sys.executable, __file__, "case", name], check=True)


def case(run: Run) -> None:
    """One case: seconds of the clock and of the processors, and the most memory there was."""
    make, wanted = CASES[run.asked[0]]
    work = make()
    wall, cpu = perf_counter(), process_time()
    work()  # type: ignore[operator]
    wall, cpu = perf_counter() - wall, process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{wanted} | {wall:.1f} s, {cpu:.1f} CPU s, {memory:.1f} GiB", flush=True)


def blocks(run: Run) -> None:
    """Groups alone and cells shared in blocks, with the same time for the groups."""
    n_rows, budget = (int(word) for word in (*run.asked, "200000", "120")[:2])
    table, goal = tables.mixed(n_rows), Goal((KConcealment(10),), LM())
    print("| release | LM | likeliest link | seconds |\n|---|---|---|---|")
    for title, algorithm in (
        ("groups", Concealment(budget=budget, shrink=False)),
        ("cells shared in blocks", Concealment(budget=budget)),
    ):
        start = perf_counter()
        release = algorithm.run(table, goal, Randomness(1), Silent())
        spent = perf_counter() - start
        assert all(promise.check(release).holds for promise in (*goal.promises, LinkageBound(0.2)))
        likeliest = glimpsed(release, WORK).largest
        print(f"| {title} | {LM().score(release):.4f} | {likeliest:.2f} | {spent:.0f} |", flush=True)


SECTIONS = {
    made.__name__: made for made in (adult, bounded, larger, figures, randomized, diverse, choices, blocks, speed, case)
}


BRIEF = ("adult", "figures", "randomized", "diverse")
WHOLE = ("adult", "larger", "figures", "randomized", "diverse", "choices")


def main(arguments: list[str]) -> None:
    """Run a section, or all of them."""
    words = [word for word in arguments if word not in ("idle", "brief", "--again")]
    options = {"--plots": "", "--minutes": "1e9", "--most": "300"}
    for name in options:
        if name in words:
            at = words.index(name)
            options[name] = words[at + 1]
            del words[at : at + 2]
    if words and words[0] not in SECTIONS:
        raise SystemExit(__doc__)
    is_brief = "brief" in arguments
    file = None if is_brief else FOLDER / "concealment.csv"
    minutes, most = float(options["--minutes"]), float(options["--most"])
    saved = Saved(file, again="--again" in arguments, minutes=minutes, most=most)
    folder = Path(options["--plots"]) if options["--plots"] else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    sections = words[:1] or (BRIEF if is_brief else WHOLE)
    if minutes > 0 and sections != ["speed"]:
        warm()
    for section in sections:
        SECTIONS[section](Run(words[1:], folder, saved, is_brief))


if __name__ == "__main__":
    main(sys.argv[1:])
