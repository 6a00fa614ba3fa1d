"""(1,k), (k,1), (k,k), k-concealment: loss, and beside it the likeliest link.

Usage: python benchmarks/concealment.py [SECTION [NAME …]] [--plots FOLDER] [idle]

Without a section all are run. With ``idle`` budgets are spent in CPU seconds, as on a machine that does nothing else.

  adult [K …]          every step and every variant on Adult, 30,162 rows of nine columns, LM (k = 5 and 10)
  bounded [K …]        the last lines of that table alone
  larger [K …]         k = 25, 50, 100 beside agglomerative, forest and clustering, LM and entropy
  figures [TABLE …]    Tassa et al. 2012, figures 5 to 8: forest, agglomerative, k-concealment, LM and entropy
  randomized           figure 9: with and without randomization, Adult 45,222
  diverse [TABLE …]    figure 10: with l-diversity, Adult (l = 1.1) and Nursery (l = 2)
  choices              what the order of repairs, the expansion and the shrinking pass are worth, Adult
  speed [CASE …]       seconds and memory where the issue names a limit; each case in a process of its own

"likeliest" is the largest chance of a link, all complete assignments being equally likely; "above" are the rows that
can be linked with more than 2 / k. Matches are counted by the models' own matcher on the finished release. CPU seconds,
kernels warm. Needs SHOAL_DATA for all but the artificial table.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import polars as pl

import idle_clock  # noqa: F401 (before shoal)
import tables
from artificial import artificial
from data import resampled
from local_recoding import bits_of
from plot import plot
from shoal.algorithms import Agglomerative, Clustering, Concealment, Forest
from shoal.algorithms.concealment.bicycles import concealed
from shoal.algorithms.concealment.draft import Draft
from shoal.algorithms.concealment.field import Field
from shoal.algorithms.concealment.greedy import greedy
from shoal.algorithms.concealment.needs import Needs
from shoal.algorithms.concealment.optimal import optimal
from shoal.algorithms.concealment.randomized import randomized as blurred
from shoal.algorithms.concealment.repair import ORDERS, repaired, visiting_order
from shoal.algorithms.concealment.shrinking import shrunk
from shoal.core.consistency import consistency_of
from shoal.core.contracts import Algorithm, Goal, Metric, PrivacyModel
from shoal.core.linkage import linkage_of
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.metrics import LM, Entropy
from shoal.models import KK, KAnonymity, KConcealment, LDiversity, LinkageBound

SEED, STEPS = 1, 1000


@dataclass(frozen=True)
class Line:
    """What is told of one release."""

    name: str
    loss: float
    likeliest: float
    above: int
    of_rows: int
    of_records: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"| {self.name} | {self.loss:.4f} | {self.likeliest:.3f} | {self.above:,} | {self.of_rows:,} | "
            f"{self.of_records:,} | {self.seconds:.1f} |"
        )


HEAD = (
    "| release | loss | likeliest | above 2/k | matches of rows | of records | CPU s |\n|---|---|---|---|---|---|---|"
)


def measured(name: str, k: int, make: Callable[[], Release], metric: Metric) -> Line:
    """Make a release, time it, and look at it with the models' own matcher."""
    started = process_time()
    release = make()
    seconds = process_time() - started
    assert release.truthful().all()
    linkage, graph = linkage_of(release), consistency_of(release)
    matches = [int(numbers.min()) for numbers in graph.matches]
    return Line(name, loss_of(release, metric), linkage.largest, linkage.rows_above(2 / k), *matches, seconds)


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
        for line in steps(table, k, LM()):
            line()
        for algorithm in (Concealment(steps=20), Concealment(linkage=1, randomized=True)):
            ran(algorithm, table, LM(), KConcealment(k))
        for other in (Agglomerative(), Forest("levels"), Clustering(steps=20)):
            ran(other, table, LM(), KAnonymity(k))


# the steps ---------------------------------------------------------------------------------------------------------


def paper(table: Table, k: int, metric: Metric, *, shrink: bool = False, seed: int | None = None) -> Draft:
    """Algorithms 2, 3 and 5 in the order of the table; with a seed 6, 3 and 5 in random orders."""
    field = Field.of(table, metric)
    draft, order = greedy(field, k), np.arange(field.n_rows)
    randomness = Randomness(seed)
    if seed is not None:
        draft = blurred(draft, k, 0, randomness)
    draft = repaired(draft, k, order if seed is None else randomness.permutation(field.n_rows).astype(np.int64))
    order = order if seed is None else randomness.permutation(field.n_rows).astype(np.int64)
    draft = concealed(draft, k, 0, order)
    return shrunk(draft, Needs(k, k, k, 1)) if shrink else draft


