"""Verdicts from the consistency graph: one measure per row and record, reported per class."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.consistency import Consistency
from shoal.core.contracts import Verdict
from shoal.core.release import Release


def by_record(graph: Consistency, of_types: Floats | None, of_shapes: Floats | None) -> Floats:
    """For each record the smaller of its owner's measure and its own; sides that are None are ignored."""
    sides = [] if of_types is None else [of_types[graph.type_of]]
    sides += [] if of_shapes is None else [of_shapes[graph.shape_of]]
    smaller: Floats = np.min(np.array(sides, np.float64), axis=0)
    return smaller


def verdict(promise: str, release: Release, measures: Floats, wanted: float, *, sign: float = 1.0) -> Verdict:
    """Judge a release by one measure per record, at least ``wanted``; measures are reported times ``sign``.

    A class fails if one of its records, or the owner of one, fails.
    """
    of_rows = np.full(release.table.n_rows, np.inf)
    of_rows[release.owners] = measures
    classes = release.classes
    worst = np.minimum.reduceat(of_rows[classes.members], classes.offsets[:-1]) if len(classes) else np.empty(0)
    failing = worst < wanted
    order = np.argsort(worst, kind="stable")[:10]
    return Verdict(
        promise=promise,
        holds=not failing.any(),
        wanted=sign * wanted,
        achieved=float(sign * worst.min(initial=np.inf)),
        n_groups=len(classes),
        n_failing=int(failing.sum()),
        worst=tuple(int(g) for g in order),
        worst_measures=tuple(float(sign * m) for m in worst[order]),
        reads="classes",
    )
