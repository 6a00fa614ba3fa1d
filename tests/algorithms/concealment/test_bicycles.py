"""k-concealment: cycles of two against the paper's text, components kept up to date against ones found anew."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naive import conceal_steps as naive
from naive.assignment import possible
from naive.concealment import matching
from shoal.algorithms.concealment.bicycles import components_of, concealed
from shoal.algorithms.concealment.expansion import greedy
from shoal.algorithms.concealment.match_repair import repaired
from shoal.algorithms.concealment.match_sets import match_sets
from shoal.core.table import Table
from support.drafts import boxes, closed, graph, laid
from support.strategies import tables
from support.tables import lists_of


@given(tables(8), st.data())
def test_it_is_algorithm_5(table: Table, data: st.DataObject) -> None:
    """The twin finds all matches anew after each step, the kernel keeps the components up to date."""
    field, n = laid(table), table.n_rows
    plain, k = naive.Plain(field), data.draw(st.integers(1, n))
    orders = [data.draw(st.permutations(range(n))) for _ in range(2)]
    k_records = data.draw(st.sampled_from([0, k]))
    start = naive.repair(plain, naive.expand(plain, k), k, orders[0])
    done = concealed(repaired(greedy(field, k), k, np.array(orders[0])), k, k_records, np.array(orders[1]))
    assert boxes(done) == boxes(closed(field, naive.conceal(plain, start, k, k_records, orders[1])))


@given(tables(10), st.data())
def test_everyone_gets_k_matches(table: Table, data: st.DataObject) -> None:
    field, n = laid(table), table.n_rows
    k, order = data.draw(st.integers(1, n)), np.arange(n)
    kk = repaired(greedy(field, k), k, order)
    rows, records = matching(graph(concealed(kk, k, k, order)))
    assert min(rows + records) >= k
    assert min(matching(graph(concealed(kk, k, 0, order)))[0]) >= k


@given(tables(12), st.data())
def test_match_sets_are_those_of_section_8(table: Table, data: st.DataObject) -> None:
    field = laid(table)
    draft = greedy(field, data.draw(st.integers(1, table.n_rows)))
    every = possible(graph(draft))
    for row, type_ in enumerate(field.types):
        assert sorted(lists_of(match_sets(draft))[type_]) == every[row]


@given(tables(12), st.data())
def test_components_are_those_that_lead_back(table: Table, data: st.DataObject) -> None:
    draft = greedy(laid(table), data.draw(st.integers(1, table.n_rows)))
    of_row = components_of(draft)[draft.field.types]
    fits = graph(draft)
    for i, records in enumerate(possible(fits)):
        assert [j for j in fits[i] if of_row[i] == of_row[j]] == records
