"""The whole solution space: every node, judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.space import Levels, Space
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.contracts import Goal
from shoal.core.progress import Progress
from shoal.core.table import Table
from shoal.errors import InputError

_MOST_NODES = 1_000_000


@dataclass(frozen=True, eq=False)
class Exploration:
    """One entry per node of the lattice, ordered by height, then by levels.

    ``levels[node, column]``; ``losses`` by the goal's metric with all failing classes suppressed; ``suppressed`` rows;
    ``is_feasible``: whether they are within the limit; ``failing[node, promise]``: the rows in classes that do not keep
    each promise (0: it holds without suppression); ``n_classes`` and ``smallest``: the number of published classes and
    the size of the smallest (0 if nothing is published).
    """

    names: tuple[str, ...]
    promises: tuple[str, ...]
    levels: Codes
    losses: Floats
    suppressed: Offsets
    is_feasible: Flags
    failing: Offsets
    n_classes: Offsets
    smallest: Offsets

    def __len__(self) -> int:
        return int(self.losses.size)

    @property
    def heights(self) -> Offsets:
        """The sum of the levels of each node."""
        heights: Offsets = self.levels.sum(axis=1, dtype=np.int64)
        return heights

    @property
    def risks(self) -> Floats:
        """The re-identification risk in the smallest class; 0 if nothing is published."""
        risks: Floats = np.divide(1.0, self.smallest, out=np.zeros(len(self)), where=self.smallest > 0)
        return risks

    @property
    def best(self) -> Levels | None:
        """The feasible node with the least loss, the lowest one on ties; None if there is none."""
        feasible = np.flatnonzero(self.is_feasible)
        if not feasible.size:
            return None
        return tuple(self.levels[feasible[self.losses[feasible].argmin()]].tolist())

    @property
    def is_minimal(self) -> Flags:
        """Which nodes are feasible with no feasible node below. O(minimal nodes · nodes · columns)."""
        minimal = np.zeros(len(self), bool)
        is_above = np.zeros(len(self), bool)
        for node in np.flatnonzero(self.is_feasible):
            if not is_above[node]:
                minimal[node] = True
                is_above |= (self.levels >= self.levels[node]).all(axis=1)
        return minimal

    def front(self) -> npt.NDArray[np.intp]:
        """The feasible nodes not dominated by another in loss and risk, ascending by loss."""
        feasible = np.flatnonzero(self.is_feasible)
        order = feasible[np.lexsort([self.risks[feasible], self.losses[feasible]])]
        least = np.minimum.accumulate(np.concatenate([[np.inf], self.risks[order]]))[:-1]
        return order[self.risks[order] < least]


def explore(table: Table, goal: Goal, progress: Progress) -> Exploration:
    """Judge every node, rolling each up from one below it. O(nodes · classes)."""
    space = Space.of(table)
    if space.n_nodes > _MOST_NODES:
        raise InputError(
            f"The lattice has {space.n_nodes:,} nodes, more than the {_MOST_NODES:,} that can be listed; "
            "leave columns or levels out."
        )
    judge = Judge(table, goal)
    progress.stage("exploring the lattice", space.n_nodes)
    figures = {}
    for levels in space.nodes():
        figures[levels] = _figures(judge, levels)
        progress.advance()
    order = sorted(figures, key=lambda levels: (sum(levels), levels))
    losses, suppressed, is_feasible, failing, n_classes, smallest = zip(
        *(figures[levels] for levels in order), strict=True
    )
    return Exploration(
        names=space.names,
        promises=tuple(str(model) for model in (*goal.class_models, *goal.release_models)),
        levels=np.array(order, np.int32),
        losses=np.array(losses),
        suppressed=np.array(suppressed, np.int64),
        is_feasible=np.array(is_feasible),
        failing=np.array(failing, np.int64),
        n_classes=np.array(n_classes, np.int64),
        smallest=np.array(smallest, np.int64),
    )


def _figures(judge: Judge, levels: Levels) -> tuple[float, int, bool, tuple[int, ...], int, int]:
    """The entries of a node in the fields of an ``Exploration`` from ``losses`` on."""
    verdict = judge(levels)
    metric = judge.goal.metric
    kept = verdict.classes.sizes[verdict.kept]
    return (
        metric.node_score(judge.node(verdict, with_rows=metric.needs_rows)),
        verdict.n_suppressed,
        verdict.is_feasible,
        tuple(judge.failing_rows(levels).values()),
        kept.size,
        int(kept.min(initial=judge.table.n_rows)) if kept.size else 0,
    )
