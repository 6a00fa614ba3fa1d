"""Figures 9 to 15 of Wong, Mamoulis and Cheung 2010: sections of ``nonhomogeneous.py``.

HR and HS are groups along a Hilbert curve, printed as ranges and as sets; HP are the parts of the paper's figure 8 with
shared cells, NH rings inside them, AT Anatomy's buckets with shared cells. Losses are GCP, seconds are CPU seconds.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time

import numpy as np
import polars as pl

import verdicts
from census import QUASI, census
from hilbert_greedy import diverse_groups
from plot import plot
from shoal.algorithms import Anatomy, Hilbert, Lexicographic, NonHomogeneous
from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import Algorithm, CellMetric, Goal, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.orders import Parting, curve_order, lexicographic_parts
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import QuasiColumn, Table
from shoal.io.encode import encode
from shoal.metrics import GCP
from shoal.models import KAnonymity, LDiversity, UniformMatching

DATA = Path(os.environ.get("SHOAL_DATA", "."))
PARTS = (83.0638, 10.5958, 11.4289, 310.105, 96.0501, 36.5854, 27.2022, 24.8747, 23.1093)
"""Average sizes of the paper's parts for 2, 3, … 10 columns of Adult and k = 10; printed with its figure 13."""


class ByWidth(GCP):
    """GCP with Adult's fnlwgt priced by how far it reaches, as the paper's figures show, not by how many occur."""

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """(Values − 1) / 1,472,420 for fnlwgt."""
        prices = super().price(column, cells)
        n = int(column.domain.occurs.sum())
        return prices * (n - 1) / 1_472_420 if column.name == "fnlwgt" else prices


def coded(frame: pl.DataFrame, names: Sequence[str], recoding: str, sensitive: Sequence[str] = ()) -> Table:
    """All columns as sets, or as ranges along the order of their codes."""
    schema = Schema(
        tuple(names),
        tuple(sensitive),
        recodings=dict.fromkeys(names, recoding),
        orders={name: _in_order(frame[name]) for name in names},
    )
    return encode(frame.select(*names, *sensitive), schema).table


def _in_order(column: pl.Series) -> list[str]:
    values = column.unique().drop_nulls()
    numbers = values.cast(pl.Float64, strict=False)
    return values.gather((values if numbers.null_count() else numbers).arg_sort()).cast(pl.String).to_list()


def run(algorithm: Algorithm, table: Table, promise: PrivacyModel, metric: CellMetric | None = None) -> Release:
    return algorithm.run(table, Goal((promise,), metric or GCP()), Randomness(1), Silent())


def printed_figures(dataset: str, problem: str = "k-anonymity") -> dict[tuple[str, int, int, int], dict[str, str]]:
    """The paper's rows by what is varied, n, d, and k or l."""
    with (DATA / "reference" / "nonhomogeneous.csv").open() as lines:
        return {
            (row["vary"], int(row["n"]), int(row["d"]), int(row["k_or_l"])): row
            for row in csv.DictReader(lines)
            if (row["dataset"], row["problem"]) == (dataset, problem)
        }


def adult(folder: Path | None) -> None:
    """Figures 11 and 13: Adult, 32,561 rows with ? as a value, the first d columns of the file, sets.

    "ours": the finest parts; "published": parts and prices as in the paper's figures. HR and HS are compared with the
    paper by ``local_recoding.py curves``; HS here is ours, for the ratio.
    """
    frame = pl.read_csv(DATA / "datasets" / "adult" / "adult.csv", infer_schema=False)
    printed = printed_figures("adult")
    print("columns in this order:", ", ".join(frame.columns[:10]))
    for vary, cases in (("d", [(d, 10) for d in range(2, 11)]), ("k", [(4, k) for k in range(10, 101, 10)])):
        heads = ["rows/part", "published", "paper", "HP", "published", "paper", "NH", "published", "paper", "HS/NH"]
        print(f"{'d':>3}{'k':>5}" + "".join(f"{head:>11}" for head in heads))
        drawn: dict[str, tuple[list[float], list[float]]] = {}
        for d, k in cases:
            table = coded(frame, frame.columns[:d], "sets")
            sizes = [table.n_rows / len(lexicographic_parts(table, k, way)) for way in ("finest", "published")]
            sizes.append(PARTS[d - 2] if k == 10 else float("nan"))
            line = "".join(f"{size:>11.1f}" for size in sizes)
            for name in ("HP", "NH"):
                found = [_parted(name, table, k, "finest", GCP()), _parted(name, table, k, "published", ByWidth())]
                found.append(float(printed[vary, frame.height, d, k][name]))
                line += "".join(f"{loss:>11.6f}" for loss in found)
                for how, loss in zip((", ours", "", " (paper)"), found, strict=True):
                    xs, ys = drawn.setdefault(name + how, ([], []))
                    xs.append(d if vary == "d" else k)
                    ys.append(loss)
            groups = GCP().score(run(Hilbert(cut_by="ranges"), table, KAnonymity(k)))
            print(f"{d:>3}{k:>5}{line}{groups / drawn['NH, ours'][1][-1]:>11.1f}", flush=True)
        for name in ("HP", "NH"):
            figure = (
                f"Wong et al. 2010, figure {11 if vary == 'd' else 13}: {name} on Adult by {vary}, split as published"
            )
            verdicts.compare(figure, drawn[name][1], drawn[f"{name} (paper)"][1], within=0.1)
        if folder:
            plot(folder / f"nonhomogeneous-{vary}.svg", (vary, "GCP"), drawn)


