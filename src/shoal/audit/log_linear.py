"""Log-linear risk models: how many sample uniques are unique in the population, from a Poisson model of the cells.

A cell is a combination of values of the key columns. Its population count is Poisson with a rate that a log-linear
model of the columns' main effects smooths over all cells, so that similar rows inform each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.kernels.distinct import number_rows


@dataclass(frozen=True, eq=False)
class KeyCells:
    """The occupied cells: the number of records in each, and the sum of their inverse weights."""

    codes: Codes
    records: Offsets
    inclusion: Floats

    @classmethod
    def of(cls, codes: Codes, weights: Floats) -> KeyCells:
        """Group records ``codes[column, record]`` by their cells. O(records · columns)."""
        ids, firsts = number_rows(np.ascontiguousarray(codes, np.int32))
        count = firsts.size
        records = np.bincount(ids, minlength=count).astype(np.int64)
        return cls(codes[:, firsts], records, np.bincount(ids, 1 / weights, count).astype(np.float64))


@dataclass(frozen=True)
class LogLinear:
    """The expected number of sample uniques that are unique in the population, and of correct matches by guessing.

    ``uniques`` is Σ P(F = 1 | f = 1), ``matches`` is Σ E(1 / F | f = 1), over the cells of one record.
    """

    sample_uniques: int
    uniques: float
    matches: float


def log_linear(codes: Codes, weights: Floats) -> LogLinear:
    """Fit the main-effects model, whose fitted counts are products of the columns' shares. O(records · columns).

    A sample count is Poisson with mean μ, and each person was sampled with probability π, the inverse of their weight;
    so a cell of the population has λ = μ / π expected people, of whom μ (1 − π) / π are not in the sample.

    Reference: Skinner and Shlomo 2008, Assessing Identification Risk in Survey Microdata Using Log-Linear Models;
    Elamir and Skinner 2006, Record Level Measures of Disclosure Risk for Survey Microdata.
    """
    cells = KeyCells.of(codes, weights)
    n = int(cells.records.sum())
    fitted = np.full(cells.records.size, float(n))
    for column in cells.codes:
        fitted *= np.bincount(column, cells.records)[column] / n
    alone = cells.records == 1
    chance = np.minimum(1.0, cells.inclusion[alone])
    hidden = fitted[alone] * (1 - chance) / chance
    return LogLinear(int(alone.sum()), float(np.exp(-hidden).sum()), float(_mean_of_one_over(hidden).sum()))


def _mean_of_one_over(hidden: Floats) -> Floats:
    """The mean of 1 / (1 + a Poisson variable): (1 − e^−v) / v."""
    found: Floats = np.where(hidden > 0, -np.expm1(-hidden) / np.where(hidden > 0, hidden, 1.0), 1.0)
    return found
