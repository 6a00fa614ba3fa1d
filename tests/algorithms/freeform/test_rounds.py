"""Rounds of assignments against their twins, and the lemma on backtracking."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import freeform as naive
from shoal.algorithms.freeform.rounds import MATCHINGS, block_of, build, polished, take_optimally
from shoal.core.contracts import CellMetric
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.core.tariff import tariff_of
from shoal.kernels.freeform import by_weight, greedy, let_in, price_joins, weigh
from shoal.metrics import GCP, LM
from support.effort import examples
from support.strategies import tables

Weights = np.ndarray


def cost_in(table: Table, metric: CellMetric) -> naive.Cost:
    """What the cells around rows cost, by the metric itself."""

    def cost(rows: Sequence[int]) -> float:
        groups = Groups(np.array([0, len(rows)], np.int64), np.array(rows, np.int32))
        paid = 0.0
        for column, codes in zip(table.quasi, table.codes, strict=True):
            cells = column.recoding.enclose(groups, codes)
            paid += column.weight * float(metric.price(column, cells)[cells.ids[0]])
        return paid

    return cost


def rows_of(edges: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero((edges == record).any(axis=1)).tolist() for record in range(edges.shape[0])]


@st.composite
def used_up(draw: st.DrawFn, most: int = 9) -> Weights:
    """Weights of a round of which earlier rounds used edges: as many for each row and record."""
    n = draw(st.integers(2, most))
    n_used = draw(st.integers(1, n - 1))
    base = draw(st.permutations(range(n)))
    steps = draw(st.permutations(range(n)))[:n_used]
    cells = draw(st.lists(st.integers(0, 9), min_size=n * n, max_size=n * n))
    weights = np.array(cells, np.float32).reshape(n, n)
    for step in steps:
        for i in range(n):
            weights[i, base[(i + step) % n]] = np.inf
    return weights


@pytest.mark.parametrize("metric", [GCP(), LM()], ids=lambda metric: metric.name)
@given(table=tables(8), data=st.data())
def test_weights_are_rises_of_the_metric(metric: CellMetric, table: Table, data: st.DataObject) -> None:
    n = table.n_rows
    k = data.draw(st.integers(1, n))
    tariff = tariff_of(table, metric, most=n)
    edges = build(table.codes, k, tariff, MATCHINGS["sorted"])
    block = block_of(table.codes)
    for turn in range(1, k):
        let_in(block, np.ascontiguousarray(edges[:, turn]))
    rises, weights = np.empty((block.values.size, n), np.float32), np.empty((n, n), np.float32)
    price_joins(block, tariff, rises)
    weigh(block.entries, rises, edges, k, weights)
    expected = naive.weigh(rows_of(edges), cost_in(table, metric))
    whole = sum(column.weight for column in table.quasi) / tariff.unit
    np.testing.assert_allclose(weights * whole, np.array(expected), atol=1e-5)


@pytest.mark.parametrize("method", MATCHINGS)
@given(table=tables(12), data=st.data())
def test_every_round_gives_everybody_a_new_record(method: str, table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    edges = build(table.codes, k, tariff_of(table, GCP(), most=k), MATCHINGS[method])
    assert (edges[:, 0] == np.arange(table.n_rows)).all()
    for records in edges.T:
        assert sorted(records.tolist()) == list(range(table.n_rows))
    assert all(len(set(records)) == k for records in edges.tolist())


@settings(max_examples=examples(3))
@given(used_up())
def test_sorted_is_the_twin(weights: Weights) -> None:
    found, expected = by_weight(weights).tolist(), naive.by_weight(weights.tolist())
    if None not in expected:
        assert found == expected
    assert sorted(found) == list(range(len(found)))
    assert all(weights[i, j] < inf for i, j in enumerate(found))


@settings(max_examples=examples(3))
@given(used_up())
def test_greedy_is_the_twin(weights: Weights) -> None:
    examined = np.zeros(weights.shape[0], np.int64)
    found = greedy(weights, examined).tolist()
    expected, looked_at = naive.greedy(weights.tolist())
    if None not in expected:
        assert found == expected
        assert examined.tolist() == looked_at
    assert sorted(found) == list(range(len(found)))
    assert all(weights[i, j] < inf for i, j in enumerate(found))


@settings(max_examples=examples(12))
@given(used_up(12))
def test_lemma_5_1_bounds_the_backtracking(weights: Weights) -> None:
    """In round l a dead end at the i-th row is left within 2l + i − n − 3 rows, where there are n ≥ 2l − 2 rows."""
    n = weights.shape[0]
    turn = int(np.isinf(weights[0]).sum()) + 1
    examined = np.zeros(n, np.int64)
    greedy(weights, examined)
    for i in np.flatnonzero(examined):
        if n >= 2 * turn - 2:
            assert examined[i] <= 2 * turn + (i + 1) - n - 3


def test_there_are_dead_ends() -> None:
    """Or the lemma would be about nothing: the last row matched every record that is left."""
    weights = np.array([[0, 1, inf, 1], [inf, 1, 0, 1], [1, 0, inf, 1], [1, 1, 1, inf]], np.float32)
    weights[0, 2] = weights[1, 0] = weights[2, 3] = weights[3, 1] = inf
    weights[2, 2] = 1
    weights[3] = [1, inf, 1, inf]
    examined = np.zeros(4, np.int64)
    found = greedy(weights, examined).tolist()
    assert examined[3] > 0
    assert sorted(found) == [0, 1, 2, 3]


@given(used_up(6))
def test_hungarian_is_the_least_of_all(weights: Weights) -> None:
    total = sum(float(weights[i, j]) for i, j in enumerate(take_optimally(weights)))
    assert total == pytest.approx(naive.least_assignment(weights.tolist()))


@pytest.mark.parametrize("method", MATCHINGS)
@given(table=tables(12), data=st.data())
def test_polish_never_costs_more(method: str, table: Table, data: st.DataObject) -> None:
    k, cost = data.draw(st.integers(1, table.n_rows)), cost_in(table, GCP())
    tariff = tariff_of(table, GCP(), most=table.n_rows)
    edges = build(table.codes, k, tariff, MATCHINGS[method])
    better = polished(table.codes, edges, tariff, MATCHINGS[method], 2)
    assert all(sorted(records.tolist()) == list(range(table.n_rows)) for records in better.T)
    assert all(len(set(records)) == k for records in better.tolist())
    before, after = (sum(cost(rows) for rows in rows_of(graph)) for graph in (edges, better))
    assert after <= before + 1e-5
