"""Rubin's rules, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

import shoal


def test_the_rules() -> None:
    pooled = shoal.pool_estimates([10.0, 12.0, 11.0, 13.0], [4.0, 5.0, 4.5, 4.5])
    assert pooled.estimate == 11.5
    assert pooled.within == 4.5
    assert pooled.between == pytest.approx(5 / 3)
    assert pooled.variance == pytest.approx(4.5 + 1.25 * 5 / 3)
    share = 1.25 * (5 / 3) / (4.5 + 1.25 * 5 / 3)
    assert pooled.missing_information == pytest.approx(share)
    assert pooled.degrees_of_freedom == pytest.approx(3 / share**2)
    low, high = pooled.interval()
    assert (low + high) / 2 == pytest.approx(11.5)
    assert high - low == pytest.approx(2 * 2.0307 * pooled.standard_error, rel=0.01)


def test_draws_that_agree_add_nothing() -> None:
    pooled = shoal.pool_estimates([2.0, 2.0], [1.0, 1.0])
    assert (pooled.variance, pooled.missing_information, pooled.degrees_of_freedom) == (1.0, 0.0, math.inf)
    assert pooled.interval()[1] == pytest.approx(2 + 1.959964)
    assert shoal.pool_estimates([2.0, 2.0], [0.0, 0.0]).interval() == (2.0, 2.0)


@pytest.mark.parametrize(("estimates", "variances"), [([1.0], [1.0]), ([1.0, 2.0], [1.0]), ([1.0, 2.0], [1.0, -1.0])])
def test_what_cannot_be_pooled(estimates: list[float], variances: list[float]) -> None:
    with pytest.raises(shoal.InputError):
        shoal.pool_estimates(estimates, variances)
