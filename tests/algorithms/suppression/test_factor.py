"""The lightest graph against all graphs, and what becomes of its pieces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import suppression as naive
from shoal.algorithms import Factor
from shoal.algorithms.suppression.factor import Chain, chains, cut, groups_of, lightest
from shoal.algorithms.suppression.problem import SuppressionProblem
from shoal.core.progress import Silent
from shoal.errors import InputError
from shoal.models import KAnonymity, LDiversity
from support.effort import examples
from support.tables import coded, goal_of, lists_of

Rows = list[tuple[int, ...]]


def rows_of(least: int, most: int) -> st.SearchStrategy[Rows]:
    def wide(width: int) -> st.SearchStrategy[Rows]:
        return st.lists(st.tuples(*[st.integers(0, 2)] * width), min_size=least, max_size=most)

    return st.integers(1, 5).flatmap(wide)


def problem_of(rows: Rows, prices: list[float]) -> SuppressionProblem:
    return SuppressionProblem(np.ascontiguousarray(np.array(rows, np.int32).T), np.array(prices))


@settings(max_examples=examples(1.5))
@given(rows_of(3, 8), st.sampled_from([(1, 2), (2, 2)]), st.data())
def test_no_graph_is_lighter(rows: Rows, degrees: tuple[int, int], data: st.DataObject) -> None:
    prices = data.draw(st.lists(st.sampled_from([1.0, 2.0, 0.5]), min_size=len(rows[0]), max_size=len(rows[0])))
    edges = lightest(problem_of(rows, prices), *degrees).tolist()
    found = np.bincount(np.array(edges).ravel(), minlength=len(rows))
    assert degrees[0] <= found.min()
    assert found.max() <= degrees[1]
    assert len({frozenset(edge) for edge in edges}) == len(edges)
    weight = sum(naive.stars([rows[a], rows[b]], prices) for a, b in edges)
    assert weight == pytest.approx(naive.lightest(rows, prices, *degrees))


def test_paths_and_rings_are_told_apart() -> None:
    edges = np.array([[0, 1], [2, 3], [3, 4], [5, 6], [6, 7], [5, 7]])
    found = [(sorted(chain.rows.tolist()), chain.is_ring) for chain in chains(8, edges)]
    assert sorted(found) == [([0, 1], False), ([2, 3, 4], False), ([5, 6, 7], True)]


def test_rows_of_a_chain_are_linked_with_the_next() -> None:
    edges = np.array([[4, 0], [2, 4], [2, 1], [3, 1]])
    assert [chain.rows.tolist() for chain in chains(5, edges)] in ([[0, 4, 2, 1, 3]], [[3, 1, 2, 4, 0]])


def all_cuts(rows: list[int], k: int) -> list[list[list[int]]]:
    if not rows:
        return [[]]
    return [[rows[:n], *rest] for n in range(k, min(len(rows), 2 * k - 1) + 1) for rest in all_cuts(rows[n:], k)]


@given(rows_of(3, 11), st.sampled_from([2, 3]), st.booleans())
def test_chains_are_cut_where_it_stars_least(rows: Rows, k: int, is_ring: bool) -> None:
    problem, n = problem_of(rows, [1.0] * len(rows[0])), len(rows)
    runs = cut(problem, Chain(np.arange(n, dtype=np.int32), is_ring), k)
    assert sorted(row for run in runs for row in run.tolist()) == list(range(n))
    turned = [[*range(turn, n), *range(turn)] for turn in (range(n) if is_ring else range(1))]
    ways = [way for order in turned for way in all_cuts(order, k)]

    def cost(way: list[list[int]]) -> float:
        return sum(len(run) * naive.stars([rows[i] for i in run], [1.0] * len(rows[0])) for run in way)

    assert cost([run.tolist() for run in runs]) == min(map(cost, ways))


@given(rows_of(5, 14), st.sampled_from([1, 2, 3]))
def test_groups_have_k_to_2k_minus_1_rows(rows: Rows, k: int) -> None:
    lists = lists_of(groups_of(problem_of(rows, [1.0] * len(rows[0])), k, Silent()))
    assert sorted(row for group in lists for row in group) == list(range(len(rows)))
    assert all(k <= len(group) <= 2 * k - 1 for group in lists)


def test_other_promises_are_refused_in_a_sentence() -> None:
    few = coded({"q": ["a", "b"] * 5, "s": list("abcdefghij")}, ["q"], sensitive=("s",))
    with pytest.raises(InputError, match=r"is for k = 2 and k = 3, and these promises want groups of 4; choose"):
        Factor().refuse(few, goal_of(KAnonymity(4)))
    with pytest.raises(InputError, match=r"want groups of 5"):
        Factor().refuse(few, goal_of(KAnonymity(2), LDiversity(5)))
    many = coded({"q": ["a", "b"] * 200}, ["q"])
    with pytest.raises(InputError, match=r"at most 300 rows, this one has 400; choose"):
        Factor().refuse(many, goal_of(KAnonymity(2)))
