"""The lightest graph in which every row has so many edges."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.suppression.problem import Problem
from shoal.core.arrays import Offsets


def lightest(problem: Problem, least: int, most: int) -> Offsets:
    """The edges, pairs of rows, of the lightest graph in which each row has ``least`` to ``most`` of them.

    An edge weighs what the columns cost in which its rows differ. There are more than ``least`` rows. An integer
    program with a variable for each pair of rows.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # type: ignore[import-untyped]
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    one, other = np.triu_indices(problem.n_rows, 1)
    weights = problem.prices @ (problem.codes[:, one] != problem.codes[:, other])
    pairs = np.arange(one.size)
    places = (np.concatenate([one, other]), np.concatenate([pairs, pairs]))
    degrees = csr_array((np.ones(2 * pairs.size), places), shape=(problem.n_rows, pairs.size))
    found = milp(
        weights,
        integrality=np.ones(pairs.size),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(degrees, least, most),
        options={"mip_rel_gap": 0.0},
    )
    chosen = np.flatnonzero(found.x > 0.5)
    return np.stack([one[chosen], other[chosen]], axis=1)
