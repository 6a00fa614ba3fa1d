"""The search for hierarchy levels on distinct rows with counts, and the recoding that it comes to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.solution import too_many_rows
from shoal.algorithms.lattice.space import Space
from shoal.core.arrays import Codes
from shoal.core.contracts import Algorithm, Goal, PriceMetric
from shoal.core.node import level_cells
from shoal.core.progress import Progress
from shoal.core.table import CountedTable, QuasiColumn
from shoal.errors import InputError
from shoal.io.labels import distinct_labels
from shoal.models.sensitive import SensitiveModel


@dataclass(frozen=True, eq=False)
class LevelRecoding:
    """One level per column: ``labels[j][leaf]`` is what column ``j`` prints, ``lost`` the codes of suppressed classes.

    ``lost[j, c]`` is the first leaf of a suppressed class's node; ``n_lost`` counts their rows. ``loss`` is the goal's
    metric.
    """

    levels: tuple[int, ...]
    labels: tuple[pl.Series, ...]
    firsts: tuple[Codes, ...]
    lost: Codes
    n_lost: int
    loss: float
    account: str = ""


def find_levels(table: CountedTable, goal: Goal, algorithm: Algorithm, progress: Progress) -> LevelRecoding:
    """The node that loses least, as on the whole table, or the one that the algorithm was asked for.

    Raises:
        InputError: the goal wants to see rows.
        GoalNotMet: no node keeps the promises within the suppression limit.
    """
    _refuse(table, goal, algorithm)
    wanted, account = algorithm.levels_for(table, goal, progress)
    levels = Space.of(table).checked(wanted)
    judge = Judge(table, goal)
    verdict = judge(levels)
    if not verdict.is_feasible:
        raise too_many_rows(judge, verdict)
    node = judge.node(verdict)
    firsts = tuple(c.recoding.nested.low[level] for c, level in zip(table.quasi, levels, strict=True))
    classes = node.class_codes[:, ~verdict.kept]
    lost = np.array([first[codes] for first, codes in zip(firsts, classes, strict=True)], np.int32)
    labels = tuple(_labels(column, level) for column, level in zip(table.quasi, levels, strict=True))
    return LevelRecoding(
        levels, labels, firsts, lost, verdict.n_suppressed, float(goal.metric.node_score(node)), account
    )


def _refuse(table: CountedTable, goal: Goal, algorithm: Algorithm) -> None:
    """Raise an error if the algorithm cannot serve the goal on counts, or no release could."""
    if not algorithm.works_on_counts:
        raise InputError(
            f"With a memory limit and on Spark, levels are searched on counts of distinct rows, and {algorithm.name!r} "
            "needs the rows themselves; use 'lattice'."
        )
    if not isinstance(goal.metric, PriceMetric) or goal.metric.needs_rows:
        raise InputError(f"The metric {goal.metric.name!r} needs all rows in memory; use lm, gcp or precision.")
    for model in goal.group_models:
        by_tallies = (
            isinstance(model, SensitiveModel)
            and model.judges_tallies
            and (len(table.sensitive) < 2 or model.others == "ignore")
        )
        if not (model.is_about_size or by_tallies or (table.people is not None and model.judges_people)):
            raise InputError(f"{model} needs all rows in memory; ask for another promise.")
    algorithm.refuse(table, goal)
    for promise in goal.promises:
        if isinstance(promise, SensitiveModel):
            promise.columns(table)
        else:
            promise.refuse(table)


def _labels(column: QuasiColumn, level: int) -> pl.Series:
    """What each leaf prints on a level; the values themselves where all cells are exact and none looks like a label."""
    nested = column.recoding.nested
    cells = level_cells(column, nested.low[level], nested.high[level], level)
    return distinct_labels(column, cells).gather(cells.ids)
