"""A regression of the target on the quasi-identifiers: its coefficients, and their confidence intervals."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.arrays import Floats
from shoal.utility.analyses.study import Analysis, Study
from shoal.utility.pooling import pool_estimates

_CATEGORIES, _Z, _ROUNDS = 5, 1.959964, 30


class Coefficients(Analysis):
    """Mean absolute difference of the coefficients of a linear or logistic regression.

    Numeric columns are scaled by the original's mean and deviation; other columns get an indicator for each of their
    five commonest values except the first. Several draws are pooled by Rubin's rules.
    """

    name: ClassVar[str] = "coefficients"
    summary: ClassVar[str] = "mean difference of a regression's coefficients, columns scaled alike"

    def compare(self, study: Study) -> float | None:
        """None without a numeric or two-class target, or if numbers are not numeric in the release."""
        both = _both(study)
        return None if both is None else float(np.abs(both[0][0] - both[1][0]).mean())


class IntervalOverlap(Analysis):
    """How little the 95% intervals of those coefficients overlap: 1 − the overlap, as a share of both lengths.

    Reference: Karr, Kohnen, Oganian, Reiter, Sanil 2006, A framework for evaluating the utility of data altered to
    protect confidentiality.
    """

    name: ClassVar[str] = "intervals"
    summary: ClassVar[str] = "1 − overlap of the regression's confidence intervals (Karr et al. 2006)"

    def compare(self, study: Study) -> float | None:
        """None as for the coefficients."""
        both = _both(study)
        return None if both is None else 1 - overlap(*both)


def overlap(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> float:
    """The mean share that the intervals of two sets of estimates and standard errors have in common."""
    (lows, highs), (lows2, highs2) = ((b - _Z * se, b + _Z * se) for b, se in (one, other))
    common = np.maximum(0.0, np.minimum(highs, highs2) - np.maximum(lows, lows2))
    lengths, lengths2 = np.maximum(highs - lows, 1e-12), np.maximum(highs2 - lows2, 1e-12)
    return float(np.mean((common / lengths + common / lengths2) / 2))


def _both(study: Study) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]] | None:
    if study.target is None or not (study.is_regression or len(study.codes) == 2):
        return None
    if study.numbers and not study.has_numbers:
        return None
    rows = study.original
    terms = _terms(study)
    numbers = {name: study.original[name].fill_null(np.nan).to_numpy() for name in study.numbers}
    scales = {name: (float(np.nanmean(own)), max(float(np.nanstd(own)), 1e-12)) for name, own in numbers.items()}
    before = fit(_design(rows, terms, scales, numbers), study.answers(rows), is_logistic=not study.is_regression)
    drawn = []
    for frame in study.released:
        own = {name: study.number(frame, name) for name in study.numbers}
        named = frame.rename({study.ends(name)[0]: name for name in terms}, strict=False)
        design = _design(named, terms, scales, own)
        drawn.append(fit(design, study.answers(frame), is_logistic=not study.is_regression))
    return before, _pooled(drawn)


def _terms(study: Study) -> dict[str, list[str]]:
    """The categories that have a coefficient."""
    named = [name for name in study.printed if name not in study.numbers]
    counts = {
        name: study.original[name].cast(pl.String).drop_nulls().value_counts(sort=True, name="n") for name in named
    }
    return {name: counts[name][name].head(_CATEGORIES).to_list()[1:] for name in named}


def _design(
    frame: pl.DataFrame, terms: dict[str, list[str]], scales: dict[str, tuple[float, float]], numbers: dict[str, Floats]
) -> Floats:
    parts = [np.ones(frame.height)]
    parts += [np.nan_to_num((numbers[name] - mean) / deviation) for name, (mean, deviation) in scales.items()]
    for name, categories in terms.items():
        texts = frame[name].cast(pl.String).fill_null("")
        parts += [(texts == one).cast(pl.Float64).to_numpy() for one in categories]
    return np.stack(parts, axis=1)


def fit(design: Floats, answers: Floats, *, is_logistic: bool) -> tuple[Floats, Floats]:
    """Estimates and standard errors by least squares, or by Newton's method for a logistic regression.

    A column without variation has the estimate 0 and no error.
    """
    varies = np.ptp(design, axis=0) > 0
    varies[0] = True
    used = design[:, varies]
    estimates, errors = _logistic(used, answers) if is_logistic else _linear(used, answers)
    both = np.zeros((2, design.shape[1]))
    both[:, varies] = estimates, errors
    return both[0], both[1]


def _linear(design: Floats, answers: Floats) -> tuple[Floats, Floats]:
    inverse = np.linalg.pinv(design.T @ design)
    estimates = inverse @ design.T @ answers
    spread = ((answers - design @ estimates) ** 2).sum() / max(1, design.shape[0] - design.shape[1])
    return estimates, np.sqrt(np.maximum(np.diag(inverse) * spread, 0.0))


def _logistic(design: Floats, answers: Floats) -> tuple[Floats, Floats]:
    estimates, ridge = np.zeros(design.shape[1]), 1e-6 * np.eye(design.shape[1])
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-np.clip(design @ estimates, -30, 30)))
        weights = np.maximum(chances * (1 - chances), 1e-9)
        information = (design * weights[:, None]).T @ design + ridge
        step = np.linalg.solve(information, design.T @ (answers - chances) - ridge @ estimates)
        estimates = estimates + step
        if np.abs(step).max() < 1e-9:
            break
    return estimates, np.sqrt(np.maximum(np.diag(np.linalg.inv(information)), 0.0))


def _pooled(drawn: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    if len(drawn) == 1:
        return drawn[0]
    pooled = [
        pool_estimates([b[term] for b, _ in drawn], [se[term] ** 2 for _, se in drawn])
        for term in range(drawn[0][0].size)
    ]
    return np.array([one.estimate for one in pooled]), np.array([one.standard_error for one in pooled])