def steps(table: Table, k: int, metric: Metric) -> list[Callable[[], Line]]:
    """Every step of the family on a table."""
    field, chance = Field.of(table, metric), Randomness(SEED)
    kept: dict[str, Draft] = {}

    def step(name: str, make: Callable[[], Draft]) -> Callable[[], Line]:
        def run() -> Line:
            started = process_time()
            kept[name] = make()
            seconds = process_time() - started
            return replace(measured(name, k, kept[name].release, metric), seconds=seconds)

        return run

    one, both = "(k,1), optimal", "(k,k) from it, costliest row first"
    cycles, two = "k-concealment by 2-cycles from it, cheapest first", "the same with matches of records as well"
    return [
        step("(k,1), greedy (Algorithm 2)", lambda: greedy(field, k)),
        step(one, lambda: optimal(field, k)[0]),
        step(both, lambda: repaired(kept[one], k, visiting_order(kept[one], "costliest", chance))),
        step("k-concealment, the paper's steps as they are", lambda: paper(table, k, metric)),
        step("… after shrinking", lambda: paper(table, k, metric, shrink=True)),
        step(cycles, lambda: concealed(kept[both], k, 0, visiting_order(kept[both], "cheapest", chance))),
        step("… after shrinking, ", lambda: shrunk(kept[cycles], Needs(k, k, k, 1))),
        step(two, lambda: concealed(kept[both], k, k, visiting_order(kept[both], "cheapest", chance))),
        step("… after shrinking,  ", lambda: shrunk(kept[two], Needs(k, k, k, k))),
    ]


def adult(asked: Sequence[str], folder: Path | None) -> None:
    """The table of the issue."""
    warm()
    table = tables.adult()
    for k in map(int, asked or ("5", "10")):
        print(f"Adult, 30,162 rows, nine columns, k = {k}, LM\n\n{HEAD}", flush=True)
        for step in steps(table, k, LM()):
            print(step(), flush=True)
        _bounded_lines(table, k)


def bounded(asked: Sequence[str], folder: Path | None) -> None:
    """The last lines of the table alone."""
    warm()
    for k in map(int, asked or ("5", "10")):
        print(f"Adult, 30,162 rows, nine columns, k = {k}, LM\n\n{HEAD}", flush=True)
        _bounded_lines(tables.adult(), k)


def _bounded_lines(table: Table, k: int) -> None:
    bound = LinkageBound(2 / k)
    for name, made in (
        ("concealment, k matches on both sides, at most 2/k", by(Concealment(), KConcealment(k), bound)),
        ("concealment, (k,k), at most 2/k", by(Concealment(), KK(k), bound)),
        ("best homogeneous groups, 60 s", by(Clustering(budget=60), KAnonymity(k))),
    ):
        print(measured(name, k, partial(made, table, k, LM()), LM()), flush=True)
    print()


def larger(asked: Sequence[str], folder: Path | None) -> None:
    """Larger k, beside what makes classes."""
    warm()
    table = tables.adult()
    for measure, metric in (("LM", LM()), ("entropy, bits per cell", bits_of(table))):
        for k in map(int, asked or ("25", "50", "100")):
            print(f"Adult, 30,162 rows, nine columns, k = {k}, {measure}\n\n{HEAD}", flush=True)
            lines = [
                ("forest", by(Forest("levels"), KAnonymity(k))),
                ("agglomerative", by(Agglomerative(), KAnonymity(k))),
                ("k-concealment, no bound", by(Concealment(linkage=1), KConcealment(k, "rows"))),
                ("k-concealment, both sides, at most 2/k", by(Concealment(steps=STEPS), KConcealment(k))),
                ("(k,k), at most 2/k", by(Concealment(steps=STEPS), KK(k))),
                (
                    "k-concealment, no bound, randomized",
                    by(Concealment(linkage=1, randomized=True), KConcealment(k, "rows")),
                ),
            ]
            for name, made in lines:
                print(measured(name, k, partial(made, table, k, metric), metric), flush=True)
            print()


# figures -----------------------------------------------------------------------------------------------------------

KS = (10, 25, 50, 100)
LARGE = 10_000
"""Rows above which the paper's own steps are too slow for large k."""

FIGURES: dict[str, tuple[int, Callable[[], Table], Sequence[int]]] = {
    "artificial": (5, artificial, KS),
    "adult": (6, tables.adult_45222, KS),
    "cmc": (7, tables.cmc, KS),
    "nursery": (8, tables.nursery, KS),
}

