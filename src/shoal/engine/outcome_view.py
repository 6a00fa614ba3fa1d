"""The view of a run within a memory limit: the figures that were computed while its rows were read."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from shoal.engine.backends.contract import Outcome
from shoal.engine.release_findings import AUDIT, ReleaseFinding, date_findings
from shoal.report.figures import counted, figure, listed

IN_PIECES = "The run had a memory limit: its release is on disk, and this was not made of it."

_NOT_ATTACKED = ReleaseFinding(
    AUDIT,
    "No attack was tried: within a memory limit the release is checked, but not attacked.",
    "Attack it under Release, Check a file, or run without a memory limit.",
)


def outcome_figures(outcome: Outcome, release: Path) -> dict[str, Any]:
    """The figures by which runs are compared, and the findings; columns of the file are read one by one."""
    metric = outcome.goal.metric.name
    metric = metric if metric in outcome.losses else next(iter(outcome.losses))
    names = listed([str(verdict.promise) for verdict in outcome.verdicts])
    smallest = outcome.smallest_class or 1
    return {
        "headline": f"{counted(outcome.n_records, 'record')} with {names}, {metric.upper()} "
        f"{figure(outcome.losses[metric])}",
        "algorithm": outcome.algorithm.name,
        "reason": outcome.reason,
        "metric": metric,
        "promises": [str(verdict) for verdict in outcome.verdicts],
        "n_records": outcome.n_records,
        "n_suppressed": outcome.n_rows - outcome.n_records,
        "losses": {name: float(score) for name, score in outcome.losses.items()},
        "smallest": smallest,
        "n_classes": outcome.n_classes or 0,
        "highest_risk": outcome.risks.get("highest", 1 / smallest),
        "average_risk": outcome.risks.get("average", (outcome.n_classes or 0) / max(1, outcome.n_records)),
        "levels": outcome.levels,
        "seconds": sum(outcome.seconds.values()),
        "notes": list(outcome.notes),
        "findings": [asdict(one) for one in [_NOT_ATTACKED, *_dates(release)]],
        "compared": [],
    }


def _dates(release: Path) -> list[ReleaseFinding]:
    rows = pl.scan_csv(release, infer_schema=False)
    columns = (rows.select(name).collect().to_series() for name in rows.collect_schema().names())
    return [found for column in columns for found in date_findings(column.to_frame())]
