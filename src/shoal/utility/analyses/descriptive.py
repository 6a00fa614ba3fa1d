"""Counts, sums, quantiles and correlations: the usual first analyses."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.arrays import Floats
from shoal.utility.analyses.study import Analysis, Study

_BINS, _QUANTILES = 20, (0.05, 0.25, 0.5, 0.75, 0.95)


class Counts(Analysis):
    """Half the sum of absolute differences of shares, over values or twenty bins of numbers; the mean of columns."""

    name: ClassVar[str] = "counts"
    summary: ClassVar[str] = "total variation between the counts of each column's values, before and after"

    def compare(self, study: Study) -> float | None:
        """The mean over quasi-identifiers."""
        return float(
            np.mean([np.mean([_distance(study, one, name) for one in study.released]) for name in study.printed])
        )


class Sums(Analysis):
    """The relative error of each column's sum per record."""

    name: ClassVar[str] = "sums"
    summary: ClassVar[str] = "relative error of the mean of each column of numbers"

    def compare(self, study: Study) -> float | None:
        """The mean over numeric columns; None if they are not numeric in the release."""
        if not study.has_numbers:
            return None
        pairs = [(_own(study, name).mean(), _mean(study, name)) for name in study.numbers]
        return float(np.mean([abs(after - before) / max(abs(before), 1e-12) for before, after in pairs]))


class Quantiles(Analysis):
    """Five quantiles of each numeric column, in its standard deviations."""

    name: ClassVar[str] = "quantiles"
    summary: ClassVar[str] = "error of the 5th, 25th, 50th, 75th and 95th percentile, in standard deviations"

    def compare(self, study: Study) -> float | None:
        """The mean over quantiles and numeric columns; None if they are not numeric in the release."""
        return float(np.mean([_quantiles_off(study, name) for name in study.numbers])) if study.has_numbers else None


class LinearCorrelations(Analysis):
    """Pearson's correlation of every two numeric columns, including a target that is numeric or has two classes."""

    name: ClassVar[str] = "correlations"
    summary: ClassVar[str] = "error of the correlation of every two columns of numbers, and with the target"

    def compare(self, study: Study) -> float | None:
        """The mean absolute difference; None if the release has fewer than two numeric columns."""
        is_usable = study.target is not None and (study.is_regression or len(study.codes) == 2)
        if not study.has_numbers or len(study.numbers) + is_usable < 2:
            return None
        before = [_own(study, name) for name in study.numbers]
        before += [study.answers(study.original)] if is_usable else []
        errors = []
        for frame in study.released:
            after = [study.number(frame, name) for name in study.numbers]
            after += [study.answers(frame)] if is_usable else []
            for one, other in combinations(range(len(before)), 2):
                errors.append(abs(_correlation(after[one], after[other]) - _correlation(before[one], before[other])))
        return float(np.mean(errors))


def _own(study: Study, name: str) -> Floats:
    values: Floats = study.original[name].drop_nulls().to_numpy()
    return values if len(values) == study.original.height else study.original[name].fill_null(np.nan).to_numpy()


def _mean(study: Study, name: str) -> float:
    return float(np.mean([np.nanmean(study.number(frame, name)) for frame in study.released]))


def _quantiles_off(study: Study, name: str) -> float:
    own = _own(study, name)
    right = np.nanquantile(own, _QUANTILES)
    found = np.mean([np.nanquantile(study.number(frame, name), _QUANTILES) for frame in study.released], axis=0)
    return float(np.mean(np.abs(found - right)) / max(float(np.nanstd(own)), 1e-12))


def _correlation(one: Floats, other: Floats) -> float:
    known = np.isfinite(one) & np.isfinite(other)
    if known.sum() < 2 or np.ptp(one[known]) == 0 or np.ptp(other[known]) == 0:
        return 0.0
    return float(np.corrcoef(one[known], other[known])[0, 1])


def _distance(study: Study, frame: pl.DataFrame, name: str) -> float:
    ends = study.ends(name)
    if name in study.numbers and frame[ends[0]].dtype.is_numeric():
        own = _own(study, name)
        edges = np.unique(np.nanquantile(own, np.linspace(0, 1, _BINS + 1)))[1:-1]
        before, after = (_shares(edges, values) for values in (own, study.number(frame, name)))
        return float(np.abs(before - after).sum() / 2)
    counts = [
        values.cast(pl.String).fill_null("").to_frame("value").group_by("value").agg(pl.len() / values.len())
        for values in (study.original[name], frame[ends[0]])
    ]
    joined = counts[0].join(counts[1], on="value", how="full", suffix="_after")
    return float((joined["len"].fill_null(0.0) - joined["len_after"].fill_null(0.0)).abs().sum() / 2)


def _shares(edges: Floats, values: Floats) -> Floats:
    known = values[np.isfinite(values)]
    places = np.searchsorted(edges, known, side="right")
    return np.append(np.bincount(places, minlength=edges.size + 1), values.size - known.size) / max(1, values.size)