LINES: dict[str, Make] = {
    "forest": lambda table, k, metric: ran(Forest("levels"), table, metric, KAnonymity(k)),
    "agglomerative": lambda table, k, metric: ran(Agglomerative(), table, metric, KAnonymity(k)),
    "k-concealment, paper": lambda table, k, metric: paper(table, k, metric).release(),
    "k-concealment, ours": lambda table, k, metric: ran(Concealment(linkage=1), table, metric, KConcealment(k, "rows")),
    "at most 2/k": lambda table, k, metric: ran(Concealment(budget=2), table, metric, KConcealment(k)),
}


def figures(asked: Sequence[str], folder: Path | None) -> None:
    """Each line minimises the measure by which it is drawn; chances of the likeliest link in brackets."""
    warm()
    for name in asked or FIGURES:
        number, make, ks = FIGURES[name]
        table = make()
        for measure in ("LM", "EM"):
            metric = LM() if measure == "LM" else bits_of(table)
            title = f"figure {number}: {name}, {table.n_rows:,} rows, {table.n_quasi} columns"
            _draw(title, f"concealment-{name}-{measure.lower()}", measure, table, ks, metric, LINES, folder)


def _draw(
    title: str, file: str, measure: str, table: Table, ks: Sequence[int], metric: Metric, lines: dict[str, Make],
    folder: Path | None,
) -> None:  # fmt: skip
    print(f"{title}, {measure}\n\n| k | " + " | ".join(lines) + " |\n|---" * 1 + "|---" * len(lines) + "|")
    found: dict[str, list[float]] = {line: [] for line in lines}
    for k in ks:
        told = []
        for line, make in lines.items():
            if line.endswith("paper") and table.n_rows > LARGE and k > KS[1]:
                told.append("–")
                continue
            done = measured(line, k, partial(make, table, k, metric), metric)
            found[line].append(done.loss)
            told.append(f"{done.loss:.4f} ({done.likeliest:.2f})")
        print(f"| {k} | " + " | ".join(told) + " |", flush=True)
    print()
    if folder:
        axes = ("k", "LM" if measure == "LM" else "EM, bits per cell")
        plot(folder / f"{file}.svg", axes, {line: (list(ks)[: len(losses)], losses) for line, losses in found.items()})


def randomized(asked: Sequence[str], folder: Path | None) -> None:
    """Figure 9: what randomization costs."""
    warm()
    table = tables.adult_45222()
    lines = {
        "agglomerative": LINES["agglomerative"],
        "ours": LINES["k-concealment, ours"],
        "ours, randomized": lambda table, k, metric: ran(
            Concealment(linkage=1, randomized=True), table, metric, KConcealment(k, "rows")
        ),
    }
    for measure, metric in (("LM", LM()), ("EM", bits_of(table))):
        _draw("figure 9: adult", f"concealment-randomized-{measure.lower()}", measure, table, KS,
              metric, lines, folder)  # fmt: skip


def diverse(asked: Sequence[str], folder: Path | None) -> None:
    """Figure 10: LM with l-diversity."""
    warm()
    for name, make, l in (("adult", _adult_with_class, 1.1), ("nursery", _nursery_with_class, 2.0)):  # noqa: E741
        if asked and name not in asked:
            continue
        table = make()
        promise = LDiversity(l, "frequency")
        lines: dict[str, Make] = {
            "agglomerative": with_k(Agglomerative(), KAnonymity, promise),
            "no bound": with_k(Concealment(linkage=1), KConcealment, promise),
            "at most 2/k": with_k(Concealment(budget=4), KConcealment, promise),
        }
        title = f"figure 10: {name}, {table.n_rows:,} rows, l = {l:g}"
        _draw(title, f"concealment-diverse-{name}", "LM", table, KS, LM(), lines, folder)


def _adult_with_class() -> Table:
    names = tables.ADULT_EIGHT
    frame = pl.concat([tables._csv("adult/adult.csv"), tables._csv("adult/adult_test.csv")])
    frame = frame.filter(~pl.any_horizontal(pl.all() == "?"))
    last = frame.columns[-1]
    frame = frame.with_columns(pl.col(last).str.strip_chars(" ."))
    trees = tables._trees("adult-arx/hierarchies", names, "adult")
    return encode(frame.select([*names, last]), Schema(tuple(names), sensitive=(last,), hierarchies=trees)).table


def _nursery_with_class() -> Table:
    frame, table = tables._csv("nursery/nursery.csv"), tables.nursery()
    trees = {name: tables.Hierarchy.from_dict(groups, name=name) for name, groups in tables.NURSERY.items()}
    names = tuple(column.name for column in table.quasi)
    schema = Schema(names, sensitive=("class",), hierarchies=trees, recodings={"finance": "suppress"})
    return encode(frame, schema).table


