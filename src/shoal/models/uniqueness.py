"""Estimates how many people of the population are unique from a sample: Zayatz, SNB, Pitman, and Dankar's rule.

All take the *spectrum* of a sample, ``spectrum[size]`` classes of each size, and the size of the population that it was
drawn from at random; each estimates the number of people who are alone in their class in the population. A sample has
to have uniques itself: without any, all estimates are 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Floats, Offsets

Spectrum = Mapping[int, int]


@dataclass(frozen=True)
class Uniqueness:
    """Estimates of the share of the population that is unique, by model; None if a model has no solution.

    ``model`` is the one that Dankar's rule chooses, and ``share`` its estimate.
    """

    population: int
    sample: int
    sample_uniques: int
    zayatz: float | None
    snb: float | None
    pitman: float | None
    model: str
    share: float
    pitman_asymptotic: float | None = None


def spectrum_of(sizes: Offsets) -> dict[int, int]:
    """How many classes have each size."""
    values, counts = np.unique(sizes, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def estimate(spectrum: Spectrum, population: int) -> Uniqueness:
    """All estimates, and the one that Dankar's rule chooses.

    The rule: if the sample has no uniques, the estimate is 0; if at most a tenth of the population was sampled,
    Pitman's model; otherwise the smaller of SNB and Zayatz; Zayatz if the other has no solution. Reference: Dankar, El
    Emam, Neisa and Roffey 2012, Estimating the Re-Identification Risk of Clinical Data Sets.
    """
    n = sum(size * count for size, count in spectrum.items())
    found = {name: share_of(spectrum, population, name) for name in MODELS}
    chosen = _chosen(n, spectrum.get(1, 0), population, found)
    return Uniqueness(
        population=population,
        sample=n,
        sample_uniques=spectrum.get(1, 0),
        zayatz=found["zayatz"],
        snb=found["snb"],
        pitman=found["pitman"],
        model=chosen,
        share=found.get(chosen) or 0.0,
        pitman_asymptotic=found["pitman-asymptotic"],
    )


def share_of(spectrum: Spectrum, population: int, model: str) -> float | None:
    """The share of the population that is unique, by one model or by Dankar's rule; None if there is no solution."""
    if model != DANKAR:
        uniques = MODELS[model](spectrum, population) if spectrum.get(1) else 0.0
        if uniques is None or not math.isfinite(uniques) or uniques < 0:
            return None
        return min(1.0, uniques / population)
    n = sum(size * count for size, count in spectrum.items())
    asked = ("pitman", "zayatz") if n <= 0.1 * population else ("snb", "zayatz")
    found = {name: share_of(spectrum, population, name) for name in asked}
    return found.get(_chosen(n, spectrum.get(1, 0), population, found), 0.0)


def _chosen(n: int, n_uniques: int, population: int, found: Mapping[str, float | None]) -> str:
    """The model that Dankar's rule chooses."""
    if not n_uniques:
        return "none needed"
    if n <= 0.1 * population:
        return "pitman" if found["pitman"] is not None else "zayatz"
    snb = found["snb"]
    return "snb" if snb is not None and snb <= (found["zayatz"] or 0.0) else "zayatz"


def zayatz(spectrum: Spectrum, population: int) -> float | None:
    """Sample uniques times the probability that one is unique in the population, over the sampling fraction.

    That probability comes from Bayes' rule, with the sample's spectrum in place of the population's: the number of
    people in the sample from a class of ``i`` is hypergeometric. Reference: Zayatz 1991, Estimation of the Percent of
    Unique Population Elements on a Microdata File Using the Sample.
    """
    n = sum(size * count for size, count in spectrum.items())
    shown = {size: math.exp(_log_one_of(size, n, population)) for size in spectrum}
    total = sum(count * shown[size] for size, count in spectrum.items())
    return spectrum[1] * (spectrum[1] * shown[1] / total) * population / n


