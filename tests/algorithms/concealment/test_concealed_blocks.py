"""Blocks: what their union keeps, and what it does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.assignment import possible
from naive.concealment import fitting, likeliest
from shoal.algorithms import Concealment
from shoal.algorithms.concealment.bicycles import concealed
from shoal.algorithms.concealment.concealed_blocks import blocks, in_blocks
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.greedy import greedy
from shoal.algorithms.concealment.match_repair import repaired
from shoal.algorithms.concealment.row_tree import Field
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.models import KConcealment, LDiversity
from support.drafts import boxes, graph, laid
from support.strategies import tables
from support.tables import coded, goal_of, single


def _concealed(field: Field, k: int) -> Draft:
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
