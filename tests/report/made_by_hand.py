"""A small release made by hand: ages as ranges, jobs as sets, towns along a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.contracts import CellMetric, Goal, Verdict
from shoal.core.domain import Domain, Kind
from shoal.core.groups import Groups
from shoal.core.hierarchy import Hierarchy
from shoal.core.randomness import Randomness
from shoal.core.recoding import Range, Sets, Tree
from shoal.core.release import Release, publish
from shoal.core.table import QuasiColumn, SensitiveColumn, Table
from shoal.metrics import ALL as METRICS
from shoal.metrics.lm import LM
from shoal.models.k_anonymity import KAnonymity
from shoal.models.l_diversity import LDiversity
from shoal.report.summary import RunFacts, Summary, summarize

SCRIPT = "<script>alert('flu & more')</script>"
CANARY = "zanzibar-canary"
MARKUP = "a..<b>&\"c'"


@dataclass(frozen=True)
class Made:
    """A release and everything an engine would hold about it."""

    release: Release
    frame: pl.DataFrame
    goal: Goal
    verdicts: list[Verdict]

    def summary(self, run: RunFacts | None = None) -> Summary:
        cell_metrics = {name: metric() for name, metric in METRICS.items() if issubclass(metric, CellMetric)}
        return summarize(
            self.release,
            self.frame,
            self.verdicts,
            goal=self.goal,
            run=run or RUN,
            scores={name: metric().score(self.release) for name, metric in METRICS.items()},
            column_losses={name: metric.by_column(self.release) for name, metric in cell_metrics.items()},
        )


RUN = RunFacts(
    algorithm="by-hand",
    reason="because canary-reason",
    parameters={"relaxed": True, "path": "canary-parameter"},
    seconds={"read": 0.0123, "canary-phase": 1.5},
    versions={"shoal": "0.1.0", "python": "canary-version"},
    source="canary-people.csv",
    identifiers=("canary-name",),
)


def domain(name: str, kind: Kind, texts: list[str], codes: np.ndarray, missing: int | None = None) -> Domain:
    points = np.array([float(t) for t in texts]) if kind == "numeric" else np.arange(len(texts), dtype=float)
    counts = np.bincount(codes, minlength=len(texts)).astype(np.int64)
    return Domain(name, kind, tuple(texts), pl.Series(texts), points, counts, missing)


def frame_of(release: Release) -> pl.DataFrame:
    """What a writer would publish: labels and passengers, shuffled."""
    seen = publish(release, Randomness(1))
    labels = {
        column.name: pl.Series([column.recoding.label(cells, c) for c in range(cells.n_distinct)], dtype=pl.String)[
            cells.ids
        ]
        for column, cells in zip(seen.quasi, seen.cells, strict=True)
    }
    return pl.DataFrame(labels).hstack(seen.passengers)


def make(n_rows: int = 613, n_suppressed: int = 20, k: int = 5, size: int = 7, seed: int = 3) -> Made:
    """Rows sorted by town and age, cut into groups of ``size`` rows or a little more; the last rows suppressed.

    Three rows are from the canary's town. They share a group with rows from its neighbour, so the town is never
    published, and they come first, so that the owner of the data sees it in the pairs.
    """
    random = np.random.default_rng(seed)
    ages = np.clip(random.normal(45, 18, n_rows), 0, 95).astype(np.int32)
    towns = np.minimum(random.geometric(0.35, n_rows) - 1, 4).astype(np.int32)
    jobs = random.integers(0, 7, n_rows).astype(np.int32)
    ills = np.minimum(random.geometric(0.3, n_rows) - 1, 7).astype(np.int32)
    towns[:3], ages[:3] = 5, 0
    hierarchy = Hierarchy.from_dict({"north": ["Arbo", "Belm", "Cant"], "south": ["Dorn", "Esk", CANARY]})
    job_texts = [MARKUP, "baker", "clerk", "driver", "editor", "farmer", "(missing)"]
    ill_texts = [SCRIPT, "cold", "gout", "hiv", "mumps", "polio", "rash", "ulcer"]
    age = domain("age", "numeric", [str(a) for a in range(96)], ages)
    job = domain("<i>job</i>", "nominal", job_texts, jobs, missing=6)
    town = domain("town", "nominal", list(hierarchy.leaves), towns)
    table = Table(
        quasi=(QuasiColumn(age, Range(age)), QuasiColumn(job, Sets(job)), QuasiColumn(town, Tree(town, hierarchy))),
        codes=np.array([ages, jobs, towns], np.int32),
        sensitive=(SensitiveColumn(domain("diagnosis", "nominal", ill_texts, ills), ills),),
        passengers=pl.DataFrame({"diagnosis": [ill_texts[i] for i in ills], "visits": random.integers(1, 9, n_rows)}),
        order=("age", "<i>job</i>", "town", "diagnosis", "visits"),
    )
    return judged(table, groups_of(ages, towns, n_suppressed, size, random), k)


def groups_of(ages: np.ndarray, towns: np.ndarray, n_suppressed: int, size: int, random: np.random.Generator) -> Groups:
    """Neighbours by town and age together."""
    order = np.lexsort([random.random(ages.size), ages, -np.minimum(towns, 4)]).astype(np.int32)[
        : ages.size - n_suppressed
    ]
    sizes: list[int] = []
    while sum(sizes) < order.size:
        sizes.append(size + int(random.pareto(1.2) * 3) % 60)
    if (rest := order.size - sum(sizes[:-1])) < size:
        sizes = [*sizes[:-2], sizes[-2] + rest]
    else:
        sizes[-1] = rest
    return Groups(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), order)


def judged(table: Table, groups: Groups, k: int) -> Made:
    release = Release.from_groups(table, groups)
    goal = Goal((KAnonymity(k), LDiversity(2, of="diagnosis")), LM(), 0.05)
    return Made(release, frame_of(release), goal, [promise.check(release) for promise in goal.promises])
