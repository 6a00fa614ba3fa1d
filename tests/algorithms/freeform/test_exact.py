"""The mixed integer program against all graphs there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import freeform as naive
from shoal.algorithms import Freeform
from shoal.algorithms.freeform.exact import cost_of, solve
from shoal.algorithms.freeform.rounds import MATCHINGS, build
from shoal.core.claims import LeastLoss
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.core.tariff import tariff_of
from shoal.errors import InputError
from shoal.metrics import GCP
from shoal.models import UniformMatching
from support.strategies import tables
from support.tables import coded, goal_of, single


@settings(max_examples=12)
@given(tables(5, 3), st.data())
def test_nothing_costs_less(table: Table, data: st.DataObject) -> None:
    n = table.n_rows
    k, tariff = data.draw(st.integers(1, min(3, n))), tariff_of(table, GCP(), most=n)
    known = build(table.codes, k, tariff, MATCHINGS["greedy"])
    found = solve(table.codes, k, tariff, 30.0, known)
    least = min(cost_of(table.codes, np.array(graph), tariff) for graph in naive.regular_graphs(n, k))
    assert found.cost == pytest.approx(least, abs=1e-6)
    assert found.bound <= least + 1e-6
    assert found.gap < 1e-3
    assert sorted(found.edges.ravel().tolist()) == sorted([*range(n)] * k)


def test_a_table_of_one_row_needs_no_program() -> None:
    table = coded({"a": [1]}, ["a"])
    tariff = tariff_of(table, GCP(), most=1)
    found = solve(table.codes, 1, tariff, 30.0, np.zeros((1, 1), np.int32))
    assert (found.edges.tolist(), found.cost, found.gap) == ([[0]], 0.0, 0.0)


def test_the_gap_says_how_far_it_may_be() -> None:
    """Stopped at once, it falls back on what is known and proves little."""
    table = coded({"a": [row * 7 % 11 for row in range(18)], "b": [row * 5 % 13 for row in range(18)]}, ["a", "b"])
    tariff = tariff_of(table, GCP(), most=18)
    known = build(table.codes, 4, tariff, MATCHINGS["greedy"])
    found = solve(table.codes, 4, tariff, 0.0, known)
    assert found.cost <= cost_of(table.codes, known, tariff)
    assert 0 < found.gap <= 1


def test_a_proven_optimum_is_claimed_as_proven_and_a_search_that_was_stopped_tells_its_gap() -> None:
    table, goal = single([1, 2, 4, 8, 16]), goal_of(UniformMatching(2))
    (claim,) = Freeform("exact").run(table, goal, Randomness(1), Silent()).claims
    assert isinstance(claim, LeastLoss)
    assert claim.is_proven
    assert claim.stopped == ""
    table = coded({"a": [row * 7 % 11 for row in range(18)], "b": [row * 5 % 13 for row in range(18)]}, ["a", "b"])
    goal = goal_of(UniformMatching(4))
    (claim,) = Freeform("exact", seconds=0).run(table, goal, Randomness(1), Silent()).claims
    assert isinstance(claim, LeastLoss)
    assert not claim.is_proven
    assert claim.stopped == "after 0 s"


def test_large_tables_are_refused() -> None:
    with pytest.raises(InputError, match="at most 60 rows, the table has 61"):
        Freeform("exact").run(single(list(range(61))), goal_of(UniformMatching(2)), Randomness(1), Silent())
