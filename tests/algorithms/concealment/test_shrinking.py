"""The shrinking pass: whatever was kept is kept, nothing grows, and what a bad order cost comes back."""

from __future__ import annotations

from itertools import combinations
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive.assignment import possible
from naive.concealment import COUNTABLE, Graph, fitting, likeliest
from shoal.algorithms.concealment.bicycles import concealed
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.expansion import greedy
from shoal.algorithms.concealment.match_repair import repaired
from shoal.algorithms.concealment.requirements import Needs
from shoal.algorithms.concealment.shrinking import settled, shrunk
from shoal.core.progress import Silent
from shoal.core.table import Table
from shoal.models import KConcealment, LDiversity
from support.drafts import boxes, graph, laid
from support.effort import examples
from support.strategies import tables
from support.tables import coded, goal_of, groups_of, single


def _numbers(found: Graph) -> tuple[int, int, int, int]:
    """The least fits of rows and records, and their least matches."""
    fits, matches = fitting(found), fitting(possible(found))
    return min(fits[0]), min(fits[1]), min(matches[0]), min(matches[1])


def _is_narrower(after: Draft, before: Draft) -> bool:
    pairs = zip(boxes(after), boxes(before), strict=True)
    return all(a <= b for one, other in pairs for a, b in zip(one, other, strict=True))


def _holds_owners(draft: Draft) -> bool:
    rows = draft.field.table.codes.T.tolist()
    return all(v in cell for row, box in zip(rows, boxes(draft), strict=True) for v, cell in zip(row, box, strict=True))


@given(tables(20), st.data())
def test_it_keeps_what_is_needed(table: Table, data: st.DataObject) -> None:
    field, n = laid(table), table.n_rows
    k, order = data.draw(st.integers(1, n)), np.array(data.draw(st.permutations(range(n))))
    start = concealed(repaired(greedy(field, k), k, order), k, k, order)
    wanted = [data.draw(st.sampled_from([1, k])) for _ in range(4)]
    done = shrunk(start, Needs(*wanted))
    assert done.loss <= start.loss
    assert _is_narrower(done, start)
    assert _holds_owners(done)
    assert all(there >= least for there, least in zip(_numbers(graph(done)), wanted, strict=True))


@given(tables(20), st.data())
def test_what_is_lacking_at_the_start_gets_no_worse(table: Table, data: st.DataObject) -> None:
    """Asked for more than there is, whoever lacks matches loses none."""
    draft = greedy(laid(table), min(2, table.n_rows))
    k = data.draw(st.integers(2, 30))
    before, after = (possible(graph(d)) for d in (draft, shrunk(draft, Needs(1, 1, k, 1))))
    assert all(len(there) >= min(k, len(here)) for there, here in zip(after, before, strict=True))


def test_it_undoes_a_needless_star() -> None:
    """Two classes of three; one record of the first was widened to everything and need not be."""
    field = laid(single([1, 1, 2, 8, 9, 9]))
    start = Draft.of_groups(field, groups_of([[0, 1, 2], [3, 4, 5]]))
    wide = start.copy()
    wide.records.low[0, 0], wide.records.high[0, 0] = 0, 3
    done = shrunk(wide, Needs(3, 3, 3, 3))
    assert boxes(done) == boxes(start)
    assert wide.loss > start.loss


@settings(max_examples=examples(1.5))
@given(tables(COUNTABLE, 2), st.data())
def test_settled_under_a_bound(table: Table, data: st.DataObject) -> None:
    """Whatever the bound, it holds in the end by counting all assignments, and the groups never were better."""
    n = table.n_rows
    size = data.draw(st.integers(1, n))
    start = Draft.of_groups(laid(table), groups_of([[*range(size)], [*range(size, n)]] if size < n else [[*range(n)]]))
    k = min(size, n - size) if size < n else n
    needs = Needs(1, 1, data.draw(st.sampled_from([1, k])), data.draw(st.sampled_from([1, k])), min(1, 1.5 / k))
    until = data.draw(st.sampled_from([0.0, inf]))
    done = settled(start, needs, goal_of(KConcealment(k)), Silent(), until)
    assert done.loss <= start.loss
    assert float(likeliest(possible(graph(done)))) <= needs.linkage + 1e-9
    numbers = _numbers(graph(done))
    assert numbers[2] >= needs.row_matches
    assert numbers[3] >= needs.record_matches


def test_components_that_cannot_be_proven_stay_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    table = single([1, 2, 3, 4, 5, 6, 7, 8])
    start = Draft.of_groups(laid(table), groups_of([[0, 1, 2, 3], [4, 5, 6, 7]]))
    needs = Needs(1, 1, 2, 2, 0.5)
    free = settled(start, needs, goal_of(KConcealment(2)), Silent())
    assert free.loss < start.loss
    too_likely = "shoal.algorithms.concealment.shrinking.too_likely"
    monkeypatch.setattr(too_likely, lambda draft, most: np.arange(8) == 0)
    half = settled(start, needs, goal_of(KConcealment(2)), Silent())
    assert boxes(half)[:4] == boxes(start)[:4]
    assert boxes(half)[4:] == boxes(free)[4:]


def test_diversity_of_what_is_left_is_looked_after() -> None:
    """Some ways to have the flu would be told by what the bound alone allows; none is where the promise is asked."""
    n_told = 0
    for sick in combinations(range(6), 3):
        values = ["flu" if row in sick else "HIV" for row in range(6)]
        table = coded({"q": [1, 2, 3, 4, 5, 6], "illness": values}, ["q"], sensitive=("illness",))
        start, needs = Draft.of_groups(laid(table), groups_of([[*range(6)]])), Needs(1, 1, 2, 2)
        n_told += not _is_diverse(settled(start, needs, goal_of(KConcealment(2)), Silent()), values)
        done = settled(start, needs, goal_of(KConcealment(2), LDiversity(2)), Silent())
        assert _is_diverse(done, values)
    assert n_told


def _is_diverse(draft: Draft, values: list[str]) -> bool:
    return all(len({values[r] for r in records}) > 1 for records in possible(graph(draft)))