def _log_one_of(size: int, n: int, population: int) -> float:
    """The log probability that a sample of ``n`` contains exactly one of ``size`` people."""
    if n - 1 > population - size:
        return -math.inf
    return math.log(size) + _log_choose(population - size, n - 1) - _log_choose(population, n)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def pitman(spectrum: Spectrum, population: int) -> float | None:
    """The expected number of singletons of Pitman's partition of the population, parameters by maximum likelihood.

    Exact: population · Γ(θ + α + N − 1) Γ(θ + 1) / (Γ(θ + α) Γ(θ + N)). See ``pitman_asymptotic``.

    Reference: Hoshino 2001, Applying Pitman's Sampling Formula to Microdata Disclosure Risk Assessment; Pitman 1995,
    Exchangeable and Partially Exchangeable Random Partitions.
    """
    alpha, theta = fitted(spectrum)
    logs = math.lgamma(theta + alpha + population - 1) - math.lgamma(theta + alpha)
    logs += math.lgamma(theta + 1) - math.lgamma(theta + population)
    return population * math.exp(logs)


def pitman_asymptotic(spectrum: Spectrum, population: int) -> float | None:
    """The same by Hoshino's approximation for large populations, Γ(θ + 1) / Γ(θ + α) · N^α, as ARX prints it.

    Never smaller than the exact figure if θ + α is positive, and larger by a share of about θ (1 − α) / N.
    """
    alpha, theta = fitted(spectrum)
    return math.exp(math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(population))


def fitted(spectrum: Spectrum) -> tuple[float, float]:
    """The maximum-likelihood α and θ of Pitman's partition.

    Climbs the log-likelihood by its gradient in logit α and log(θ + α), then solves for a gradient of zero. A step
    costs O(sizes).
    """
    from scipy.optimize import minimize, root  # type: ignore[import-untyped]

    likelihood = _Likelihood(np.array([*spectrum], np.float64), np.array([*spectrum.values()], np.float64))
    start = np.array([0.0, math.log(likelihood.u)])
    options = {"ftol": 1e-11, "gtol": 1e-7}
    near = minimize(
        likelihood, start, jac=True, method="L-BFGS-B", bounds=[(-14.0, 14.0), (-12.0, 25.0)], options=options
    )
    found = root(lambda at: likelihood(at)[1], near.x, options={"xtol": 1e-12})
    best = found.x if found.success and likelihood(found.x)[0] <= near.fun + 1e-9 else near.x
    alpha = _alpha(best[0])
    return alpha, math.exp(best[1]) - alpha


def _alpha(logit: float) -> float:
    """α, bounded away from 0 and 1."""
    return 1 / (1 + math.exp(-min(max(logit, -14.0), 14.0)))


@dataclass(frozen=True)
class _Likelihood:
    """Minus the log-likelihood of a partition per person, and its gradient, at logit α and log(θ + α)."""

    sizes: Floats
    counts: Floats

    @property
    def u(self) -> float:
        """The number of classes."""
        return float(self.counts.sum())

    def __call__(self, at: Floats) -> tuple[float, Floats]:
        from scipy.special import digamma, gammaln  # type: ignore[import-untyped]

        sizes, counts, u = self.sizes, self.counts, self.u
        n = float(sizes @ counts)
        alpha, shifted = _alpha(at[0]), math.exp(min(at[1], 30.0))
        theta = shifted - alpha
        ratio = theta / alpha
        height = (u - 1) * math.log(alpha) + gammaln(ratio + u) - gammaln(ratio + 1) - gammaln(theta + n)
        height += gammaln(theta + 1) + counts @ (gammaln(sizes - alpha) - gammaln(1 - alpha))
        gap = digamma(ratio + u) - digamma(ratio + 1)
        by_theta = gap / alpha - digamma(theta + n) + digamma(theta + 1)
        by_alpha = (u - 1) / alpha - gap * ratio / alpha - counts @ (digamma(sizes - alpha) - digamma(1 - alpha))
        slopes = np.array([(by_alpha - by_theta) * alpha * (1 - alpha), by_theta * shifted])
        return -height / n, -slopes / n


