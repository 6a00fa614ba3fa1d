"""Local recoding: the papers' figures, every algorithm on every data set, speed, and Adult beside the peers.

Usage: python benchmarks/local_recoding.py [SECTION] [NAME …] [--plots FOLDER] [--csv FILE]

Without a section all but ``show``, ``brief`` and ``small`` (an hour). Sections:

  brief               what has verdicts, some minutes: figures, curves, adult with ten seconds
  small               the table for k = 10 without the cells that take a minute
  figures [TABLE …]   Tassa et al. 2012, figures 5 to 8: agglomerative (three linkages) and forest, LM and entropy
  curves              Wong et al. 2010, HR and HS on Adult beside ``reference/nonhomogeneous.csv``
  table [TABLE …] [ALGORITHM …] [K …]
                      every algorithm, and the default, for k = 2, 5, 10, 25, 100: LM, GCP, CPU seconds; --csv adds the
                      lines to a file
  show FILE [K]       the lines of such a file as tables for the docs; for one k LM alone, in one table
  speed [CASE …]      seconds and memory beside what is aimed at; each case in a process of its own
  blocks [TABLE …]    what rounds of smaller blocks cost against clustering all rows at once
  borders             what rounds of the default blocks cost on 450,000 rows, beside one block
  adult [lm|gcp] [SECONDS …] [idle]
                      mean LM with ARX's hierarchies and GCP with sets, by time budget, beside ARX and the peers; "idle"
                      counts CPU seconds over cores instead of the clock, as on a machine that does nothing else
  budgets [TABLE] [SECONDS …] [idle]
                      what ten seconds, or those named, gain by clustering and by "auto", on mach or a table named
  guarantees          the algorithms with a guarantee on cell suppression

Kernels are warm. Needs SHOAL_DATA for all but the artificial and the generated tables.
"""

from __future__ import annotations

import csv
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, process_time
from typing import ClassVar

import numpy as np
import polars as pl

import idle_clock  # noqa: F401 (first: it may set the clock)
import tables
from artificial import artificial
from census import QUASI
from plot import plot
from shoal.algorithms import (
    Agglomerative,
    Clustering,
    ColumnGeneration,
    Factor,
    Forest,
    Hilbert,
    Lexicographic,
    MeyersonWilliams,
    Mondrian,
    ParkShim,
    PatternGreedy,
)
from shoal.algorithms.clustering import Refined
from shoal.algorithms.clustering.agglomeration import agglomerated
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import Algorithm, CellMetric, Goal, Metric
from shoal.core.groups import Groups
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.recoding import Suppress
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import QuasiColumn, Table
from shoal.engine.algorithm_choice import choose_algorithm
from shoal.errors import InputError
from shoal.io.encode import encode
from shoal.metrics import GCP, LM, Entropy
from shoal.models import KAnonymity
from verdicts import compare, say
from wong_figures import coded, printed_figures

SEED = 1


@dataclass(frozen=True)
class Done:
    """A release, and the seconds it took: on the clock and of all processors."""

    release: Release
    wall: float
    cpu: float


def run(algorithm: Algorithm, table: Table, k: int, metric: Metric | None = None, limit: float = 0.0) -> Done:
    """Run once, and check that the release keeps its promise."""
    goal = Goal((KAnonymity(k),), metric or LM(), limit)
    algorithm.refuse(table, goal)
    table.distinct  # noqa: B018 (the rows are grouped once, not by each algorithm)
    wall, cpu = monotonic(), process_time()
    release = algorithm.run(table, goal, Randomness(SEED), Silent())
    done = Done(release, monotonic() - wall, process_time() - cpu)
    assert KAnonymity(k).check(release).holds
    return done


def warm() -> None:
    """Compile every kernel."""
    table = artificial(200)
    for algorithm in (*METHODS.values(), Factor(), ColumnGeneration()):
        run(replace(algorithm, budget=0.5) if isinstance(algorithm, Clustering) else algorithm, table, 2)


METHODS: dict[str, Algorithm] = {
    "lexicographic": Lexicographic(),
    "mondrian strict": Mondrian(),
    "mondrian relaxed": Mondrian(relaxed=True),
    "hilbert": Hilbert(),
    "forest": Forest(),
    "meyerson-williams": MeyersonWilliams(),
    "park-shim": ParkShim(),
    "agglomerative": Agglomerative(),
    "clustering, 10 s": Clustering(budget=10),
}
"""Every local recoding but ``factor``, which takes 300 rows."""

