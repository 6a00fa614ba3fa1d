"""The solution space of a full-domain search: every choice of one level per column."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.algorithms.lattice.exploration import Exploration
from shoal.report.solutions import Solution, Solutions


def exploration_frame(found: Exploration) -> pl.DataFrame:
    """One row per node: its levels, loss and risk, and the rows that violate each model."""
    front = np.zeros(len(found), bool)
    front[found.front()] = True
    failing = {f"failing rows: {name}": found.failing[:, i] for i, name in enumerate(found.promises)}
    return pl.DataFrame(
        {
            **{f"level: {name}": found.levels[:, j] for j, name in enumerate(found.names)},
            "height": found.heights,
            "loss": found.losses,
            "risk": found.risks,
            "classes": found.n_classes,
            "smallest class": found.smallest,
            "suppressed": found.suppressed,
            **failing,
            "feasible": found.is_feasible,
            "minimal": found.is_minimal,
            "on the front": front,
        }
    )


def solutions(found: Exploration, chosen: tuple[int, ...] | None, metric: str) -> Solutions:
    """The solution space for the report."""
    front = set(found.front().tolist())
    nodes = tuple(
        Solution(
            levels=tuple(found.levels[i].tolist()),
            loss=float(found.losses[i]),
            risk=float(found.risks[i]),
            n_suppressed=int(found.suppressed[i]),
            is_feasible=bool(found.is_feasible[i]),
            is_on_front=i in front,
        )
        for i in range(len(found))
    )
    return Solutions(found.names, metric, nodes, found.best, chosen)
