"""Log-linear risk models: how many sample uniques are unique in the population, from a Poisson model of the cells.

A cell is a combination of values of the key columns. Its population count is Poisson with a rate that a log-linear
model of the columns' main effects smooths over all cells, so that rows that are alike in part tell of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.errors import InputError
from shoal.kernels.distinct import number_rows

Method = Literal["default", "PML", "weightedLLM", "CE", "IPF"]

_MOST_CELLS = 200_000
"""Cells of the full cross that a model is fitted to; main effects alone need only the occupied ones."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The occupied cells: how many records each has, the sum of their weights, and of 1 over their weights."""

    codes: Codes
    records: Offsets
    people: Floats
    inclusion: Floats

    @classmethod
    def of(cls, codes: Codes, weights: Floats) -> Cells:
        """Group records ``codes[column, record]`` by their cells. O(records · columns)."""
        ids, firsts = number_rows(np.ascontiguousarray(codes, np.int32))
        count = firsts.size
        sums = (np.bincount(ids, each, count).astype(np.float64) for each in (weights, 1 / weights))
        return cls(codes[:, firsts], np.bincount(ids, minlength=count).astype(np.int64), *sums)


@dataclass(frozen=True)
class LogLinear:
    """How many sample uniques are expected to be unique in the population, and how many of them a guess finds.

    ``uniques`` is Σ P(F = 1 | f = 1), ``matches`` is Σ E(1 / F | f = 1), over the cells of one record.
    """

    sample_uniques: int
    uniques: float
    matches: float


def log_linear(codes: Codes, weights: Floats) -> LogLinear:
    """By the model of main effects, whose fitted counts are products of the columns' shares. O(records · columns).

    A sample count is Poisson with mean μ, and each person was sampled with the chance π of 1 over their weight; so in
    a cell of the population λ = μ / π people are expected, of whom μ (1 − π) / π are not in the sample.

    Reference: Skinner and Shlomo 2008, Assessing Identification Risk in Survey Microdata Using Log-Linear Models;
    Elamir and Skinner 2006, Record Level Measures of Disclosure Risk for Survey Microdata.
    """
    cells = Cells.of(codes, weights)
    n = int(cells.records.sum())
    fitted = np.full(cells.records.size, float(n))
    for column in cells.codes:
        fitted *= np.bincount(column, cells.records)[column] / n
    alone = cells.records == 1
    chance = np.minimum(1.0, cells.inclusion[alone])
    hidden = fitted[alone] * (1 - chance) / chance
    return LogLinear(int(alone.sum()), float(np.exp(-hidden).sum()), float(_mean_of_one_over(hidden).sum()))


def global_risks(
    codes: Codes, weights: Floats, method: Method = "default", bound: float = np.inf
) -> tuple[float, float]:
    """sdcMicro's two figures, gr1 and gr2, shares of the occupied cells with at most ``bound`` records.

    Its formulas put the fitted count of the sample where the rate of the population belongs (λ = μ, not μ / π), which
    makes risks larger the smaller the sample is; ``log_linear`` has it as in the papers. Here for comparison.

    Raises:
        InputError: the full cross of the columns has too many cells.
    """
    cells = Cells.of(codes, weights)
    fitted = _fitted(cells, method)
    used = (cells.records > 0) & (cells.records <= bound)
    alone = used & (cells.records == 1)
    hidden = (1 - cells.inclusion[alone]) * fitted[alone]
    total = max(1, int(used.sum()))
    return float(np.exp(-hidden).sum()) / total, float(_mean_of_one_over(hidden).sum()) / total


def _mean_of_one_over(hidden: Floats) -> Floats:
    """The mean of 1 / (1 + a Poisson number): (1 − e^−v) / v."""
    found: Floats = np.where(hidden > 0, -np.expm1(-hidden) / np.where(hidden > 0, hidden, 1.0), 1.0)
    return found


def _fitted(cells: Cells, method: Method) -> Floats:
    """What the model expects in the occupied cells, fitted to all cells of the full cross of observed values."""
    values = [np.unique(column) for column in cells.codes]
    sizes = [len(each) for each in values]
    n_cells = int(np.prod(sizes))
    if n_cells > _MOST_CELLS:
        raise InputError(
            f"The columns have {n_cells:,} combinations of values, more than the {_MOST_CELLS:,} that a model is "
            "fitted to; take fewer columns, or coarser values."
        )
    places = [np.searchsorted(known, column) for known, column in zip(values, cells.codes, strict=True)]
    at = np.ravel_multi_index(places, sizes)
    counts, people = np.zeros(n_cells), np.zeros(n_cells)
    counts[at], people[at] = cells.records, cells.people
    response, offset = counts, np.zeros(n_cells)
    cross = np.unravel_index(np.arange(n_cells), sizes)
    effects = [np.equal.outer(place, np.arange(1, size)) for place, size in zip(cross, sizes, strict=True)]
    design = np.column_stack([np.ones(n_cells), *effects])
    if method == "PML":
        response = np.round(people * counts.sum() / people.sum())
    elif method == "CE":
        shares = np.divide(counts, people, out=np.zeros(n_cells), where=people > 0)
        offset = np.log(shares + 0.1)
    elif method == "weightedLLM":
        design = np.column_stack([design, people])
    found: Floats = _poisson(design, response, offset)[at]
    return found


def _poisson(design: Floats, response: Floats, offset: Floats) -> Floats:
    """The means of a Poisson regression with a logarithmic link, by Newton's method. O(steps · cells · effects²)."""
    means = response + 0.1
    scale = np.maximum(1.0, np.abs(design).max(axis=0))
    scaled = design / scale
    for _ in range(100):
        target = np.log(means) - offset + (response - means) / means
        weighed = scaled * means[:, None]
        found = np.linalg.lstsq(scaled.T @ weighed, weighed.T @ target, rcond=None)[0]
        before, means = means, np.exp(np.clip(scaled @ found + offset, -50, 50))
        if np.abs(means - before).max() < 1e-10 * max(1.0, float(means.max())):
            break
    return means