def snb(spectrum: Spectrum, population: int) -> float | None:
    """Classes of the population follow a negative binomial shifted to start at 1; the share beta^alpha have one.

    The number of classes is Shlosser's estimate (the third of Haas et al. 1995), and alpha and beta are such that the
    sample is expected to have its numbers of classes of one and of two. None if nothing fits. Reference: Chen and
    Keller-McNulty 1998, Estimation of Identification Disclosure Risk in Microdata.
    """
    n = sum(size * count for size, count in spectrum.items())
    f = n / population
    if f >= 1:
        return float(spectrum[1])
    classes = _shlosser(spectrum, f)
    wanted = spectrum[1] / classes, spectrum.get(2, 0) / classes
    solved = _solve(lambda a, b: _expected(a, b, f), wanted) if wanted[1] else None
    return None if solved is None else classes * solved[1] ** solved[0]


def _shlosser(spectrum: Spectrum, f: float) -> float:
    """The number of classes in the population, estimated from the sample."""
    p = f * f
    seen = sum(i * p * (1 - p) ** (i - 1) * c for i, c in spectrum.items())
    lost = sum(((1 - p) ** i - (1 - f) ** i) * c for i, c in spectrum.items())
    unseen = sum((1 - f) ** i * c for i, c in spectrum.items())
    once = sum(i * f * (1 - f) ** (i - 1) * c for i, c in spectrum.items())
    return sum(spectrum.values()) + spectrum[1] * (seen / lost) * (unseen / once) ** 2


def _expected(alpha: float, beta: float, f: float) -> tuple[float, float]:
    """The probabilities that one and two people of a class are in a sample of share ``f``."""
    rest = (1 - beta) / (1 - (1 - beta) * (1 - f))
    h = (beta / (1 - (1 - beta) * (1 - f))) ** alpha
    first = alpha * rest * h
    second = alpha * (alpha + 1) * rest * rest * h
    return f * (h + (1 - f) * first), f * f / 2 * (2 * first + (1 - f) * second)


def _solve(
    expected: Callable[[float, float], tuple[float, float]], wanted: tuple[float, float]
) -> tuple[float, float] | None:
    """Alpha and beta with the wanted probabilities, by Newton's method in logs from the best of a grid, or None."""

    def off(x: float, y: float) -> tuple[float, float]:
        found = expected(math.exp(x), 1 / (1 + math.exp(-y)))
        return math.log(max(found[0], 1e-300) / wanted[0]), math.log(max(found[1], 1e-300) / wanted[1])

    starts = [(x / 2, y / 2) for x in range(-10, 11) for y in range(-16, 17)]
    x, y = min(starts, key=lambda at: sum(part * part for part in off(*at)))
    for _ in range(200):
        u, v = off(x, y)
        if abs(u) + abs(v) < 1e-10:
            return math.exp(x), 1 / (1 + math.exp(-y))
        step = 1e-6
        du, dv = off(x + step, y), off(x, y + step)
        a, b, c, d = (du[0] - u) / step, (dv[0] - u) / step, (du[1] - v) / step, (dv[1] - v) / step
        det = a * d - b * c
        if abs(det) < 1e-14:
            return None
        dx, dy = (d * u - b * v) / det, (a * v - c * u) / det
        scale = min(1.0, 0.5 / max(abs(dx), abs(dy), 1e-12))
        x, y = x - scale * dx, y - scale * dy
        if abs(x) > 30 or abs(y) > 30:
            return None
    return None


MODELS: Mapping[str, Callable[[Spectrum, int], float | None]] = {
    "zayatz": zayatz,
    "snb": snb,
    "pitman": pitman,
    "pitman-asymptotic": pitman_asymptotic,
}
"""The estimators by name."""

DANKAR = "dankar"
"""The name of the rule that chooses among them."""