def _parted(name: str, table: Table, k: int, parting: Parting, price: CellMetric) -> float:
    if name == "NH":
        return price.score(run(NonHomogeneous(parting=parting), table, UniformMatching(k)))
    return price.score(run(Lexicographic(parting), table, KAnonymity(k)))


ELSEWHERE = "the paper's CENSUS table is not available, so only the order is compared, on similar data"


def of_order(figure: str, holds: Sequence[bool]) -> None:
    """The verdict on a figure of which only the order of the curves can be compared."""
    why = f"in {sum(holds)} of {len(holds)} cells; {ELSEWHERE}"
    verdicts.say(f"Wong et al. 2010, {figure}", "reproduced" if all(holds) else "differs", why)


def timed(work: Callable[[], Release]) -> tuple[float, float]:
    """The loss of a release and the CPU seconds it took."""
    start = process_time()
    made = work()
    return GCP().score(made), process_time() - start


def four(frame: pl.DataFrame, names: Sequence[str], k: int, *, stretch: bool = True) -> dict[str, tuple[float, float]]:
    """GCP and CPU seconds of HR, HS, HP and NH; the curve over stretched or over plain ranks."""
    sets, ranges = coded(frame, names, "sets"), coded(frame, names, "range")
    curve = Hilbert(cut_by="ranges", stretch=stretch)
    return {
        "HR": timed(lambda: run(curve, ranges, KAnonymity(k))),
        "HS": timed(lambda: run(curve, sets, KAnonymity(k))),
        "HP": timed(lambda: run(Lexicographic(), sets, KAnonymity(k))),
        "NH": timed(lambda: run(NonHomogeneous(), sets, UniformMatching(k))),
    }


def varied(folder: Path | None) -> None:
    """Figures 9, 10 and 12 on the generated census and, where it is at hand, on the real one (KDD).

    "plain": HS / NH where HS follows a curve over plain ranks.
    """
    path = DATA / "datasets" / "census-kdd" / "census_income_kdd_test.parquet"
    figures = [(9, n, 3, 10) for n in range(100_000, 500_001, 100_000)] + [(10, 100_000, d, 10) for d in range(2, 8)]
    figures += [(12, 100_000, 3, k) for k in (2, 4, 6, 8, 20, 40, 60, 80, 100)]
    printed, whole = printed_figures("census"), census(500_000)
    four(whole.head(1000), QUASI[:2], 2)  # loads the kernels
    heads = "".join(f"{name:>11}" for name in ("HR", "HS", "HP", "NH")) + f"{'HS/NH':>8}{'plain':>8}"
    print(f"{'figure':>6} {'census':<10}{'n':>8}{'d':>3}{'k':>5}{heads}" + "".join(f"{w:>9}" for w in SECONDS))
    least: dict[int, list[bool]] = {9: [], 10: [], 12: []}
    ours, theirs = [], []
    for figure, n, d, k in figures:
        found = _line(figure, "generated", whole.head(n), QUASI[:d], k)
        least[figure].append(found["NH"][0] <= min(found["HS"][0], found["HP"][0]))
        ours.append(found["NH"][1])
        theirs.append(float(printed[{9: "n", 10: "d", 12: "k"}[figure], n, d, k]["seconds_NH"]))
    if path.exists():
        real = pl.read_parquet(path)
        for figure, n, d, k in figures:
            if n == 100_000 and figure > 9:
                found = _line(figure, "KDD", real, KDD[:d], k)
                least[figure].append(found["NH"][0] <= min(found["HS"][0], found["HP"][0]))
    for figure, holds in least.items():
        of_order(f"figure {figure}: NH loses least on CENSUS", holds)
    why = "CPU seconds; theirs in C++ on a PC of 2010"
    verdicts.compare("Wong et al. 2010, figures 9, 10 and 12: seconds of NH", ours, theirs, why)


