"""(1,k)-anonymity: the repair against the paper's text, in every order."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import conceal_steps as naive
from naive.concealment import fitting
from shoal.algorithms.concealment.expansion import greedy, singles
from shoal.algorithms.concealment.match_repair import Order, repaired, visiting_order
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from support.drafts import boxes, closed, graph, laid
from support.strategies import tables


@given(tables(9), st.data())
def test_it_is_algorithm_3(table: Table, data: st.DataObject) -> None:
    field = laid(table)
    plain, k = naive.Plain(field), data.draw(st.integers(1, table.n_rows))
    order = data.draw(st.permutations(range(table.n_rows)))
    k_before = data.draw(st.integers(1, k))
    start = naive.expand(plain, k_before)
    done = repaired(greedy(field, k_before), k, np.array(order))
    assert boxes(done) == boxes(closed(field, naive.repair(plain, start, k, order)))


@pytest.mark.parametrize("order", get_args(Order))
@given(table=tables(20), data=st.data())
def test_what_it_promises(order: Order, table: Table, data: st.DataObject) -> None:
    """(k,1) becomes (k,k), and single values become (1,k)."""
    field, k = laid(table), data.draw(st.integers(1, table.n_rows))
    for start, least in ((greedy(field, k), k), (singles(field), 1)):
        rows, records = fitting(graph(repaired(start, k, visiting_order(start, order, Randomness(1)))))
        assert min(rows) >= k
        assert min(records) >= least


@given(tables(12))
def test_orders(table: Table) -> None:
    draft = greedy(laid(table), min(3, table.n_rows))
    costs = draft.costs()
    orders = {order: visiting_order(draft, order, Randomness(2)) for order in get_args(Order)}
    assert all(sorted(order.tolist()) == [*range(table.n_rows)] for order in orders.values())
    assert (np.diff(costs[orders["cheapest"]]) >= 0).all()
    assert (np.diff(costs[orders["costliest"]]) <= 0).all()
    assert orders["random"].tolist() == visiting_order(draft, "random", Randomness(2)).tolist()
