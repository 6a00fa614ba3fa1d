"""A quick preview of a job's result, for pages that show it while the user chooses k."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.engine.algorithm_choice import AUTO
from shoal.engine.plan import Request
from shoal.report.before_after import original_labels, published_labels
from shoal.report.risk import RecordRisk

MOST_ROWS = 50_000
"""Larger tables are sampled to this many rows."""

_SHOWN = 6
_SEED = 20


def sample_of(frame: pl.DataFrame) -> pl.DataFrame:
    """All rows, or a sample of them; the same one each time, in the table's order."""
    if frame.height <= MOST_ROWS:
        return frame
    chosen = Randomness(_SEED).permutation(frame.height)[:MOST_ROWS]
    return frame[np.sort(chosen)]


@dataclass(frozen=True)
class Preview:
    """The result of the quick algorithm on a table. Not a release: nothing of it is published.

    ``pairs`` are the cells of a few rows before and after, the same rows each time; None if a row is suppressed.
    """

    metric: str
    loss: float
    highest_risk: float
    n_suppressed: int
    n_rows: int
    n_classes: int
    algorithm: str
    seconds: float
    columns: tuple[str, ...]
    pairs: tuple[tuple[tuple[str, ...], tuple[str, ...] | None], ...]


def preview(request: Request, table: Table) -> Preview:
    """Run the quick algorithm on a coded table, and describe its result.

    Raises:
        InputError: no algorithm can satisfy the privacy models on this table.
        GoalNotMet: no release was found.
    """
    began = perf_counter()
    quick = {"refine": None, "budget": None, "certify": False, "certify_budget": None, "audit": "off"}
    if request.words.levels is None:
        quick |= {"algorithm": AUTO, "quick": True}
    plan = replace(request, words=request.words.model_copy(update=quick)).plan(table)
    release = plan.algorithm.run(table, plan.goal, Randomness(_SEED), Silent())
    risk = RecordRisk.of_groups(table, release.classes) if release.matches is None else None
    chances = [chance for chance in (promise.link_chance for promise in plan.goal.promises) if chance is not None]
    return Preview(
        metric=plan.goal.metric.name,
        loss=float(plan.goal.metric.score(release)),
        highest_risk=risk.highest if risk is not None else min(chances, default=1.0),
        n_suppressed=release.n_suppressed,
        n_rows=table.n_rows,
        n_classes=len(release.classes),
        algorithm=plan.algorithm.name,
        seconds=perf_counter() - began,
        columns=tuple(column.name for column in table.quasi),
        pairs=tuple(_pairs(release)),
    )


def _pairs(release: Release) -> list[tuple[tuple[str, ...], tuple[str, ...] | None]]:
    rows = np.unique(np.linspace(0, release.table.n_rows - 1, _SHOWN).astype(np.int64)).tolist()
    records = [np.flatnonzero(release.owners == row) for row in rows]
    after = [_texts(published_labels(release, int(own[0]))) if own.size else None for own in records]
    return [(_texts(original_labels(release, row)), own) for row, own in zip(rows, after, strict=True)]


def _texts(labels: dict[str, Any]) -> tuple[str, ...]:
    return tuple(map(str, labels.values()))
