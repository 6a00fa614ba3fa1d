"""How many people of the population stand alone, estimated from a sample: Zayatz, SNB, Pitman, and Dankar's rule.

All take the *spectrum* of a sample, ``spectrum[size]`` classes of each size, and the size of the population that it
was drawn from at random; each estimates the number of people whose class in the population is theirs alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Offsets

Spectrum = Mapping[int, int]


@dataclass(frozen=True)
class Uniqueness:
    """Estimates of the share of the population that is unique, by model; None where a model has no solution.

    ``model`` is the one that Dankar's rule chooses, and ``share`` what it says.
    """

    population: int
    sample: int
    sample_uniques: int
    zayatz: float | None
    snb: float | None
    pitman: float | None
    model: str
    share: float


def spectrum_of(sizes: Offsets) -> dict[int, int]:
    """How many classes have each size."""
    values, counts = np.unique(sizes, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def estimate(spectrum: Spectrum, population: int) -> Uniqueness:
    """All estimates, and the one that Dankar's rule takes.

    The rule: without sample uniques none are estimated; up to a tenth of the population sampled, Pitman's model;
    beyond, the smaller of SNB and Zayatz; Zayatz wherever the other has no solution.

    Reference: Dankar, El Emam, Neisa and Roffey 2012.
    """
    n = sum(size * count for size, count in spectrum.items())
    found = {name: _share(model(spectrum, population), population) for name, model in MODELS.items()}
    zayatz, snb, pitman = found["zayatz"], found["snb"], found["pitman"]
    chosen = "none needed"
    if spectrum.get(1, 0):
        if n <= 0.1 * population:
            chosen = "pitman" if pitman is not None else "zayatz"
        else:
            chosen = "snb" if snb is not None and snb <= (zayatz or 0.0) else "zayatz"
    share = found.get(chosen)
    return Uniqueness(population, n, spectrum.get(1, 0), zayatz, snb, pitman, chosen, share or 0.0)


def zayatz(spectrum: Spectrum, population: int) -> float | None:
    """Sample uniques times the chance that one is unique in the population, over the share that was sampled.

    That chance comes from Bayes' rule, the sample's spectrum standing in for the population's: a class of ``i`` people
    shows one of them in the sample by the hypergeometric distribution. Reference: Zayatz 1991.
    """
    n = sum(size * count for size, count in spectrum.items())
    if not spectrum.get(1):
        return 0.0
    shown = {size: math.exp(_log_one_of(size, n, population)) for size in spectrum}
    total = sum(count * shown[size] for size, count in spectrum.items())
    return spectrum[1] * (spectrum[1] * shown[1] / total) * population / n


def _log_one_of(size: int, n: int, population: int) -> float:
    """The log chance that a sample of ``n`` holds exactly one of ``size`` people."""
    if n - 1 > population - size:
        return -math.inf
    return math.log(size) + _log_choose(population - size, n - 1) - _log_choose(population, n)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def pitman(spectrum: Spectrum, population: int) -> float | None:
    """The expected number of singletons of Pitman's partition of the population, parameters by maximum likelihood.

    Reference: Hoshino 2001; Pitman 1995.
    """
    if not spectrum.get(1):
        return 0.0
    best = _climb(lambda a: _climb(lambda t: _log_likelihood(spectrum, a, t), -12.0, 25.0)[1], 1e-6, 1 - 1e-6)
    alpha = best[0]
    log_t, _ = _climb(lambda t: _log_likelihood(spectrum, alpha, t), -12.0, 25.0)
    theta = math.exp(log_t) - alpha
    logs = math.lgamma(theta + alpha + population - 1) - math.lgamma(theta + alpha)
    logs += math.lgamma(theta + 1) - math.lgamma(theta + population)
    return population * math.exp(logs)


def _log_likelihood(spectrum: Spectrum, alpha: float, log_shifted: float) -> float:
    """Of the sample's partition, up to a constant; the second parameter is log(theta + alpha)."""
    theta = math.exp(log_shifted) - alpha
    n = sum(size * count for size, count in spectrum.items())
    u = sum(spectrum.values())
    found = (u - 1) * math.log(alpha) + math.lgamma(theta / alpha + u) - math.lgamma(theta / alpha + 1)
    found -= math.lgamma(theta + n) - math.lgamma(theta + 1)
    base = math.lgamma(1 - alpha)
    return found + sum(count * (math.lgamma(size - alpha) - base) for size, count in spectrum.items())


def _climb(height: Callable[[float], float], low: float, high: float, rounds: int = 60) -> tuple[float, float]:
    """Where a function with one peak is highest between two ends, and how high: golden sections."""
    ratio = (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    at_a, at_b = height(a), height(b)
    for _ in range(rounds):
        if at_a >= at_b:
            high, b, at_b = b, a, at_a
            a = high - ratio * (high - low)
            at_a = height(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + ratio * (high - low)
            at_b = height(b)
    return (a, at_a) if at_a >= at_b else (b, at_b)


def snb(spectrum: Spectrum, population: int) -> float | None:
    """Classes of the population follow a negative binomial distribution that begins at 1; beta^alpha of them have one.

    The number of classes is Shlosser's estimate (the third of Haas et al. 1995), alpha and beta are such that the
    sample is expected to have its classes of one and of two. None where nothing fits.

    Reference: Chen and Keller-McNulty 1998.
    """
    n = sum(size * count for size, count in spectrum.items())
    if not spectrum.get(1):
        return 0.0
    f = n / population
    if f >= 1:
        return float(spectrum[1])
    classes = _shlosser(spectrum, f)
    wanted = spectrum[1] / classes, spectrum.get(2, 0) / classes
    solved = _solve(lambda a, b: _expected(a, b, f), wanted) if wanted[1] else None
    return None if solved is None else classes * solved[1] ** solved[0]


def _shlosser(spectrum: Spectrum, f: float) -> float:
    """Classes in the population, from those in the sample."""
    p = f * f
    seen = sum(i * p * (1 - p) ** (i - 1) * c for i, c in spectrum.items())
    lost = sum(((1 - p) ** i - (1 - f) ** i) * c for i, c in spectrum.items())
    unseen = sum((1 - f) ** i * c for i, c in spectrum.items())
    once = sum(i * f * (1 - f) ** (i - 1) * c for i, c in spectrum.items())
    return sum(spectrum.values()) + spectrum[1] * (seen / lost) * (unseen / once) ** 2


def _expected(alpha: float, beta: float, f: float) -> tuple[float, float]:
    """The chances that a class shows one and two of its people in a sample of share ``f``."""
    rest = (1 - beta) / (1 - (1 - beta) * (1 - f))
    h = (beta / (1 - (1 - beta) * (1 - f))) ** alpha
    first = alpha * rest * h
    second = alpha * (alpha + 1) * rest * rest * h
    return f * (h + (1 - f) * first), f * f / 2 * (2 * first + (1 - f) * second)


def _solve(
    expected: Callable[[float, float], tuple[float, float]], wanted: tuple[float, float]
) -> tuple[float, float] | None:
    """Alpha and beta with the wanted chances: Newton's method in logs from the best of a grid; None where it fails."""

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


def _share(uniques: float | None, population: int) -> float | None:
    if uniques is None or not math.isfinite(uniques) or uniques < 0:
        return None
    return min(1.0, uniques / population)


MODELS: Mapping[str, Callable[[Spectrum, int], float | None]] = {"zayatz": zayatz, "snb": snb, "pitman": pitman}
"""The estimators by name."""
