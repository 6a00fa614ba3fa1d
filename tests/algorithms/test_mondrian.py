"""Mondrian: the cuts it documents, one by one, and what strict and relaxed have to do with each other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.algorithms import Mondrian
from shoal.core.contracts import Goal
from shoal.core.hierarchy import Hierarchy
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import GoalNotMet
from shoal.metrics import GCP, LM
from shoal.models import KAnonymity, LDiversity
from support.strategies import tables
from support.tables import coded, goal_of, groups_of, lists_of, partitioned, sets_of_rows, single


def cut(table: Table, k: int, relaxed: bool = False) -> set[frozenset[int]]:
    return sets_of_rows(Mondrian(relaxed).partition(table, goal_of(KAnonymity(k)), Silent()))


def parts(*lists: Sequence[int]) -> set[frozenset[int]]:
    return {frozenset(rows) for rows in lists}


def test_the_widest_column_is_cut_first() -> None:
    """At the top all are equally wide, and the one with the fewest values is cut; below, one spreads more each time."""
    columns: dict[str, list[object]] = {
        "b": [0, 1, 0, 1, 0, 0, 10, 10],
        "c": [0, 0, 9, 9, 10, 9, 10, 9],
        "a": [0, 0, 0, 0, 10, 10, 10, 10],
    }
    assert cut(coded(columns, ["b", "c", "a"]), 2) == parts([0, 1], [2, 3], [4, 5], [6, 7])


def test_width_is_relative_to_the_whole_column() -> None:
    columns: dict[str, list[object]] = {"pay": [10_000, 10_001, 10_002, 10_003], "age": [1, 2, 1, 2]}
    assert cut(coded(columns, ["pay", "age"]), 2) == parts([0, 2], [1, 3]), "both are full; age has fewer values"
    weighted = coded(columns, ["pay", "age"], weights={"pay": 2.0})
    assert cut(weighted, 2) == parts([0, 1], [2, 3])


def test_equally_wide_columns_with_as_many_values_are_cut_in_order() -> None:
    columns: dict[str, list[object]] = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}
    assert cut(coded(columns, ["a", "b"]), 2) == parts([0, 1], [2, 3])
    assert cut(coded(columns, ["b", "a"]), 2) == parts([0, 2], [1, 3])


def test_the_cut_lies_beside_the_median_on_the_better_balanced_side() -> None:
    assert cut(single([0, 1, 1, 1, 1, 2, 2]), 1) == parts([0], [1, 2, 3, 4], [5, 6])
    assert cut(single([0, 1, 1, 1, 1, 2, 2]), 2) == parts([0, 1, 2, 3, 4], [5, 6])
    assert cut(single([0, 0, 1, 1, 1, 1, 2]), 2) == parts([0, 1], [2, 3, 4, 5, 6])


def test_the_next_column_is_tried_where_no_cut_is_allowable() -> None:
    columns: dict[str, list[object]] = {"wide": [0, 0, 0, 100], "narrow": [1, 1, 2, 2]}
    assert cut(coded(columns, ["wide", "narrow"]), 2) == parts([0, 1], [2, 3])


def test_hierarchies_are_cut_between_the_children_of_a_node() -> None:
    """Halves of three would be better balanced, but tear the large child apart."""
    tree = Hierarchy.from_dict({"big": ["a", "b", "c", "d"], "small": ["x", "y"]})
    table = single(["a", "b", "c", "d", "x", "y"], hierarchies={"q": tree})
    assert cut(table, 2) == parts([0, 1], [2, 3], [4, 5])
    assert cut(table, 3) == parts([0, 1, 2], [3, 4, 5]), "inside a child only when nothing else is allowable"


def test_missing_values_are_cut_off_first() -> None:
    columns: dict[str, list[object]] = {"age": [1, 2, None, 3, None, 4], "town": list("ababab")}
    assert parts([2, 4]) <= cut(coded(columns, ["age", "town"]), 2)


def test_equal_rows_stay_together_unless_relaxed() -> None:
    table = single([1, 1, 1, 2])
    assert cut(table, 2) == parts([0, 1, 2, 3])
    assert cut(table, 2, relaxed=True) == parts([0, 1], [2, 3])


def test_relaxed_cuts_as_strict_does_where_it_can() -> None:
    table = single([1, 1, 1, 2, 2, 2])
    assert cut(table, 3, relaxed=True) == cut(table, 3) == parts([0, 1, 2], [3, 4, 5])


@given(tables(), st.data())
def test_relaxed_refines_strict_and_never_loses_more(table: Table, data: st.DataObject) -> None:
    values = min(len(set(column.codes.tolist())) for column in table.sensitive)
    k, l = data.draw(st.integers(1, table.n_rows)), data.draw(st.integers(1, values))  # noqa: E741
    goal = goal_of(KAnonymity(k), LDiversity(l, others="ignore"))
    strict, relaxed = (Mondrian(relaxed).partition(table, goal, Silent()) for relaxed in (False, True))
    home = strict.ids(table.n_rows)
    assert all(len(set(home[rows].tolist())) == 1 for rows in lists_of(relaxed))
    for metric in (LM(), GCP()):
        losses = [metric.score(partitioned(table, lists_of(groups))) for groups in (relaxed, strict)]
        assert losses[0] <= losses[1] + 1e-12


@given(tables(), st.integers(1, 6))
def test_relaxed_groups_are_below_2k_unless_all_rows_are_equal(table: Table, k: int) -> None:
    """Groups, not classes: two groups may be given the same cells, and are one class then."""
    for rows in cut(table, min(k, table.n_rows), relaxed=True):
        distinct = {tuple(table.codes[:, row].tolist()) for row in rows}
        assert len(rows) < 2 * min(k, table.n_rows) or len(distinct) == 1


def test_promises_that_do_not_hold_together_even_in_one_class() -> None:
    table = coded({"a": [1, 2, 3], "s": ["x", "x", "y"]}, ["a"], sensitive=("s",))
    with pytest.raises(
        GoalNotMet, match=r"^3-diversity is more than this table can give: all .* in one class reach 2;"
    ):
        Mondrian().run(table, goal_of(KAnonymity(2), LDiversity(3)), Randomness(0), Silent())


def _allowable_cuts(table: Table, goal: Goal, rows: Sequence[int]) -> list[tuple[str, int]]:
    """Every cut of one column after which both sides keep all promises."""
    found = []
    for column, codes in zip(table.quasi, table.codes.tolist(), strict=True):
        for code in {codes[row] for row in rows}:
            sides = [[r for r in rows if codes[r] <= code], [r for r in rows if codes[r] > code]]
            if all(sides) and goal.accepts(table, groups_of(sides)).all():
                found.append((column.name, code))
    return found


@given(tables(), st.integers(1, 6))
def test_no_allowable_cut_is_left_by_size(table: Table, k: int) -> None:
    goal = goal_of(KAnonymity(min(k, table.n_rows)))
    for rows in lists_of(Mondrian().partition(table, goal, Silent())):
        assert not _allowable_cuts(table, goal, rows)


def test_no_allowable_cut_is_left_by_diversity() -> None:
    """The cuts beside the median leave one side with a single illness; the cut after 2 does not."""
    illnesses = ["A", "B", "B", "A", "A", "A", "A", "A", "A", "A"]
    table = coded({"age": list(range(1, 11)), "s": illnesses}, ["age"], sensitive=("s",))
    goal = goal_of(LDiversity(2))
    for rows in lists_of(Mondrian().partition(table, goal, Silent())):
        assert not _allowable_cuts(table, goal, rows)