KDD = ["age", "sex", "education", "marital stat", "race", "class of worker", "country of birth self"]
SECONDS = ("s HR", "s HS", "s HP", "s NH")


def _line(figure: int, name: str, frame: pl.DataFrame, names: Sequence[str], k: int) -> dict[str, tuple[float, float]]:
    """Print one point of a figure."""
    found, plain = four(frame, names, k), four(frame, names, k, stretch=False)
    losses = "".join(f"{loss:>11.6f}" for loss, _ in found.values())
    shares = "".join(f"{each['HS'][0] / found['NH'][0] if found['NH'][0] else 1:>8.1f}" for each in (found, plain))
    seconds = "".join(f"{spent:>9.3f}" for _, spent in found.values())
    print(f"{figure:>6} {name:<10}{frame.height:>8,}{len(names):>3}{k:>5}{losses}{shares}{seconds}", flush=True)
    return found


def diversity(folder: Path | None) -> None:
    """Figures 14 and 15: l-diversity by frequency of occupation, sets.

    NH by named matches, as in the paper, and by printed ones as well, which is the default. "greedy": HS as the paper
    describes it; "joined": our Hilbert runs, joined until diverse.
    """
    frame = census(100_000)
    heads = ("greedy HS", "joined HS", "AT", "NH", "NH printed", "HS/NH", "s HS", "s AT", "s NH")
    print(f"{'figure':>6}{'d':>3}{'l':>4}" + "".join(f"{head:>11}" for head in heads))
    below: dict[int, list[bool]] = {14: [], 15: []}
    for figure, d, level in [(14, d, 5) for d in range(2, 8)] + [(15, 3, level) for level in range(2, 11)]:
        table = coded(frame, QUASI[:d], "sets", ["occupation"])
        named, printed = LDiversity(level, "frequency", matches="named"), LDiversity(level, "frequency")
        made = {
            "greedy": timed(lambda t=table, m=level: _greedy(t, m)),
            "joined": timed(lambda t=table, p=named: run(Hilbert(), t, p)),
            "AT": timed(lambda t=table, p=named: _shared(run(Anatomy(), t, p))),
            "NH": timed(lambda t=table, p=named: run(NonHomogeneous(), t, p)),
            "printed": timed(lambda t=table, p=printed: run(NonHomogeneous(), t, p)),
        }
        losses = "".join(f"{loss:>11.6f}" for loss, _ in made.values())
        least = made["NH"][0]
        ratio = f"{made['greedy'][0] / least:.1f}" if least else "–"
        seconds = "".join(f"{made[name][1]:>11.3f}" for name in ("greedy", "AT", "NH"))
        print(f"{figure:>6}{d:>3}{level:>4}{losses}{ratio:>11}{seconds}", flush=True)
        below[figure].append(least <= min(made[name][0] for name in ("greedy", "joined", "AT")))
    for figure, holds in below.items():
        of_order(f"figure {figure}: NH loses less than HS and AT with l-diversity", holds)


def _greedy(table: Table, level: int) -> Release:
    """HS of section 7.4: rows along the curve, greedily put into groups of ``level`` different values."""
    order = curve_order(table)
    ids = np.empty(table.n_rows, np.int32)
    ids[order] = diverse_groups(table.sensitive[0].codes[order], level)
    return _checked(table, Groups.from_ids(ids, int(ids.max()) + 1), level)


def _checked(table: Table, groups: Groups, level: int) -> Release:
    release = Release.from_groups(table, groups)
    assert LDiversity(level, "frequency").check(release).holds
    return release


def _shared(anatomy: Release) -> Release:
    """AT: the rows of each of Anatomy's buckets with the same cells."""
    assert anatomy.buckets is not None
    return Release.from_groups(anatomy.table, Groups.from_ids(anatomy.buckets, int(anatomy.buckets.max()) + 1))