def choices(asked: Sequence[str], folder: Path | None) -> None:
    """Expansion by order of the repair, before and after shrinking, k = 10."""
    warm()
    k, table = 10, tables.adult()
    field, chance = Field.of(table, LM()), Randomness(SEED)
    print("| expansion | repair | (k,k) | concealed, shrunk |\n|---|---|---|---|")
    for name, start in (("optimal", optimal(field, k)[0]), ("greedy", greedy(field, k))):
        for order in ORDERS:
            kk = repaired(start, k, visiting_order(start, order, chance))
            done = shrunk(concealed(kk, k, 0, visiting_order(kk, "cheapest", chance)), Needs(k, k, k, 1))
            print(f"| {name} | {order} | {kk.loss:.4f} | {done.loss:.4f} |", flush=True)


# speed -------------------------------------------------------------------------------------------------------------


def _expand() -> object:
    field = Field.of(tables.adult(), LM())
    return lambda: optimal(field, 10)


def _paper_pipeline() -> object:
    table = tables.adult()
    return lambda: ran(Concealment(linkage=1), table, LM(), KConcealment(10, "rows"))


def _bounded() -> object:
    table = tables.adult()
    return lambda: ran(Concealment(), table, LM(), KConcealment(10))


def _fourteen() -> object:
    frame = pl.concat([tables._csv("adult/adult.csv"), tables._csv("adult/adult_test.csv")])
    frame = frame.filter(~pl.any_horizontal(pl.all() == "?"))
    names = frame.columns[:14]
    numbers = [name for name in names if frame[name].cast(pl.Float64, strict=False).null_count() == 0]
    trees = tables._trees("adult-arx/hierarchies", tables.ADULT_EIGHT, "adult")
    schema = Schema(tuple(names), kinds={n: "numeric" for n in numbers if n not in trees}, hierarchies=trees)
    table = encode(frame.select(names), schema).table
    return lambda: ran(Concealment(linkage=1), table, LM(), KConcealment(10, "rows"))


def _million() -> object:
    frame = resampled(tables._csv("adult-arx/adult.csv", ";"), 1_000_000)
    trees = tables._trees("adult-arx/hierarchies", frame.columns, "adult")
    table = encode(frame, Schema(tuple(frame.columns), hierarchies=trees)).table
    return lambda: ran(Concealment(linkage=1), table, LM(), KConcealment(10, "rows"))


CASES: dict[str, tuple[Callable[[], object], str]] = {
    "expand": (_expand, "(k,1) optimal, 30,162 x 9, k = 10: 1 s"),
    "paper": (_paper_pipeline, "the whole pipeline with shrinking, 30,162 x 9, k = 10: 8 s"),
    "bounded": (_bounded, "at most 2/k, 30,162 x 9, k = 10: the budget, 60 s"),
    "fourteen": (_fourteen, "45,222 x 14, k = 10: 60 s"),
    "million": (_million, "1,000,000 x 9 in blocks, k = 10: 300 s and 6 GiB"),
}


def speed(asked: Sequence[str], folder: Path | None) -> None:
    """Each case in a process of its own."""
    for name in asked or CASES:
        subprocess.run([sys.executable, __file__, "case", name], check=True)


def case(asked: Sequence[str], folder: Path | None) -> None:
    """One case: seconds of the clock and of the processors, and the most memory there was."""
    make, wanted = CASES[asked[0]]
    warm()
    work = make()
    wall, cpu = perf_counter(), process_time()
    work()  # type: ignore[operator]
    wall, cpu = perf_counter() - wall, process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{wanted} | {wall:.1f} s, {cpu:.1f} CPU s, {memory:.1f} GiB", flush=True)


SECTIONS = {
    made.__name__: made for made in (adult, bounded, larger, figures, randomized, diverse, choices, speed, case)
}


def main(arguments: list[str]) -> None:
    """Run a section."""
    folder = None
    arguments = [argument for argument in arguments if argument != "idle"]
    if "--plots" in arguments:
        at = arguments.index("--plots")
        folder = Path(arguments[at + 1])
        del arguments[at : at + 2]
    if arguments and arguments[0] not in SECTIONS:
        raise SystemExit(__doc__)
    for section in arguments[:1] or [name for name in SECTIONS if name not in ("bounded", "case")]:
        SECTIONS[section](arguments[1:], folder)


if __name__ == "__main__":
    main(sys.argv[1:])
