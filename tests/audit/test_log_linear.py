"""Log-linear risk: the model against populations that it made, and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.audit.log_linear import KeyCells, log_linear
from shoal.core.arrays import Codes
from support.sdcmicro import fitted_counts, global_risks, poisson_means


def _population(seed: int, n: int = 60_000) -> Codes:
    """Three independent columns, so that main effects are the truth."""
    dice = np.random.default_rng(seed)
    shares = [np.arange(1, size + 1) ** -1.2 for size in (30, 25, 20)]
    return np.array([dice.choice(s.size, n, p=s / s.sum()) for s in shares], np.int32)


def _uniques(everybody: Codes, sample: Codes) -> tuple[int, float]:
    """How many sample uniques are unique in the population, and the sum of 1 over the people who share their cell."""
    whole: dict[tuple[int, ...], int] = {}
    for person in zip(*everybody.tolist(), strict=True):
        whole[person] = whole.get(person, 0) + 1
    seen: dict[tuple[int, ...], int] = {}
    for person in zip(*sample.tolist(), strict=True):
        seen[person] = seen.get(person, 0) + 1
    alone = [person for person, count in seen.items() if count == 1]
    return sum(whole[person] == 1 for person in alone), sum(1 / whole[person] for person in alone)


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_it_finds_the_uniques_of_a_population_that_it_made_and_sdcmicros_formula_does_not(share: float) -> None:
    """With the sample's mean in place of the population's rate, small samples look far riskier than they are."""
    everybody = _population(seed=1)
    chosen = np.random.default_rng(2).random(everybody.shape[1]) < share
    sample = np.ascontiguousarray(everybody[:, chosen])
    weights = np.full(sample.shape[1], 1 / share)
    uniques, matches = _uniques(everybody, sample)
    found = log_linear(sample, weights)
    assert found.uniques == pytest.approx(uniques, rel=0.25)
    assert found.matches == pytest.approx(matches, rel=0.15)
    n_cells = KeyCells.of(sample, weights).records.size
    assert global_risks(sample, weights)[1] * n_cells > 1.5 * matches


def test_a_sample_of_everybody_is_its_own_answer() -> None:
    codes = np.array([[0, 0, 1, 2], [0, 0, 1, 1]], np.int32)
    found = log_linear(codes, np.ones(4))
    assert (found.sample_uniques, found.uniques, found.matches) == (2, 2.0, 2.0)


def test_main_effects_are_products_of_shares() -> None:
    """What the closed form says is what the regression finds."""
    codes = _population(seed=3, n=400)
    codes = np.minimum(codes, 4)
    weights = np.full(400, 7.0)
    cells = KeyCells.of(codes, weights)
    products = np.full(cells.records.size, 400.0)
    for column in cells.codes:
        products *= np.bincount(column, cells.records)[column] / 400
    assert fitted_counts(codes, weights, "default") == pytest.approx(products, rel=1e-6)


def test_the_regression_by_hand() -> None:
    design = np.column_stack([np.ones(4), [0, 0, 1, 1]])
    assert poisson_means(design, np.array([1.0, 3.0, 10.0, 20.0]), np.zeros(4)) == pytest.approx([2, 2, 15, 15])