DEFAULT = "default"
"""What is run where nobody names an algorithm."""

STARTS = ("mondrian strict", "mondrian relaxed", "hilbert", "agglomerative")
"""What the default should lose no more than."""


def method(name: str, data: Table, k: int) -> Algorithm:
    """The algorithm of this name; the default depends on the table and k."""
    return METHODS.get(name) or choose_algorithm("auto", data, Goal((KAnonymity(k),), LM())).algorithm


# figures ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bits(CellMetric):
    """The entropy measure as a price of cells, so that algorithms can minimise it: its share of all bits there are."""

    scale: float

    name: ClassVar[str] = "bits"
    summary: ClassVar[str] = "share of all bits"

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """A cell's bits; the columns of a row together are at most 1."""
        return Entropy().price(column, cells) * self.scale


def bits_of(table: Table) -> Bits:
    """Scaled so that the dearest cells of a row cost as much as its columns weigh."""
    most = [float(Entropy().level_prices(column).max()) for column in table.quasi]
    return Bits(table.n_quasi / sum(most))


LINES: dict[str, Algorithm] = {
    "forest, levels": Forest("levels"),
    "forest": Forest(),
    "closure": Agglomerative("closure"),
    "increase": Agglomerative("increase"),
    "size": Agglomerative("size"),
}
FIGURES: dict[str, tuple[int, Callable[[], Table], Sequence[int]]] = {
    "artificial": (5, artificial, range(10, 101, 10)),
    "adult": (6, tables.adult_45222, (10, 25, 50, 75, 100)),
    "cmc": (7, tables.cmc, range(10, 101, 10)),
    "nursery": (8, tables.nursery, range(10, 101, 10)),
}


