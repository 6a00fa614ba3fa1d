"""sdcMicro's own counting and its global risks, so that its printed figures can be compared with ours.

It counts an empty cell as matching every value, where our classes take missing for a value of its own; and it puts the
fitted count of the sample where the rate of the population belongs, where ``shoal.audit.log_linear`` has it as in the
papers.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from shoal.audit.log_linear import KeyCells, _mean_of_one_over
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.kernels.distinct import number_rows

Method = Literal["default", "PML", "weightedLLM", "CE", "IPF"]

_MOST_CELLS = 200_000
"""Cells of the full cross that a model is fitted to."""


def compatible(codes: Codes, is_missing: Flags, weights: Floats) -> tuple[Offsets, Floats]:
    """For each record how many records are compatible with it, and how many people they stand for.

    ``codes[column, record]``; a missing value stands for every value, so two records are compatible where they agree in
    each column or one of them has no value there. That is sdcMicro's counting; elsewhere missing is a value of its own.
    O(patterns of missing values² · records · columns).
    """
    patterns, of_record = np.unique(is_missing, axis=1, return_inverse=True)
    n = codes.shape[1]
    records, people = np.zeros(n, np.int64), np.zeros(n)
    for one in range(patterns.shape[1]):
        own = np.flatnonzero(of_record == one)
        for other in range(patterns.shape[1]):
            theirs = np.flatnonzero(of_record == other)
            both = np.concatenate([own, theirs])
            asked = np.flatnonzero(~patterns[:, one] & ~patterns[:, other])
            shared = np.ascontiguousarray(codes[asked][:, both], np.int32)
            ids = number_rows(shared)[0] if asked.size else np.zeros(both.size, np.int32)
            ours, keys = ids[: own.size], ids[own.size :]
            width = int(ids.max(initial=-1)) + 1
            records[own] += np.bincount(keys, minlength=width)[ours]
            people[own] += np.bincount(keys, weights[theirs], width)[ours]
    return records, people


def global_risks(
    codes: Codes, weights: Floats, method: Method = "default", bound: float = np.inf
) -> tuple[float, float]:
    """sdcMicro's two figures, gr1 and gr2, shares of the occupied cells with at most ``bound`` records.

    Its formulas put the fitted count of the sample where the rate of the population belongs (λ = μ, not μ / π), which
    makes risks larger the smaller the sample is.
    """
    cells = KeyCells.of(codes, weights)
    fitted = fitted_counts(codes, weights, method)
    used = (cells.records > 0) & (cells.records <= bound)
    alone = used & (cells.records == 1)
    hidden = (1 - cells.inclusion[alone]) * fitted[alone]
    total = max(1, int(used.sum()))
    return float(np.exp(-hidden).sum()) / total, float(_mean_of_one_over(hidden).sum()) / total


def fitted_counts(codes: Codes, weights: Floats, method: Method) -> Floats:
    """What the model expects in the occupied cells, fitted to all cells of the full cross of observed values."""
    cells = KeyCells.of(codes, weights)
    values = [np.unique(column) for column in cells.codes]
    sizes = [len(each) for each in values]
    n_cells = int(np.prod(sizes))
    if n_cells > _MOST_CELLS:
        raise ValueError(f"The columns have {n_cells:,} combinations of values, more than {_MOST_CELLS:,}.")
    at, of_records = (
        np.ravel_multi_index([np.searchsorted(known, one) for known, one in zip(values, some, strict=True)], sizes)
        for some in (cells.codes, codes)
    )
    counts, people = (
        np.bincount(of_records, each, n_cells).astype(np.float64) for each in (np.ones(weights.size), weights)
    )
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
    found: Floats = poisson_means(design, response, offset)[at]
    return found


def poisson_means(design: Floats, response: Floats, offset: Floats) -> Floats:
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
