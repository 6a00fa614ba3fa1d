"""p-sensitivity (Algorithm 7) and l-diversity (section 8.2) of match sets, and any other promise about pools."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.assignment import possible
from shoal.algorithms.concealment.diversity import diversified
from shoal.algorithms.concealment.expansion import greedy, singles
from shoal.core.table import Table
from shoal.models import KConcealment, LDiversity
from support.drafts import boxes, graph, laid
from support.strategies import tables
from support.tables import coded, goal_of

ILLNESSES = ["flu", "flu", "flu", "HIV", "cold", "flu"]


def _table(values: list[str] = ILLNESSES) -> Table:
    return coded({"q": [1, 2, 3, 10, 11, 30], "illness": values}, ["q"], sensitive=("illness",))


def test_a_row_gets_the_cheapest_match_with_a_new_value() -> None:
    """Row 2 is nearest to a row with another illness; its record and that one's come to hold both."""
    draft = singles(laid(_table()))
    done = diversified(draft, goal_of(LDiversity(2)), np.array([2]))
    expected = boxes(draft)
    expected[2] = expected[3] = (frozenset([2, 3]),)
    assert boxes(done) == expected


def test_l_diversity_takes_any_but_the_most_frequent_value() -> None:
    """Rows 3 and 4 hide together; row 2, with two flus of its own, is matched with one of them, which is not flu."""
    draft = diversified(greedy(laid(_table()), 2), goal_of(LDiversity(1.5, "frequency")), np.array([2]))
    counts = Counter(ILLNESSES[r] for r in possible(graph(draft))[2])
    assert counts["flu"] * 1.5 <= counts.total()
    assert counts.total() < 6


@pytest.mark.parametrize("promise", [LDiversity(2), LDiversity(3), LDiversity(1.3, "frequency")], ids=str)
def test_all_match_sets_keep_it(promise: LDiversity) -> None:
    done = diversified(greedy(laid(_table()), 2), goal_of(promise), np.arange(6)).release()
    assert promise.check(done).holds
    assert KConcealment(2, "rows").check(done).holds


def test_the_last_rows_may_take_many_passes() -> None:
    """What is mended for one row enters the match sets of others."""
    chance, n = np.random.default_rng(18), 40
    columns = {name: chance.integers(0, 8, n).tolist() for name in "ab"}
    columns["illness"] = chance.choice(["flu", "HIV", "cold"], n, p=[0.45, 0.35, 0.2]).tolist()
    start = greedy(laid(coded(columns, ["a", "b"], sensitive=("illness",))), 4)
    promise = LDiversity(2, "frequency")
    with patch("shoal.algorithms.concealment.diversity._PASSES", 5):
        few = diversified(start, goal_of(promise), np.arange(n)).release()
    assert not promise.check(few).holds
    assert promise.check(diversified(start, goal_of(promise), np.arange(n)).release()).holds


@given(tables(15), st.data())
def test_nothing_gets_narrower(table: Table, data: st.DataObject) -> None:
    start = greedy(laid(table), data.draw(st.integers(1, table.n_rows)))
    done = diversified(start, goal_of(LDiversity(2, others="ignore")), np.arange(table.n_rows))
    for before, after in zip(boxes(start), boxes(done), strict=True):
        assert all(a <= b for a, b in zip(before, after, strict=True))


def test_it_ends_where_nothing_helps() -> None:
    """No row has another illness: the caller has to see for itself that the promise is not kept."""
    draft = singles(laid(_table(["flu"] * 6)))
    assert boxes(diversified(draft, goal_of(LDiversity(2)), np.arange(6))) == boxes(draft)


def test_without_such_promises_nothing_happens() -> None:
    draft = singles(laid(_table()))
    assert boxes(diversified(draft, goal_of(KConcealment(2)), np.arange(6))) == boxes(draft)
