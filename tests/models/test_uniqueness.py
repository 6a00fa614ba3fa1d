"""Population uniqueness: models against populations that were made by them, and against plain cases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal.models.uniqueness import estimate, pitman, snb, spectrum_of, zayatz


def sampled(classes: np.ndarray, share: float, seed: int) -> dict[int, int]:
    rng = np.random.default_rng(seed)
    chosen = rng.choice(classes.size, int(share * classes.size), replace=False)
    sizes = np.bincount(classes[chosen])
    return spectrum_of(sizes[sizes > 0])


def negative_binomial(n_classes: int, alpha: float, beta: float, seed: int) -> np.ndarray:
    sizes = 1 + np.random.default_rng(seed).negative_binomial(alpha, beta, n_classes)
    return np.repeat(np.arange(n_classes), sizes)


def restaurant(n: int, theta: float, alpha: float, seed: int) -> np.ndarray:
    """Pitman's partition, one person after the other: sit where a random person sits, or think again, or sit alone."""
    rng = np.random.default_rng(seed)
    sizes: list[int] = []
    seats = np.empty(n, np.int64)
    for person in range(n):
        if rng.random() < (theta + alpha * len(sizes)) / (theta + person):
            seats[person] = len(sizes)
            sizes.append(1)
            continue
        while True:
            table = seats[rng.integers(person)]
            if rng.random() < 1 - alpha / sizes[table]:
                break
        seats[person] = table
        sizes[table] += 1
    return seats


def uniques(classes: np.ndarray) -> float:
    return float((np.bincount(classes) == 1).sum() / classes.size)


def test_snb_on_its_own_population() -> None:
    population = negative_binomial(20_000, 0.5, 0.2, seed=1)
    found = snb(sampled(population, 0.5, seed=2), population.size)
    assert found is not None
    assert found / population.size == pytest.approx(uniques(population), rel=0.1)


def test_pitman_on_its_own_population() -> None:
    population = restaurant(20_000, 40, 0.5, seed=3)
    found = pitman(sampled(population, 0.1, seed=4), population.size)
    assert found is not None
    assert found / population.size == pytest.approx(uniques(population), rel=0.25)


def test_zayatz_with_nearly_everybody() -> None:
    population = negative_binomial(5000, 1.0, 0.3, seed=5)
    found = zayatz(sampled(population, 0.95, seed=6), population.size)
    assert found is not None
    assert found / population.size == pytest.approx(uniques(population), rel=0.05)


def test_zayatz_by_hand() -> None:
    """Two people of a pair and one alone, of four: C(2,1)·C(2,2)/C(4,3) = 1/2 to see one of the pair."""
    found = zayatz({1: 1, 2: 1}, 4)
    alone, pair = 3 / 4, math.comb(2, 1) * math.comb(2, 2) / math.comb(4, 3)
    assert found == pytest.approx(1 * alone / (alone + pair) * 4 / 3)


def test_a_whole_population_is_its_own_estimate() -> None:
    found = estimate({1: 7, 2: 3, 5: 2}, 23)
    assert found.zayatz == pytest.approx(7 / 23)
    assert found.snb == pytest.approx(7 / 23)
    assert found.share == pytest.approx(7 / 23)


@pytest.mark.parametrize(("share", "model"), [(0.05, "pitman"), (0.5, "snb")])
def test_dankars_rule(share: float, model: str) -> None:
    population = negative_binomial(20_000, 0.5, 0.2, seed=1)
    found = estimate(sampled(population, share, seed=2), population.size)
    assert found.model == model
    assert found.share == getattr(found, model)


def test_without_sample_uniques_nothing_is_estimated() -> None:
    found = estimate({2: 5, 3: 1}, 1000)
    assert (found.share, found.model, found.sample_uniques) == (0.0, "none needed", 0)
