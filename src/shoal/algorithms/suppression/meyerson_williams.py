"""Meyerson and Williams: cover the rows by sets of small diameter, greedily."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import ClassVar, Literal, get_args

import numpy as np

from shoal.algorithms.suppression.problem import Cover, SuppressionAlgorithm, SuppressionProblem, nothing
from shoal.core.arrays import Offsets
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean
from shoal.kernels.cover import count_balls, pick_balls, take

Sets = Literal["balls", "subsets"]

MOST_ROWS = 50_000
"""With more rows the quadratic time would be minutes."""

_MOST_SUBSETS = 1_000_000


@dataclass(frozen=True)
class MeyersonWilliams(SuppressionAlgorithm):
    """A greedy cover by diameter: at most O(k log k) times the fewest starred cells.

    The distance of two rows is the number of columns in which they differ. It repeatedly takes the set of rows with the
    least diameter per newly covered row; overlapping sets give up rows or are merged. Groups have k to 2k − 1 rows.

    ``sets="subsets"`` is the paper's algorithm: it examines all sets of k to 2k − 1 rows, O(n^(2k)) of them, and makes
    at most (2k − 1)(2k − 2)/k · H(2k − 1) times the fewest stars, with H(m) = 1 + 1/2 + … + 1/m; it refuses tables with
    more than a million such sets. ``sets="balls"`` examines the rows within a distance of one row instead, and takes at
    most 2k − 1 of them that have no group yet: at worst twice that factor, up to 50,000 rows.

    The guarantee is for k-anonymity with cells that are kept or starred; columns count equally, whatever their weights.
    With other recodings the groups are published with their smallest cells, which lose no more. Groups that break a
    promise beyond class size are merged with others.

    Cost: O(n² · columns) time and O(n · columns) memory with balls.

    Reference: Meyerson and Williams 2004, On the Complexity of Optimal k-Anonymity; Ciriani et al. 2007, k-Anonymity
    (section 3.2.3). The balls differ from the second algorithm of the former.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"sex": ["m", "m", "f", "f"], "town": ["Ely", "Ripon", "Truro", "Truro"]})
    >>> words = {"quasi_identifiers": ["sex", "town"], "recodings": {"sex": "suppress", "town": "suppress"}}
    >>> release = shoal.anonymize(table, algorithm=shoal.MeyersonWilliams(), privacy=shoal.KAnonymity(2), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('f', 'Truro'), ('m', '*')]
    """

    sets: Sets = "balls"

    name: ClassVar[str] = "meyerson-williams"
    summary: ClassVar[str] = "cover rows by sets that differ little, greedily (O(k log k) times the fewest stars)"

    def __post_init__(self) -> None:
        if self.sets not in get_args(Sets):
            raise InputError(f"There are no sets {self.sets!r}.{did_you_mean(self.sets, get_args(Sets))}")

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse tables that are too large."""
        super().refuse(table, goal)
        if table.n_rows > MOST_ROWS:
            raise InputError(
                f"The algorithm {self.name!r} takes tables of at most {MOST_ROWS:,} rows, this one has "
                f"{table.n_rows:,}; choose 'forest', which has a guarantee too."
            )
        sizes = range(goal.floor, 2 * goal.floor)
        if self.sets == "subsets" and sum(comb(table.n_rows, size) for size in sizes) > _MOST_SUBSETS:
            raise InputError(
                f"With sets='subsets' {self.name!r} looks at no more than {_MOST_SUBSETS:,} sets of k to 2k - 1 rows, "
                f"and {table.n_rows:,} rows with k = {goal.floor} have more; use sets='balls'."
            )

    def groups(self, problem: SuppressionProblem, k: int, progress: Progress) -> Groups:
        """Those of a cover."""
        cover = cover_by_balls if self.sets == "balls" else cover_by_subsets
        return cover(problem, k, progress).groups


_AT_ONCE = 1000


def cover_by_balls(problem: SuppressionProblem, k: int, progress: Progress) -> Cover:
    """Groups of k to 2k − 1 rows; each pick is the ball with the least radius per newly covered row.

    Proof of the factor: a group of the best partition with diameter d lies in a ball of radius d around any of its
    rows, and no pick costs more per row than such a ball would. So the radii add up to at most H(2k − 1) times the best
    diameters, and diameters are at most twice the radii. Resolving overlaps does not increase their sum. A group of s
    rows and diameter d has at least s · d and at most s · (s − 1) · d stars.
    """
    n = problem.n_rows
    progress.stage("measuring distances", float(n))
    counts = np.zeros((n, problem.n_columns + 1), np.int32)
    for start in range(0, n, _AT_ONCE):
        count_balls(problem.codes, counts, start, min(n, start + _AT_ONCE))
        progress.advance(float(min(n, start + _AT_ONCE) - start))
    totals, radii = counts.copy(), np.full(n, -1, np.int64)
    homes, turns, sizes = nothing(n)
    progress.stage("covering", float(n))
    n_left = n
    while n_left:
        pick_balls(problem.codes, k, totals, counts, homes, sizes, turns, radii, _AT_ONCE)
        before, n_left = n_left, int((homes < 0).sum())
        progress.advance(float(before - n_left))
    return Cover(homes, turns, radii[: int(turns.max()) + 1].astype(np.float64))


def cover_by_subsets(problem: SuppressionProblem, k: int, progress: Progress) -> Cover:
    """Groups of k to 2k − 1 rows; each pick is the set with the least diameter per newly covered row."""
    n = problem.n_rows
    progress.stage("covering", float(n))
    sets = [_sets(n, size) for size in range(k, min(n, 2 * k - 1) + 1)]
    apart = (problem.codes[:, :, None] != problem.codes[:, None, :]).sum(axis=0)
    diameters = np.concatenate([_diameters(apart, some) for some in sets])
    homes, turns, sizes = nothing(n)
    prices: list[float] = []
    n_groups = 0
    while (homes < 0).any():
        fresh = np.concatenate([(homes[some] < 0).sum(axis=1) for some in sets])
        ratios = np.where(fresh > 0, diameters / np.maximum(fresh, 1), np.inf)
        best = int(np.lexsort((-fresh, ratios))[0])
        n_groups, covered = take(_member(sets, best), homes, sizes, k, n_groups)
        turns[covered] = len(prices)
        prices.append(float(diameters[best]))
        progress.advance(float(covered.size))
    return Cover(homes, turns, np.array(prices))


def _sets(n: int, size: int) -> Offsets:
    """All sets of ``size`` rows, one per line."""
    flat = chain.from_iterable(combinations(range(n), size))
    return np.fromiter(flat, np.int64, comb(n, size) * size).reshape(-1, size)


def _diameters(apart: Offsets, sets: Offsets) -> Offsets:
    """The largest distance inside each set."""
    largest = np.zeros(len(sets), np.int64)
    for one, other in combinations(range(sets.shape[1]), 2):
        np.maximum(largest, apart[sets[:, one], sets[:, other]], out=largest)
    return largest


def _member(sets: list[Offsets], number: int) -> Offsets:
    """The set with that number."""
    for some in sets:
        if number < len(some):
            return np.ascontiguousarray(some[number])
        number -= len(some)
    raise IndexError(number)
