"""Theorem 2: the least stars for k = 2 by matchings, against the integer program."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.algorithms.patterns import PatternExact
from shoal.algorithms.patterns.exact import MOST_MATCHED, Exact, ExactAssignment
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.errors import GoalNotMet, InputError
from shoal.models import KAnonymity
from support.effort import examples
from support.patterns import k_goal, matrix, problem_of
from support.published import keeps, run

PATTERNS = [",".join(places) for places in product(*(("*", name) for name in "abcd"))][1:]
rows = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=2, max_size=16)


def solved(problem: PatternProblem, method: Any, **options: Any) -> ExactAssignment:
    return PatternExact(method=method, **options).solve(problem, k_goal(2), Randomness(0), Silent())


def cost_of(problem: PatternProblem, method: str) -> float | None:
    try:
        solution = solved(problem, method)
    except GoalNotMet:
        return None
    assert solution.is_proven
    assert (solution.assignment.classes.sizes >= 2).all()
    assert not solution.assignment.left.size
    return solution.assignment.cost


@settings(max_examples=examples(2.5))
@given(rows, st.lists(st.sampled_from(PATTERNS), min_size=1, unique=True), st.booleans(), st.booleans())
def test_matchings_find_what_the_program_finds(
    table: list[tuple[int, ...]], patterns: list[str], outliers: bool, weighted: bool
) -> None:
    """With any patterns, with weights, and where outliers may not be starred."""
    costs = {"a": 0.25, "b": 2.0, "c": 1.5} if weighted else {}
    problem = problem_of(matrix(table), patterns=patterns, outliers=outliers, costs=costs)
    assert cost_of(problem, "matching") == pytest.approx(cost_of(problem, "program"))


@pytest.mark.parametrize(("n", "columns", "values"), [(60, 5, 3), (101, 6, 4), (150, 5, 3)])
def test_some_hundred_rows(n: int, columns: int, values: int) -> None:
    rng = np.random.default_rng(n)
    problem = problem_of(matrix(rng.integers(0, values, (n, columns)).tolist()))
    assert cost_of(problem, "matching") == cost_of(problem, "program")


def test_from_a_poor_start_it_gets_there_all_the_same() -> None:
    """Four groups of three rows: triples are often best, and the start has none."""
    rng = np.random.default_rng(5)
    for seed in range(20):
        table = [(base, *rng.integers(0, 2, 3)) for base in range(4) for _ in range(3)]
        problem = problem_of(matrix(table))
        cold = Exact(problem, 2, 0, seconds=60.0).match(None, Silent())
        assert cold.is_proven
        assert cold.assignment.cost == solved(problem, "program").assignment.cost, seed


def test_triples_are_used_where_pairs_would_cost_more() -> None:
    """Two groups of three rows that differ in one column each: six stars, while a pair across costs six alone."""
    table = [("x", 1, 1), ("x", 1, 2), ("x", 1, 3), ("y", 2, 4), ("y", 2, 5), ("y", 2, 6)]
    best = solved(problem_of(matrix(table)), "matching")
    assert best.assignment.cost == 6
    assert sorted(best.assignment.classes.sizes.tolist()) == [3, 3]


def test_out_of_time_the_gap_is_honest() -> None:
    rng = np.random.default_rng(60)
    problem = problem_of(matrix(rng.integers(0, 3, (60, 5)).tolist()))
    hurried = Exact(problem, 2, 0, seconds=-1.0).match(None, Silent())
    best = solved(problem, "matching")
    assert not hurried.is_proven
    assert hurried.bound <= best.assignment.cost <= hurried.assignment.cost


def test_the_release_keeps_its_promise() -> None:
    rng = np.random.default_rng(2)
    table = matrix(rng.integers(0, 3, (41, 4)).tolist())
    done = run(PatternExact(method="matching"), table, k_goal(2))
    assert keeps(KAnonymity(2), done)
    assert done.release.n_suppressed == 0
    assert done.release.truthful().all()


def test_what_it_cannot_do_is_refused_in_a_sentence() -> None:
    table = matrix([("x",)] * 4)
    asked = PatternExact(method="matching")
    with pytest.raises(InputError, match="'matching' is for k = 2, got k = 3; use the method 'program'"):
        asked.refuse(table, k_goal(3))
    with pytest.raises(InputError, match=r"leaves no row out, got the suppression limit 0\.5"):
        asked.refuse(table, k_goal(2, 0.5))
    wide = matrix([(number,) for number in range(MOST_MATCHED + 1)])
    with pytest.raises(InputError, match=r"at most 400 rows and 5,000,000 pairs.*this table has 401 rows"):
        solved(problem_of(wide), "matching")
