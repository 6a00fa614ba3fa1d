"""SUDA2: special records and the columns that make them special, by minimal sample uniques and their scores.

A minimal sample unique of a record is a set of columns on which the record is unique while it is not on any smaller
subset. An adversary who knows those few values knows that no other record has them. The fewer columns it takes, the
more special the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial
from typing import Literal

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.errors import InputError
from shoal.kernels.distinct import number_rows

Scores = Literal["original", "ihsn"]

_DENSE = 1 << 22
"""Keys below this number are counted in an array."""

_MOST_SETS = 20_000
"""More sets of columns than this would take hours."""


@dataclass(frozen=True, eq=False)
class Suda:
    """The score and DIS score of each record, and ``contributions[column, record]``: shares of the score, 0 to 1.

    A column's share is that of the minimal sample uniques it is part of, so shares of several columns may add up to
    more than 1. ``by_column`` is their mean, weighted by the scores: what each column contributes to the table's
    special records.
    """

    scores: Floats
    dis: Floats
    contributions: Floats

    @property
    def by_column(self) -> Floats:
        """The share of all scores that each column is part of; 0 if no record is special."""
        total = float(self.scores.sum())
        found: Floats = self.contributions @ self.scores / total if total else np.zeros(self.contributions.shape[0])
        return found

    @property
    def n_special(self) -> int:
        """The number of records with a minimal sample unique."""
        return int((self.scores > 0).sum())


def suda(
    codes: Codes,
    is_missing: Flags | None = None,
    *,
    scores: Scores = "original",
    fraction: float = 0.01,
    most: int | None = None,
) -> Suda:
    """Find all minimal sample uniques of up to ``most`` columns (by default all).

    ``codes[column, record]``. A set in which the record lacks a value does not count, and records without a value in a
    set are not counted there. Of m columns, a minimal sample unique of k scores (m − k)!, one of all m scores 1 (Elliot
    et al. 2005); with ``"ihsn"`` it scores (2^(m−k) − 1) k! (m − k)! / m!. ``dis`` are DIS-SUDA scores, where
    ``fraction`` is the sampling fraction of the population.

    Every set of columns is counted once, extending the set without its last column; records that are unique on a subset
    are not minimal on the set. O(2^columns · different records) time, O(2^columns · different records / 8) memory.

    Reference: Manning, Haglin and Keane 2008, A Recursive Search Algorithm for Statistical Disclosure Assessment
    (SUDA2); Elliot, Manning, Mayes, Gurd and Bane 2005, SUDA: A Program for Detecting Special Uniques; Skinner and
    Elliot 2002, A Measure of Disclosure Risk for Microdata (DIS).

    Raises:
        InputError: there are too many sets of columns.
    """
    m, n = codes.shape
    largest = m if most is None else min(most, m)
    n_sets = sum(comb(m, k) for k in range(1, largest + 1))
    if n_sets > _MOST_SETS:
        raise InputError(
            f"{m} columns have {n_sets:,} sets of up to {largest}, more than {_MOST_SETS:,}; look at fewer columns, or "
            "at smaller sets."
        )
    missing = np.zeros((m, n), bool) if is_missing is None else is_missing
    alike, firsts = number_rows(np.ascontiguousarray(np.concatenate([codes, missing]), np.int32))
    counts = np.bincount(alike, minlength=firsts.size)
    rows, lacking = np.ascontiguousarray(codes[:, firsts], np.int32), missing[:, firsts]
    own = np.flatnonzero(counts == 1)
    unique = _unique_on(rows, lacking, counts, own, largest)
    found, shares = np.zeros(own.size), np.zeros((m, own.size))
    for columns, alone in unique.items():
        below = [unique[smaller] for smaller in combinations(columns, len(columns) - 1) if smaller]
        minimal = np.unpackbits(alone & ~np.bitwise_or.reduce([np.zeros_like(alone), *below]), count=own.size) == 1
        worth = _worth(len(columns), m, scores)
        found[minimal] += worth
        shares[np.array(columns)[:, None], np.flatnonzero(minimal)] += worth
    every, contributions = np.zeros(n), np.zeros((m, n))
    every[firsts[own]] = found
    contributions[:, firsts[own]] = np.divide(shares, found, out=np.zeros_like(shares), where=found > 0)
    return Suda(every, _dis(every, counts, m, fraction), contributions)


def _unique_on(
    rows: Codes, lacking: Flags, counts: Offsets, own: npt.NDArray[np.intp], largest: int
) -> dict[tuple[int, ...], npt.NDArray[np.uint8]]:
    """For each set of columns, which of the records ``own`` are unique on it, as packed bits; small sets come first."""
    m = rows.shape[0]
    widths = [int(column.max(initial=-1)) + 1 for column in rows]
    found: dict[tuple[int, ...], npt.NDArray[np.uint8]] = {}

    def grow(columns: tuple[int, ...], keys: npt.NDArray[np.int64], width: int, whole: Flags) -> None:
        for column in range(columns[-1] + 1 if columns else 0, m):
            more = (*columns, column)
            joined, wide = keys * widths[column] + rows[column], width * widths[column]
            if wide > _DENSE:
                pair = np.array([keys, rows[column]], np.int32)
                ids, firsts = number_rows(pair)
                joined, wide = ids.astype(np.int64), firsts.size
            complete = whole & ~lacking[column]
            sizes = np.bincount(joined, np.where(complete, counts, 0), wide)
            found[more] = np.packbits((sizes[joined[own]] == 1) & complete[own])
            if len(more) < largest:
                grow(more, joined, wide, complete)

    grow((), np.zeros(rows.shape[1], np.int64), 1, np.ones(rows.shape[1], bool))
    return dict(sorted(found.items(), key=lambda entry: len(entry[0])))


def _worth(k: int, m: int, scores: Scores) -> float:
    """The score of a minimal sample unique of k of m columns."""
    if scores == "original":
        return float(factorial(m - k))
    return float((2 ** (m - k) - 1) * factorial(k) * factorial(m - k) / factorial(m))


def _dis(scores: Floats, sizes: Offsets, m: int, fraction: float) -> Floats:
    """The probability, for each special record, that a match with it is correct: DIS distributed by the scores."""
    uniques, in_pairs = int((sizes == 1).sum()), 2 * int((sizes == 2).sum())
    if not uniques or not (scores > 0).any():
        return np.zeros_like(scores)
    dis = uniques * fraction / (uniques * fraction + in_pairs * (1 - fraction))
    power = 1 + (8 - m) / 20
    special = scores > 0
    total = float((scores[special] ** -power).sum())
    found = np.zeros_like(scores)
    found[special] = 1 / (1 + (uniques / dis - uniques) / (scores[special] ** power * total))
    return found
