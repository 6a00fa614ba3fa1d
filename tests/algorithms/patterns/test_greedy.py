"""The greedy: against its slow twin, on tables of every kind, with every promise."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import patterns as naive
from shoal.algorithms.patterns import PatternGreedy
from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.pattern_greedy import cover, cover_rows, cover_thriftily
from shoal.core.contracts import Goal
from shoal.core.hierarchy import Hierarchy
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import GoalNotMet, InputError
from shoal.metrics import LM
from shoal.models import KAnonymity, LDiversity
from support.patterns import chosen_texts, greedy_of, k_goal, matrix, problem_of
from support.published import keeps, run
from support.strategies import tables
from support.tables import coded

rows = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=30)
some_patterns = st.lists(st.tuples(*[st.booleans()] * 4), min_size=1, max_size=16, unique=True)


def explicit(patterns: list[tuple[bool, ...]]) -> list[str]:
    return [",".join("*" if star else name for star, name in zip(p, "abcd", strict=True)) for p in patterns]


@given(rows, some_patterns, st.integers(1, 6))
def test_twin(table: list[tuple[int, ...]], patterns: list[tuple[bool, ...]], k: int) -> None:
    problem = problem_of(matrix(table), patterns=explicit(patterns))
    if (True,) * 4 not in patterns:
        patterns = [*patterns, (True,) * 4]
    by_cost = sorted(patterns, key=sum)
    assert greedy_of(problem, k).chosen.tolist() == naive.greedy(table, by_cost, k)


@given(rows, st.integers(1, 6))
def test_patterns_that_cannot_find_anything_are_rightly_passed_over(table: list[tuple[int, ...]], k: int) -> None:
    """Two columns that say the same, a constant one: many patterns are idle, and nothing else changes."""
    wider = [(*row, row[0], 7) for row in table]
    every = sorted(product([False, True], repeat=6), key=sum)
    assert greedy_of(problem_of(matrix(wider)), k).chosen.tolist() == naive.greedy(wider, every, k)


def test_idle_patterns_are_found() -> None:
    """a determines b, so with a kept it is no use to star b."""
    problem = problem_of(matrix([("x", 1, 1), ("y", 1, 2), ("z", 2, 3), ("x", 1, 4)]))
    idle = [problem.mask.text(int(p)) for p in np.flatnonzero(problem.idle)]
    assert "a,*,c" in idle
    assert "a,*,*" in idle
    assert "*,b,c" in idle  # c determines a and b
    assert "*,b,*" not in idle


@given(tables(20, 3), st.data())
def test_the_careful_greedy_is_the_fast_one_where_only_size_matters(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    problem = problem_of(table, levels=data.draw(st.booleans()))
    nothing = Assignment(table, problem.mask, np.full(table.n_rows, -1, np.int32))
    careful = cover_rows(problem, k_goal(k), nothing)
    assert careful.chosen.tolist() == cover(problem, k_goal(k), Silent()).chosen.tolist()


@given(tables(20, 3), st.data())
def test_the_thrifty_greedy_makes_classes_of_k(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    found = cover_thriftily(problem_of(table), k)
    assert (found.classes.sizes >= k).all()
    assert found.left.size < k


def test_the_thrifty_greedy_takes_the_pattern_that_fits_most_rows_first() -> None:
    """Starring b fits two rows, starring a four; the paper's order takes b first and loses the fourth."""
    table = matrix([("x", 1), ("x", 2), ("y", 2), ("z", 2)])
    problem = problem_of(table, outliers=False)
    assert greedy_of(problem, 2).cost == 4
    assert chosen_texts(cover_thriftily(problem, 2)) == ["-", "*,b", "*,b", "*,b"]


def test_promises_beyond_size_hold_in_every_class() -> None:
    columns = {"a": list("xxxxyyyy"), "b": list("11223344"), "s": ["flu", "flu", "hiv", "hiv"] * 2}
    table = coded(columns, ["a", "b"], sensitive=("s",), recodings={"a": "suppress", "b": "suppress"})
    goal = Goal((KAnonymity(2), LDiversity(2)), LM())
    done = run(PatternGreedy(), table, goal)
    assert all(keeps(promise, done) for promise in goal.promises)
    assert sorted(done.frame["a"].to_list()) == ["x"] * 4 + ["y"] * 4
    assert done.frame["b"].to_list().count("*") == 8


