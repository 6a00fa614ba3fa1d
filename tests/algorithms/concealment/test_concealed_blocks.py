"""Blocks: what their union keeps, and what it does not."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.assignment import possible
from naive.concealment import COUNTABLE, fitting, likeliest
from shoal.algorithms import Concealment
from shoal.algorithms.concealment.bicycles import concealed
from shoal.algorithms.concealment.concealed_blocks import blocks, blocks_of_groups, in_blocks, shared_in_blocks
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.expansion import greedy
from shoal.algorithms.concealment.match_repair import repaired
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.models import KConcealment, LDiversity
from support.drafts import boxes, graph, laid
from support.strategies import partitions, tables
from support.tables import coded, goal_of, groups_of, single


def _concealed(field: RowTree, k: int) -> Draft:
    order = np.arange(field.n_rows)
    return concealed(repaired(greedy(field, k), k, order), k, k, order)


@given(tables(40), st.data())
def test_the_union_of_concealed_blocks_is_concealed(table: Table, data: st.DataObject) -> None:
    k, most = data.draw(st.integers(1, max(1, table.n_rows // 3))), data.draw(st.integers(1, 40))
    whole = in_blocks(laid(table), lambda block, number: _concealed(block, k), most, least=k)
    assert min(map(min, fitting(possible(graph(whole))))) >= k


@given(tables(40), st.data())
def test_blocks_part_the_rows(table: Table, data: st.DataObject) -> None:
    most, least = data.draw(st.integers(1, 50)), data.draw(st.integers(1, table.n_rows))
    found = [rows.tolist() for rows in blocks(laid(table), most, least)]
    assert sorted(row for rows in found for row in rows) == [*range(table.n_rows)]
    assert min(map(len, found)) >= least
    of_row = {row: block for block, rows in enumerate(found) for row in rows}
    people = [tuple(row) for row in table.codes.T.tolist()]
    assert all(of_row[i] == of_row[people.index(row)] for i, row in enumerate(people)), "equal rows stay together"


def test_blocks_are_about_as_large_as_asked() -> None:
    sizes = [len(rows) for rows in blocks(laid(single([*range(1000)])), 100, 5)]
    assert len(sizes) == 10
    assert max(sizes) <= 101


def test_one_block_is_the_whole() -> None:
    field = laid(single([5, 1, 4, 1, 9, 2]))
    assert boxes(in_blocks(field, lambda block, number: _concealed(block, 2), 6)) == boxes(_concealed(field, 2))


@given(tables(25, 3, ("tree", "suppress")), st.data())
def test_blocks_of_groups_have_whole_groups(table: Table, data: st.DataObject) -> None:
    start = Draft.of_groups(laid(table), groups_of(data.draw(partitions(table.n_rows, may_suppress=False))))
    found = [rows.tolist() for rows in blocks_of_groups(start, data.draw(st.integers(1, 10)))]
    assert sorted(row for rows in found for row in rows) == [*range(table.n_rows)]
    of_row = {row: block for block, rows in enumerate(found) for row in rows}
    cells = boxes(start)
    assert all(of_row[i] == of_row[cells.index(cell)] for i, cell in enumerate(cells)), "equal records stay together"


@given(tables(25, 3, ("tree", "suppress")), st.data())
def test_cells_shared_in_blocks_keep_the_bound(table: Table, data: st.DataObject) -> None:
    """However the blocks are cut: each of so many equal records can take the place of the others."""
    k = data.draw(st.integers(1, table.n_rows))
    users, most = data.draw(st.integers(1, k)), data.draw(st.integers(1, 25))
    start = Draft.of_groups(laid(table), groups_of(_at_least(k, data.draw(st.permutations(range(table.n_rows))))))
    draft = shared_in_blocks(start, k, users, 10**9, most).draft()
    assert draft.costs().sum() <= start.costs().sum()
    assert min(Counter(boxes(draft)).values()) >= users
    assert all(i in records for i, records in enumerate(graph(draft)))
    assert min(fitting(graph(draft))[1]) >= k
    if table.n_rows <= COUNTABLE:
        assert likeliest(graph(draft)) <= Fraction(1, users)


def _at_least(k: int, rows: list[int]) -> list[list[int]]:
    """Groups of k rows in this order; the last one has what is left, too."""
    n_groups = len(rows) // k
    return [rows[k * i : k * (i + 1) if i + 1 < n_groups else None] for i in range(n_groups)]


def test_without_time_groups_stay_as_they_are() -> None:
    start = Draft.of_groups(laid(single(list("aabb"), recodings={"q": "suppress"})), groups_of([[0, 2], [1, 3]]))
    shares = shared_in_blocks(start, 2, 1, 10**9, 2, until=-inf)
    assert boxes(shares.draft()) == boxes(start)


def test_the_union_of_diverse_blocks_may_not_be_diverse() -> None:
    """Half of each block's values are flu at most; but the first row of each fits the other's records with flu only."""
    values = ["flu", "HIV", "flu", "cold"]
    apart = [[0, 1], [0, 1], [2, 3], [2, 3]]
    together = [[0, 1, 2], [0, 1], [0, 2, 3], [2, 3]]
    assert all(_share_of_flu(values, records) <= 0.5 for records in possible(apart))
    assert _share_of_flu(values, possible(together)[0]) > 0.5


def _share_of_flu(values: list[str], records: list[int]) -> float:
    return sum(values[r] == "flu" for r in records) / len(records)


def test_the_pipeline_makes_the_whole_diverse() -> None:
    rows = [row * 7 % 41 for row in range(60)]
    table = coded(
        {"q": rows, "illness": ["flu" if row % 3 else "HIV" for row in range(60)]}, ["q"], sensitive=("illness",)
    )
    goal = goal_of(KConcealment(4), LDiversity(1.4, "frequency"))
    release = Concealment(linkage=1, block=40).run(table, goal, Randomness(1), Silent())
    assert all(promise.check(release).holds for promise in goal.promises)


def test_a_bound_on_chances_is_not_kept_by_a_union() -> None:
    """Two classes of two: once row 0 also fits a record of row 2's and row 2 one of row 0's, others are surer."""
    together = [[0, 1, 2], [0, 1], [0, 2, 3], [2, 3]]
    assert likeliest([[0, 1], [0, 1], [2, 3], [2, 3]]) == likeliest([[0, 1], [0, 1]])
    assert float(likeliest(together)) == pytest.approx(0.6)
