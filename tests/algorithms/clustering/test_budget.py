"""How long a search goes on."""

from __future__ import annotations

from time import sleep

from shoal.algorithms import Mondrian
from shoal.algorithms.clustering import Refined, Search
from shoal.algorithms.clustering.budget import Budget
from shoal.kernels.compiled import compiling


def _spent(budget: Budget, losses: list[float]) -> int:
    """After how many rounds of fifty steps the budget is over or has dried up."""
    for rounds, loss in enumerate(losses, 1):
        budget.count(50, 0.0)
        if budget.is_over or budget.has_dried_up(loss):
            return rounds
    return len(losses) + 1


def test_it_dries_up_where_an_eighth_of_it_gains_too_little() -> None:
    falling = [100.0 - n for n in range(8)]
    assert _spent(Budget(1.0, steps=800, least_gain=0.01), falling + [falling[-1]] * 8) == 10
    assert _spent(Budget(1.0, steps=800, least_gain=0.01), [100.0 * 0.99**n for n in range(16)]) == 16


def test_it_is_spent_to_the_end_where_no_gain_is_too_small() -> None:
    assert _spent(Budget(1.0, steps=800), [100.0] * 16) == 16


def test_compiling_is_not_paid_for() -> None:
    budget = Budget(0.05)
    with compiling():
        sleep(0.1)
    assert not budget.is_over
    sleep(0.06)
    assert budget.is_over


def test_a_block_has_its_share_of_the_seconds() -> None:
    whole = Refined(Mondrian(relaxed=True), (Search(),), 60.0, rows=1_000_000)
    assert whole.seconds_for(200_000) == 12.0
    assert whole.seconds_for(2_000_000) == 60.0
    assert Refined(Mondrian(), (), 60.0).seconds_for(10) == 60.0
    assert Refined(Mondrian(), (), None, rows=10).seconds_for(10) is None