def figures(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """LM, and entropy in bits per cell, each minimised by the algorithm that is measured by it."""
    for name in asked or FIGURES:
        number, make, ks = FIGURES[name]
        table = make()
        print(f"figure {number}: {name}, {table.n_rows:,} rows, {table.n_quasi} columns")
        for measure in ("LM", "EM"):
            goal_metric = LM() if measure == "LM" else bits_of(table)
            print(f"{'k':>4}" + "".join(f"{line:>16}" for line in LINES) + f"   {measure}")
            found: dict[str, list[float]] = {line: [] for line in LINES}
            for k in ks:
                for line, algorithm in LINES.items():
                    found[line].append(_measured(measure, run(algorithm, table, k, goal_metric).release))
                print(f"{k:>4}" + "".join(f"{losses[-1]:>16.4f}" for losses in found.values()), flush=True)
            _judge(f"Tassa et al. 2012, figure {number}, {measure}", found)
            if folder:
                drawn = {line: (list(ks), losses) for line, losses in found.items()}
                axes = ("k", "LM" if measure == "LM" else "EM, bits per cell")
                plot(folder / f"local-recoding-{name}-{measure.lower()}.svg", axes, drawn)


def _judge(figure: str, found: dict[str, list[float]]) -> None:
    """The paper prints no numbers: agglomerative below its forest for every k is what can be compared."""
    pairs = list(zip(found["size"], found["forest, levels"], strict=True))
    shares = [1 - size / forest for size, forest in pairs]
    below = f"agglomerative {min(shares):.0%} to {max(shares):.0%} below forest"
    say(figure, "reproduced" if min(shares) > 0 else "differs", below)


def _measured(measure: str, release: Release) -> float:
    if measure == "LM":
        return LM().score(release)
    return Entropy().score(release) / (release.table.n_rows * release.table.n_quasi)


# curves ----------------------------------------------------------------------------------------------------------


def curves(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """HR and HS by GCP, the first d columns of the file; HP and NH are in ``nonhomogeneous.py adult``.

    "ours": the curve over ranks. "grid": fitted to the paper's figures, numbers by value on an axis of 64 steps,
    ranges of numbers priced by their width. "plain": over ranks that are not stretched.
    """
    frame = pl.read_csv(tables.folder() / "adult" / "adult.csv", infer_schema=False)
    printed = printed_figures("adult")
    for vary, cases in (("d", [(d, 10) for d in range(2, 11)]), ("k", [(4, k) for k in range(10, 101, 10)])):
        drawn: dict[str, tuple[list[float], list[float]]] = {}
        head = "".join(f"{name + ' ours':>10}{'plain':>10}{'grid':>10}{'paper':>10}" for name in ("HR", "HS"))
        print(f"{'d':>3}{'k':>5}{head}")
        for d, k in cases:
            found = _curve(frame, frame.columns[:d], k)
            for name in WHY:
                found[f"{name} (paper)"] = float(printed[vary, frame.height, d, k][name])
            print(f"{d:>3}{k:>5}" + "".join(f"{found[column]:>10.6f}" for column in COLUMNS), flush=True)
            for name in ("HR, grid", "HR (paper)", "HS, grid", "HS (paper)", "HR", "HS"):
                xs, ys = drawn.setdefault(name, ([], []))
                xs.append(d if vary == "d" else k)
                ys.append(found[name])
        for name, why in WHY.items():
            figure = f"Wong et al. 2010, figure {11 if vary == 'd' else 13}: {name} on Adult by {vary}"
            compare(figure, drawn[f"{name}, grid"][1], drawn[f"{name} (paper)"][1], why, within=0.1)
        if folder:
            plot(folder / f"local-recoding-curves-{vary}.svg", (vary, "GCP"), drawn)


LAYOUT = "the paper does not describe the layout; ours (numbers by value, 64 steps per axis) was fitted to its figures"
WHY = {
    "HR": LAYOUT,
    "HS": LAYOUT,
}
COLUMNS = ("HR", "HR, plain", "HR, grid", "HR (paper)", "HS", "HS, plain", "HS, grid", "HS (paper)")


def _curve(frame: pl.DataFrame, names: Sequence[str], k: int) -> dict[str, float]:
    """GCP of HR and HS by how the curve is drawn."""
    sets, ranges = coded(frame, names, "sets"), coded(frame, names, "range")
    found = {}
    for name, table in (("HR", ranges), ("HS", sets)):
        for how, stretch in (("", True), (", plain", False)):
            found[name + how] = GCP().score(run(Hilbert("ranges", stretch=stretch), table, k, GCP()).release)
    wide = run(Hilbert(axes="values", bits=6), _numbers(frame, names), k, GCP()).release
    found["HR, grid"] = GCP().score(wide)
    found["HS, grid"] = GCP().score(Release.from_groups(sets, wide.classes))
    return found


def _numbers(frame: pl.DataFrame, names: Sequence[str]) -> Table:
    """Ranges, of numbers by their values and of the others along the alphabet."""
    plain = {name for name in names if frame[name].cast(pl.Float64, strict=False).null_count() == 0}
    orders = {name: sorted(frame[name].unique().to_list()) for name in names if name not in plain}
    recodings = dict.fromkeys(names, "range")
    schema = Schema(tuple(names), kinds=dict.fromkeys(plain, "numeric"), orders=orders, recodings=recodings)
    return encode(frame.select(names), schema).table


# table -----------------------------------------------------------------------------------------------------------

SIZES = (2, 5, 10, 25, 100)
FIELDS = ("table", "algorithm", "k", "lm", "gcp", "cpu", "wall")


def table(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """Every algorithm, minimising LM, on every table; what an algorithm refuses is left out."""
    warm()
    ks = [int(word) for word in asked if word.isdigit()] or SIZES
    methods = [word for word in asked if word in (*METHODS, DEFAULT)] or [*METHODS, DEFAULT]
    for name in [word for word in asked if word in tables.TABLES] or tables.TABLES:
        data = tables.TABLES[name]()
        print(f"{name}: {data.n_rows:,} rows, {data.n_quasi} columns, {data.distinct.firsts.size:,} distinct")
        for way in methods:
            for k in ks:
                try:
                    done = run(method(way, data, k), data, k)
                except InputError as refused:
                    print(f"  {way:<20}{refused}")
                    break
                lm, gcp = LM().score(done.release), GCP().score(done.release)
                print(f"  {way:<20}{k:>4}{lm:>9.4f}{gcp:>9.4f}{done.cpu:>9.2f}{done.wall:>9.2f}", flush=True)
                if file:
                    _append(file, (name, way, k, f"{lm:.6f}", f"{gcp:.6f}", f"{done.cpu:.3f}", f"{done.wall:.3f}"))


def _append(file: Path, line: Sequence[object]) -> None:
    """Add a line, and the names of the columns before the first."""
    is_new = not file.exists()
    with file.open("a", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerows([FIELDS, line] if is_new else [line])


def show(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """LM / GCP and CPU seconds by table, algorithm and k, of the last run of each; or LM for one k; and the default."""
    with Path(asked[0]).open(encoding="utf-8") as lines:
        found = {(row["table"], row["algorithm"], int(row["k"])): row for row in csv.DictReader(lines)}
    names = [name for name in tables.TABLES if any(key[0] == name for key in found)]
    if len(asked) > 1:
        ways = (*METHODS, DEFAULT)
        print(_grid(["", *names], [(m, [_lm(found.get((n, m, int(asked[1])))) for n in names]) for m in ways]))
        return
    for name in names:
        lines_of = [(m, [_whole(found.get((name, m, k))) for k in SIZES]) for m in (*METHODS, DEFAULT)]
        print(f"\n## {name}\n\n" + _grid(["", *(f"k = {k}" for k in SIZES)], lines_of))
    _beside_starts(found)


def _beside_starts(found: Mapping[tuple[str, str, int], Mapping[str, str]]) -> None:
    """Where the default loses more than the best of Mondrian, the curve and agglomerative clustering."""
    above, n_cells = [], 0
    for (name, way, k), row in found.items():
        if way == DEFAULT:
            n_cells += 1
            ours, least = float(row["lm"]), min(float(found[name, start, k]["lm"]) for start in STARTS)
            above += [f"{name}, k = {k}: {ours:.4f} for {least:.4f}"] if round(ours, 4) > round(least, 4) else []
    said = f"{n_cells} cells; above in {len(above)}" + "".join(f"; {cell}" for cell in above)
    say("default beside Mondrian, Hilbert and agglomerative, LM", "differs" if above else "better", said)


def _lm(row: dict[str, str] | None) -> str:
    return f"{float(row['lm']):.4f}" if row else "–"


def _whole(row: dict[str, str] | None) -> str:
    return f"{float(row['lm']):.4f} / {float(row['gcp']):.4f} ({float(row['cpu']):.1f})" if row else "–"


def _grid(head: Sequence[str], lines: Sequence[tuple[str, Sequence[str]]]) -> str:
    """A table in Markdown; lines without a figure are left out."""
    shown = [[name, *cells] for name, cells in lines if any(cell != "–" for cell in cells)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *shown])


# speed -----------------------------------------------------------------------------------------------------------


def _hilbert() -> tuple[Algorithm, Table, int]:
    return Hilbert(), coded(tables.census(500_000), QUASI, "range"), 10


def _hilbert_sets() -> tuple[Algorithm, Table, int]:
    return Hilbert(), coded(tables.census(500_000), QUASI, "sets"), 10


def _lexicographic() -> tuple[Algorithm, Table, int]:
    return Lexicographic(), coded(tables.census(500_000), QUASI, "sets"), 10


def _forest() -> tuple[Algorithm, Table, int]:
    return Forest(), tables.adult(), 10


def _agglomerative() -> tuple[Algorithm, Table, int]:
    return Agglomerative(), tables.adult(), 10


def _million(rows: int = 1_000_000) -> Table:
    return tables.generated(rows, [*QUASI, "occupation", "salary"])


def _default() -> tuple[Algorithm, Table, int]:
    table = _million()
    return choose_algorithm("auto", table, Goal((KAnonymity(10),), LM())).algorithm, table, 10


def _agglomerative_million() -> tuple[Algorithm, Table, int]:
    return Agglomerative(), _million(), 10


def _suppressing() -> tuple[Algorithm, Table, int]:
    return Refined(Mondrian(relaxed=True)), tables.TABLES["census"](), 10


CASES: dict[str, tuple[str, Callable[[], tuple[Algorithm, Table, int]]]] = {
    "hilbert": ("500,000 × 7, ranges (aim 3 s)", _hilbert),
    "hilbert-sets": ("500,000 × 7, sets (aim 3 s)", _hilbert_sets),
    "lexicographic": ("500,000 × 7, sets", _lexicographic),
    "forest": ("Adult 30,162 × 9", _forest),
    "agglomerative": ("Adult 30,162 × 9 (aim 3 s)", _agglomerative),
    "default": ("1,000,000 × 9, auto (aim 60 s)", _default),
    "agglomerative-million": ("1,000,000 × 9", _agglomerative_million),
    "suppressing": ("200,000 × 7, up to 2% left out (aim 10 s)", _suppressing),
}
LIMITS = {"suppressing": 0.02}
"""The share of rows that may be suppressed, where any may."""


def speed(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """The best of three runs (one where a run takes long); memory at its highest, and what the table needed before."""
    if len(asked) != 1:
        for name in asked or CASES:
            subprocess.run([sys.executable, __file__, "speed", name], check=True)
        return
    said, make = CASES[asked[0]]
    algorithm, table, k = make()
    small = replace(algorithm, budget=0.5) if isinstance(algorithm, Clustering) else algorithm
    limit = LIMITS.get(asked[0], 0.0)
    run(small, artificial(500), k, limit=limit)
    before = _peak()
    done = [run(algorithm, table, k, limit=limit)]
    while len(done) < 3 and done[0].wall < 20:
        done.append(run(algorithm, table, k, limit=limit))
    wall, cpu = min(d.wall for d in done), min(d.cpu for d in done)
    print(
        f"{asked[0]:<22}{said:<44}k = {k}: {wall:.2f} s, {cpu:.2f} CPU s, LM {LM().score(done[0].release):.4f}, "
        f"peak {_peak():,.0f} MiB ({before:,.0f} before); {algorithm}",
        flush=True,
    )


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def blocks(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """Agglomerative clusters of the same rows in one block and in rounds of smaller ones."""
    print(f"{'table':<12}{'k':>4}{'block':>9}{'loss':>9}{'above':>8}{'CPU s':>8}")
    for name in asked or ("kdd", "census", "mach"):
        data = tables.TABLES[name]()
        coding = Coding.of(data, LM())
        for k in (5, 10, 25):
            whole = 0
            for block in (10**9, 20_000, 2_500, 1_000):
                cpu = process_time()
                groups = agglomerated(coding, k, "size", Randomness(SEED), Silent(), block=block)
                spent, cost = process_time() - cpu, coding.cost(groups)
                whole = whole or cost
                loss = LM().score(Release.from_groups(data, groups))
                label = "one" if block == 10**9 else f"{block:,}"
                print(f"{name:<12}{k:>4}{label:>9}{loss:>9.4f}{cost / whole - 1:>+8.1%}{spent:>8.2f}", flush=True)


def borders(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """What rounds of the default blocks cost on a table that needs them."""
    data = tables.mixed()
    coding = Coding.of(data, LM())
    ways: dict[str, Callable[[], Groups]] = {
        "one block": lambda: agglomerated(coding, 10, "size", Randomness(1), Silent(), block=10**9),
        "rounds of blocks": lambda: agglomerated(coding, 10, "size", Randomness(1), Silent()),
    }
    print(f"{data.n_rows:,} rows, {coding.cells.shape[1]:,} distinct, k = 10")
    for way, make in ways.items():
        cpu = process_time()
        groups = make()
        loss, spent = LM().score(Release.from_groups(data, groups)), process_time() - cpu
        print(f"{way:<20}{loss:>9.5f}{spent:>8.1f} CPU s", flush=True)


# adult -----------------------------------------------------------------------------------------------------------

ARX = {5: 0.0591, 10: 0.0830}
PEER = {5: 0.029, 10: 0.050}
AIMS = {
    ("lm", "10 s"): (0.0515, 0.0775),
    ("lm", "60 s"): (0.0495, 0.0750),
    ("gcp", "10 s"): (0.026, 0.045),
}
"""What is aimed at for k = 5 and 10."""


def adult(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """By time budget; LM with hierarchies, GCP with age as ranges and the rest as sets."""
    warm()
    budgets = [float(word) for word in asked if word.replace(".", "").isdigit()] or [10.0, 60.0]
    cases: dict[str, tuple[str, Callable[[], Table], Metric, dict[int, float]]] = {
        "lm": ("LM, 9 columns, ARX's hierarchies (ARX: ", tables.adult, LM(), ARX),
        "gcp": ("GCP, 8 columns, sets (best Python peer: ", tables.adult_sets, GCP(), PEER),
    }
    for case in [word for word in asked if word in cases] or cases:
        said, make, metric, theirs = cases[case]
        data, found = make(), dict[str, list[float]]()
        for k, other in theirs.items():
            goal = Goal((KAnonymity(k),), metric)
            ways: dict[str, Algorithm] = {Agglomerative.name: Agglomerative()}
            ways |= {f"{each:g} s": choose_algorithm("auto", data, goal, each).algorithm for each in budgets}
            for how, algorithm in ways.items():
                done = run(algorithm, data, k, metric)
                found.setdefault(how, []).append(metric.score(done.release))
                print(
                    f"k = {k:<3}{how:<15}{metric.score(done.release):.4f}  {said}{other}){done.wall:>8.1f} s"
                    f"{done.cpu:>8.1f} CPU s",
                    flush=True,
                )
        _against(case, found, list(theirs.values()))


def _against(case: str, found: dict[str, list[float]], theirs: Sequence[float]) -> None:
    """Verdicts: beside the others' best for k = 5 and 10, and beside what is aimed at."""
    whose = "ARX's best local recoding, Adult, LM" if case == "lm" else "best Python tool, Adult, GCP with sets"
    for how, ours in found.items():
        if how == Agglomerative.name:
            continue
        compare(f"{whose}, against auto in {how}", ours, theirs)
        if (case, how) in AIMS:
            reached = all(our <= aim for our, aim in zip(ours, AIMS[case, how], strict=True))
            figures = "; ".join(f"{our:.4f} (target {aim})" for our, aim in zip(ours, AIMS[case, how], strict=True))
            say(f"target for Adult, {case.upper()}, k = 5 and 10, {how}", "better" if reached else "differs", figures)


def budgets(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """LM by seconds given and k: clustering, which may have to work in rounds of blocks, and "auto"."""
    warm()
    name = next((word for word in asked if word in tables.TABLES), "mach")
    data = tables.TABLES[name]()
    for seconds in [float(word) for word in asked if word.replace(".", "").isdigit()] or [10.0]:
        for k in SIZES:
            chosen = choose_algorithm("auto", data, Goal((KAnonymity(k),), LM()), seconds).algorithm
            for way, algorithm in (("clustering", Clustering(budget=seconds)), ("auto", chosen)):
                done = run(algorithm, data, k)
                loss = LM().score(done.release)
                print(f"{name}, k = {k}, {seconds:g} s, {way}: LM {loss:.4f}  {done.cpu:.1f} CPU s", flush=True)


# guarantees ------------------------------------------------------------------------------------------------------


def starred(data: Table, n_rows: int | None = None) -> Table:
    """The same rows, or the first of a shuffle, with cells that are kept or starred."""
    rows = np.random.default_rng(SEED).permutation(data.n_rows)[:n_rows]
    quasi = tuple(replace(column, recoding=Suppress(column.domain)) for column in data.quasi)
    return replace(
        data, quasi=quasi, codes=np.ascontiguousarray(data.codes[:, np.sort(rows)]), passengers=pl.DataFrame()
    )


def guarantees(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """The share of cells that are starred, and CPU seconds."""
    warm()
    ways: dict[str, Algorithm] = {
        "factor": Factor(),
        "park-shim": ParkShim(),
        "meyerson-williams": MeyersonWilliams(),
        "forest": Forest(),
        "agglomerative": Agglomerative(),
        "patterns": PatternGreedy(),
    }
    small = starred(tables.nursery(), 300)
    for name, data in (
        ("nursery, 300 rows", small),
        ("cmc", starred(tables.cmc())),
        ("adult", starred(tables.adult())),
    ):
        for k in (2, 3, 10):
            print(f"{name}, k = {k}: " + "; ".join(_said(way, algorithm, data, k) for way, algorithm in ways.items()))


def _said(way: str, algorithm: Algorithm, data: Table, k: int) -> str:
    try:
        done = run(algorithm, data, k)
    except InputError:
        return f"{way} –"
    return f"{way} {LM().score(done.release):.4f} ({done.cpu:.2f} s)"


SLOW = {("mach", "forest"), ("mach", "agglomerative")}
"""Cells of the table that take a minute each."""


def brief(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """What has verdicts."""
    figures((), folder, file)
    curves((), folder, file)
    adult(("10",), folder, file)


def small(asked: Sequence[str], folder: Path | None, file: Path | None) -> None:
    """The table for one k."""
    for name in tables.TABLES:
        table((name, "10", *(way for way in METHODS if (name, way) not in SLOW)), folder, file)


SECTIONS: dict[str, Callable[[Sequence[str], Path | None, Path | None], None]] = {
    "brief": brief,
    "small": small,
    "figures": figures,
    "curves": curves,
    "table": table,
    "show": show,
    "speed": speed,
    "blocks": blocks,
    "borders": borders,
    "adult": adult,
    "budgets": budgets,
    "guarantees": guarantees,
}


def main(arguments: list[str]) -> None:
    options: dict[str, Path | None] = {"--plots": None, "--csv": None}
    for option in options:
        if option in arguments:
            at = arguments.index(option)
            options[option] = Path(arguments[at + 1])
            del arguments[at : at + 2]
    if arguments and arguments[0] not in SECTIONS:
        sys.exit(__doc__)
    for section in arguments[:1] or [name for name in SECTIONS if name not in ("show", "brief", "small")]:
        SECTIONS[section](arguments[1:], options["--plots"], options["--csv"])


if __name__ == "__main__":
    main(sys.argv[1:])
