"""Rubin's rules: one estimate from those of several drawn tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.errors import InputError


@dataclass(frozen=True)
class Pooled:
    """An estimate from several draws, its variance, and how much of that is due to drawing values.

    ``within`` is the mean of the draws' own variances, ``between`` the variance of their estimates.
    """

    estimate: float
    within: float
    between: float
    n_draws: int

    @property
    def variance(self) -> float:
        """Variance within draws, plus that between them with a correction for the small number of draws."""
        return self.within + (1 + 1 / self.n_draws) * self.between

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)

    @property
    def missing_information(self) -> float:
        """The share of the variance that is due to drawing values."""
        return 0.0 if self.variance == 0 else (1 + 1 / self.n_draws) * self.between / self.variance

    @property
    def degrees_of_freedom(self) -> float:
        """Of the t distribution used for intervals; infinite if all draws agree."""
        share = self.missing_information
        return math.inf if share == 0 else (self.n_draws - 1) / share**2

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """A confidence interval."""
        from scipy import stats  # type: ignore[import-untyped]  # half a second at every start otherwise

        width = float(stats.t.ppf((1 + confidence) / 2, self.degrees_of_freedom)) * self.standard_error
        return self.estimate - width, self.estimate + width


def pool_estimates(estimates: Sequence[float], variances: Sequence[float]) -> Pooled:
    """Pool the estimates of several drawn tables, as from ``read_release(…, cells="sampled", draws=5)``.

    Reference: Rubin 1987, Multiple Imputation for Nonresponse in Surveys.

    >>> pooled = pool_estimates([1.0, 2.0, 3.0], [0.5, 0.5, 0.5])
    >>> pooled.estimate, round(pooled.variance, 4), round(pooled.degrees_of_freedom, 4)
    (2.0, 1.8333, 3.7812)

    Args:
        estimates: the same figure from each table.
        variances: the squared standard error of each.

    Raises:
        InputError: there are fewer than two estimates, not as many variances, or a negative variance.
    """
    if len(estimates) < 2 or len(estimates) != len(variances):
        raise InputError(
            f"Pooling needs two or more estimates and a variance for each, got {len(estimates)} and {len(variances)}."
        )
    if min(variances) < 0:
        raise InputError(f"A variance is at least 0, got {min(variances)}.")
    values = np.asarray(estimates, np.float64)
    return Pooled(float(values.mean()), float(np.mean(variances)), float(values.var(ddof=1)), len(values))