@given(tables(25, 3), st.data())
def test_levels_are_truthful_and_keep_promises(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    done = run(PatternGreedy(levels=True), table, k_goal(k))
    assert done.release.truthful().all()
    assert keeps(KAnonymity(k), done)


def test_a_pattern_names_levels() -> None:
    tree = Hierarchy.from_dict({"north": ["a", "b"], "south": ["c", "d"]})
    table = coded({"t": list("abcd"), "n": [1, 1, 2, 2]}, ["t", "n"], hierarchies={"t": tree})
    done = run(PatternGreedy(patterns=["t@1,n"], outliers=False), table, k_goal(2))
    assert sorted(done.frame["t"]) == ["north", "north", "south", "south"]
    assert sorted(map(str, done.frame["n"])) == ["1", "1", "2", "2"]


@given(tables(25, 3), st.data())
def test_any_rules_with_any_table(table: Table, data: st.DataObject) -> None:
    """What is published is of an allowed pattern: the star where it stars, the value where it keeps."""
    names = [column.name for column in table.quasi]
    some = st.lists(st.sampled_from(names), max_size=2, unique=True)
    said: dict[str, Any] = {"never": data.draw(some), "max_stars": data.draw(st.integers(0, 3))}
    k = data.draw(st.integers(1, table.n_rows))
    done = run(PatternGreedy(**said), table, k_goal(k))
    assert keeps(KAnonymity(k), done)
    for record in range(done.release.n_records):
        shape, owner = done.release.shapes[record], done.release.owners[record]
        blank = []
        for column, cells, codes in zip(table.quasi, done.release.cells, table.codes, strict=True):
            leaves = cells.leaves(int(cells.ids[shape])).tolist()
            assert leaves in ([codes[owner]], list(range(column.domain.n_leaves)))
            blank += [column.name] if leaves != [codes[owner]] else []
        wide = [column.name for column in table.quasi if column.domain.n_leaves > 1]
        assert set(blank) == set(wide) or (len(blank) <= said["max_stars"] and not set(blank) & set(said["never"]))


def test_a_remainder_below_k_is_never_published_alone() -> None:
    """Five rows x and one y at k = 2: the paper stars y alone; here an x, of which there are enough, joins it."""
    table = matrix([("x",)] * 5 + [("y",)])
    assert chosen_texts(greedy_of(problem_of(table), 2)) == ["a"] * 5 + ["-"]
    done = run(PatternGreedy(), table, k_goal(2))
    assert sorted(done.frame["a"]) == ["*", "*", "x", "x", "x", "x"]


def test_a_remainder_is_left_out_where_the_limit_allows() -> None:
    table = matrix([("x",)] * 5 + [("y",)])
    done = run(PatternGreedy(), table, k_goal(2, suppression_limit=0.2))
    assert done.frame["a"].to_list() == ["x"] * 5
    assert done.release.n_suppressed == 1


def test_a_remainder_takes_a_whole_class_where_no_row_can_be_spared() -> None:
    table = matrix([("x", 1), ("x", 1), ("y", 2), ("y", 2), ("z", 3)])
    done = run(PatternGreedy(), table, k_goal(2))
    assert sorted(done.frame["a"].to_list()).count("*") == 3
    assert keeps(KAnonymity(2), done)


def test_rows_that_nobody_can_join_are_named() -> None:
    table = matrix([("x", 1), ("x", 2), ("y", 8), ("z", 9)])
    with pytest.raises(InputError, match=r"No allowed pattern makes row 3 \(y, 8\), row 4 \(z, 9\) equal to 1 other"):
        run(PatternGreedy(outliers=False, max_stars=1), table, k_goal(2))


def test_rows_that_the_greedy_leaves_over_are_named() -> None:
    """x1 goes with x1; y1 could have joined one of them under *,b, but comes too late."""
    table = matrix([("x", 1), ("x", 1), ("y", 1)])
    algorithm = PatternGreedy(outliers=False, max_stars=1)
    with pytest.raises(GoalNotMet, match=r"1 row found no pattern that keeps every promise: row 3 \(y, 1\)"):
        run(algorithm, table, k_goal(2))


def test_all_rows_in_one_class_may_not_be_enough() -> None:
    table = coded({"a": [1, 2, 3], "s": ["flu"] * 3}, ["a"], sensitive=("s",))
    goal = Goal((LDiversity(2),), LM())
    with pytest.raises(GoalNotMet, match="Not even all rows in one class"):
        PatternGreedy().run(table, goal, Randomness(0), Silent())


def test_options_are_checked_once_when_made() -> None:
    with pytest.raises(InputError, match="max_stars must be at least 0"):
        PatternGreedy(max_stars=-1)
    assert PatternGreedy(never=["a"]).never == ("a",)
    with pytest.raises(InputError, match=r"'never' names 'b'"):
        PatternGreedy(never=("b",)).refuse(matrix([("x",)]), k_goal(1))
