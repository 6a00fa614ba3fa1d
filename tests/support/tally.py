"""The figures of an assignment of rows to patterns that the tables of *Pattern-Guided k-Anonymity* report."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms.patterns.assignment import Assignment
from shoal.core.groups import Groups
from shoal.metrics.usefulness import tuple_diversities


@dataclass(frozen=True)
class Tally:
    """Cost (the number of stars if every weight is 1), and the output row types: number, sizes, usefulness."""

    cost: float
    row_types: int
    average_size: float
    largest_size: int
    usefulness: float


def tally(assignment: Assignment) -> Tally:
    """Count as the paper does: rows without a pattern are one more, starred type, however few they are."""
    classes, left = assignment.classes, assignment.left
    if left.size:
        classes = Groups(np.append(classes.offsets, classes.offsets[-1] + left.size), np.append(classes.members, left))
    return Tally(
        cost=assignment.cost,
        row_types=len(classes),
        average_size=assignment.table.n_rows / max(1, len(classes)),
        largest_size=int(classes.sizes.max(initial=0)),
        usefulness=float(tuple_diversities(assignment.table, classes).mean()),
    )
