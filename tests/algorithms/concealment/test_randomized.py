"""Randomized (k,1)-anonymity: a fair coin, fair choices among the nearest rows, and q that leaves a choice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import conceal_steps as naive
from naive.concealment import fitting
from shoal.algorithms.concealment.expansion import check_q, greedy, randomized
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import InputError
from support.drafts import boxes, closed, graph, laid
from support.strategies import tables
from support.tables import single


@given(tables(15), st.data())
def test_it_stays_k_one_anonymous(table: Table, data: st.DataObject) -> None:
    field, n = laid(table), table.n_rows
    k = data.draw(st.integers(1, n))
    q = data.draw(st.integers(k, 2 * k))
    done = randomized(greedy(field, k), k, q, Randomness(data.draw(st.integers(0, 99))))
    assert min(fitting(graph(done))[1]) >= k
    assert all(i in records for i, records in enumerate(graph(done)))


def test_every_choice_is_equally_likely() -> None:
    """Row 0 of a line keeps its cells, or gets the closure of two of its four nearest rows."""
    field = laid(single([0, 1, 2, 3, 4, 50, 60]))
    plain, start = naive.Plain(field), greedy(field, 3)
    own = boxes(start)[0]
    seen = Counter(boxes(randomized(start, 3, 4, Randomness(seed)))[0] for seed in range(3000))
    sets = [frozenset([0, *pair]) for pair in combinations([1, 2, 3, 4], 2)]
    others = Counter(boxes(closed(field, [rows, *([frozenset([i]) for i in range(1, 7)])]))[0] for rows in sets)
    assert plain.cost(frozenset([0, 1, 2])) == plain.cost(frozenset([0, 2]))
    others.pop(own)
    assert set(seen) == {own, *others}
    assert 0.47 < seen[own] / 3000 < 0.53
    for box, ways in others.items():
        assert abs(seen[box] / 3000 - 0.5 * ways / others.total()) < 0.03


def test_where_all_choices_are_the_same_cells_they_are_widened() -> None:
    """Four equal rows: any two neighbours give the same cells, so the coin decides whether to add the nearest row."""
    field = laid(single([1, 1, 1, 1, 2, 9]))
    start = greedy(field, 3)
    seen = {boxes(randomized(start, 3, 3, Randomness(seed)))[0] for seed in range(40)}
    assert seen == {(frozenset([0]),), (frozenset([0, 1]),)}


def test_q() -> None:
    assert check_q(0, 5, 100) == 8
    assert check_q(0, 5, 6) == 5
    assert check_q(5, 5, 100) == 5
    for q in (1, 4):
        with pytest.raises(InputError, match=r"q must be above k - 1 = 4 .* leave it out for 8"):
            check_q(q, 5, 100)


def test_k_of_1_and_of_all_rows() -> None:
    field = laid(single([1, 2, 3]))
    assert boxes(randomized(greedy(field, 1), 1, 0, Randomness(1))) == boxes(greedy(field, 1))
    assert boxes(randomized(greedy(field, 3), 3, 0, Randomness(1))) == boxes(greedy(field, 3))
