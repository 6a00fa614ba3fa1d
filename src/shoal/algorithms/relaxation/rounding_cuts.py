"""Cuts: sets of rows of which whole groups hold fewer than groups in parts; each group inside pays a toll."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from shoal.algorithms.relaxation.group_pool import GroupPool
from shoal.core.arrays import Codes, Flags, Floats, Whole
from shoal.core.parallel_work import ALWAYS, side_by_side
from shoal.core.randomness import Randomness
from shoal.kernels.relaxation_cuts import Used, overfull
from shoal.kernels.relaxation_groups import Cuts

_LIMIT, _SMALLER = 4, 2
"""How many groups fit into a set at most: of k rows, and of fewer."""

_LEAST, _PART = 0.03, 0.02
"""By how much a set has to be overfull, and how much of a group has to be used and left for sets to grow from it."""

_BENDS = (0.25, 0.5, 0.8)
"""For how much the rest of a group counts at most while sets grow."""

_A_ROW = 12
"""In how many new cuts a row may be each time; those that are exceeded most are taken first."""

_IDLE = 2
"""A cut without a toll is forgotten when it has had none so many times."""


@dataclass(eq=False)
class RoundingCuts:
    """The cuts so far, for groups of k rows or more; a row is a distinct row, which counts with its weight."""

    weights: Whole
    k: int
    sets: list[Codes] = field(default_factory=list)
    divisors: list[int] = field(default_factory=list)
    tolls: Floats = field(default_factory=lambda: np.zeros(0))
    most: Floats = field(init=False)
    idle: Whole = field(init=False)

    def __post_init__(self) -> None:
        self.idle = np.zeros(len(self.sets), np.int64)
        self.most = self._fitting(self.sets, self.divisors)

    def _fitting(self, sets: list[Codes], divisors: list[int]) -> Floats:
        fit = [int(self.weights[rows].sum()) // divisor for rows, divisor in zip(sets, divisors, strict=True)]
        return np.array(fit, np.float64)

    @property
    def returned(self) -> float:
        """What the bound gives back: each toll as often as it can be paid."""
        return float(self.tolls @ self.most)

    def cuts(self, tolls: npt.NDArray[np.generic]) -> Cuts:
        """All cuts with these tolls, by row."""
        cuts = np.repeat(np.arange(len(self.sets)), np.array([rows.size for rows in self.sets], np.int64))
        members = np.concatenate([*self.sets, np.zeros(0, np.int32)])
        at = np.concatenate([[0], np.cumsum(np.bincount(members, minlength=self.weights.size))]).astype(np.int64)
        by_row = cuts[np.argsort(members, kind="stable")].astype(np.int64)
        return Cuts(at, by_row, np.array(self.divisors, np.int64), tolls)

    def forget(self) -> None:
        """Drop the cuts that have had no toll for some time."""
        self.idle = np.where(self.tolls > 0, 0, self.idle + 1)
        kept = np.flatnonzero(self.idle < _IDLE)
        self.sets, self.divisors = [self.sets[cut] for cut in kept], [self.divisors[cut] for cut in kept]
        self.tolls, self.most, self.idle = self.tolls[kept], self.most[kept], self.idle[kept]

    def extend(self, pool: GroupPool, weights: Whole, may: Flags, randomness: Randomness) -> int:
        """Add sets of rows that are overfull; tolls begin at 0. Returns how many.

        ``weights`` are what is left of the rows, and only rows that ``may`` be are in new sets.
        """
        used, seeds = _used(pool, weights.size)
        may = may & (weights > 0) & (weights <= self.k)

        def grown(job: tuple[int, float, Whole]) -> list[tuple[float, int, Codes]]:
            divisor, bend, some = job
            limit = _LIMIT if divisor == self.k else _SMALLER
            out = np.empty((limit * some.size, (limit + 1) * divisor), np.int32)
            sizes, over = overfull(some, divisor, limit, bend, used, weights, may, _LEAST, out)
            return [(float(by), divisor, np.sort(out[at, : sizes[at]])) for at, by in enumerate(over)]

        jobs = []
        for divisor in divisors_for(self.k):
            order = seeds[randomness.permutation(seeds.size)]  # half of them are enough, on two cores
            bend = _BENDS[int(randomness.integers(len(_BENDS), 1)[0])]
            jobs += [(divisor, bend, order[::4]), (divisor, bend, order[1::4])]
        found = [cut for some in side_by_side(grown, jobs, ALWAYS) for cut in some]
        return self._take(sorted(found, key=lambda cut: -cut[0]))

    def _take(self, found: list[tuple[float, int, Codes]]) -> int:
        """Add those that are new, each row in a few of them at most."""
        known = {(divisor, rows.tobytes()) for rows, divisor in zip(self.sets, self.divisors, strict=True)}
        times, n_before = np.zeros(self.weights.size, np.int64), len(self.sets)
        for _, divisor, rows in found:
            if times[rows].max() < _A_ROW and (divisor, rows.tobytes()) not in known:
                known.add((divisor, rows.tobytes()))
                times[rows] += 1
                self.sets.append(rows)
                self.divisors.append(divisor)
        n_new = len(self.sets) - n_before
        self.tolls = np.concatenate([self.tolls, np.zeros(n_new)])
        self.idle = np.concatenate([self.idle, np.zeros(n_new, np.int64)])
        self.most = np.concatenate([self.most, self._fitting(self.sets[n_before:], self.divisors[n_before:])])
        return n_new


def divisors_for(k: int) -> list[int]:
    """The divisors of cuts: 2, 3, about half and 0.7 of k, and k.

    >>> divisors_for(10)
    [2, 3, 5, 7, 10]
    """
    return sorted({min(k, divisor) for divisor in (2, 3, -(-k // 2), -(-7 * k // 10), k)})


def _used(pool: GroupPool, n_rows: int) -> tuple[Used, Whole]:
    """The groups that are used, by row too, and those of them that are used in part and pay tolls."""
    some = pool.chosen(pool.uses > 1e-6)
    groups = np.repeat(np.arange(some.costs.size), np.diff(some.starts))
    order = np.argsort(some.rows, kind="stable")
    at = np.concatenate([[0], np.cumsum(np.bincount(some.rows, minlength=n_rows))]).astype(np.int64)
    used = Used(some.starts, some.rows, some.counts, some.uses, at, groups[order], some.counts[order])
    return used, np.flatnonzero((some.uses > _PART) & (some.uses < 1 - _PART) & some.pays).astype(np.int64)
