"""The integer program against trying everything; bounds, parts, and what becomes of too few rows outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.algorithms.patterns import PatternExact, PatternGreedy, PatternSearch
from shoal.algorithms.patterns.class_guessing import Class, assign_rows
from shoal.algorithms.patterns.exact import Exact, ExactAssignment, _rounded
from shoal.algorithms.patterns.instances import parts, reduced, row_bound, share
from shoal.algorithms.patterns.integer_program import Outside, Solved, solve
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.errors import GoalNotMet, InputError
from shoal.models import KAnonymity
from support.effort import examples
from support.patterns import greedy_of, k_goal, matrix, problem_of
from support.published import keeps, run

small_rows = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=7)
more_rows = st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=4, max_size=40)


def solved(problem: PatternProblem, k: int, spare: int = 0, **options: Any) -> ExactAssignment:
    goal = k_goal(k, spare / problem.table.n_rows)
    return PatternExact(**options).solve(problem, goal, Randomness(0), Silent())


def cost_or_none(problem: PatternProblem, k: int, method: str, spare: int = 0) -> float | None:
    try:
        return solved(problem, k, spare, method=method).assignment.cost
    except GoalNotMet:
        return None


@settings(max_examples=examples(2.5))
@given(small_rows, st.integers(2, 3), st.booleans(), st.integers(0, 2), st.data())
def test_the_program_finds_what_guessing_finds(
    rows: list[tuple[int, ...]], k: int, outliers: bool, spare: int, data: st.DataObject
) -> None:
    """Also where outliers may not be starred, or some rows may be left out."""
    patterns = data.draw(
        st.lists(st.sampled_from(["a,b,c", "a,b,*", "*,b,c", "a,*,c", "a,*,*"]), min_size=1, unique=True)
    )
    problem = problem_of(matrix(rows), patterns=patterns, outliers=outliers)
    if (sharing := share(problem, k)) is None or len(sharing.instances) > 10:
        return
    costs = [cost_or_none(problem, k, method, spare) for method in ("program", "guess")]
    assert costs[0] == pytest.approx(costs[1])


@given(more_rows, st.integers(2, 5))
def test_bounds_and_order(rows: list[tuple[int, ...]], k: int) -> None:
    """Row bound ≤ optimum ≤ search ≤ greedy once settled, and every release keeps its promise."""
    table = matrix(rows)
    if len(rows) < k:
        return
    done = [run(a, table, k_goal(k)) for a in (PatternExact(), PatternSearch(effort=3), PatternGreedy())]
    assert all(keeps(KAnonymity(k), one) for one in done)
    stars = [sum(v == "*" for row in one.frame.iter_rows() for v in row) for one in done]
    assert row_bound(problem_of(table), k) <= stars[0] <= stars[1] <= stars[2]


@given(more_rows, st.integers(2, 4))
def test_reductions_change_nothing(rows: list[tuple[int, ...]], k: int) -> None:
    problem = problem_of(matrix(rows), max_stars=2)
    sharing = share(problem, k)
    assert sharing is not None
    whole = solve(sharing, k, Outside(), None, 60.0)
    pieces = parts(reduced(sharing))
    costs = [piece.cost(solve(piece, k, Outside(), None, 60.0).homes) for piece in pieces]  # type: ignore[union-attr]
    alone = len(rows) - sum(piece.rows.members.size for piece in pieces)
    assert whole is not None
    assert sum(costs) + alone * sharing.full == pytest.approx(sharing.cost(whole.homes))
    held = np.concatenate([piece.rows.members for piece in pieces]) if pieces else np.zeros(0)
    assert np.unique(held).size == held.size


@given(more_rows, st.integers(2, 4))
def test_homes_and_assignments_are_the_same_thing(rows: list[tuple[int, ...]], k: int) -> None:
    problem = problem_of(matrix(rows))
    greedy = greedy_of(problem, k)
    sharing = share(problem, k)
    assert sharing is not None
    for one in (sharing, reduced(sharing)):
        back = one.assignment(problem, one.homes(greedy))
        inside = greedy.chosen != problem.mask.star
        assert back.chosen[inside].tolist() == greedy.chosen[inside].tolist()
        assert one.cost(one.homes(greedy)) == greedy.cost


def test_too_few_rows_outside_are_joined_or_left_out() -> None:
    """Three x and a y at k = 2. Starring y alone would be best but is no class; two stars are, or leaving y out."""
    problem = problem_of(matrix([("x",)] * 3 + [("y",)]))
    assert solved(problem, 2).assignment.cost == 2
    spared = solved(problem, 2, spare=1)
    assert spared.assignment.left.tolist() == [3]
    assert spared.is_proven


def test_without_outliers_the_program_still_finds_a_way() -> None:
    """The greedy is stuck here: x1 pairs with x1, and y1 is alone."""
    problem = problem_of(matrix([("x", 1), ("x", 1), ("y", 1)]), outliers=False, max_stars=1)
    best = solved(problem, 2)
    assert best.assignment.cost == 3
    assert best.is_proven


def test_where_there_is_no_way_it_is_said() -> None:
    """Each row could pair with another, but three rows in two disjoint pairs do not go."""
    problem = problem_of(matrix([("x", 1), ("x", 2), ("y", 2)]), patterns=["a,*", "*,b"], outliers=False)
    with pytest.raises(GoalNotMet, match="No assignment of rows"):
        solved(problem, 2)


def test_a_bound_per_row_proves_the_greedy_without_a_program() -> None:
    problem = problem_of(matrix([(a, b) for a in "xyz" for b in range(3)]))
    best = Exact(problem, 3, 0, seconds=0.0).solve(greedy_of(problem, 3), Silent())
    assert best.is_proven
    assert best.assignment.cost == 9


def test_out_of_time_the_gap_is_honest() -> None:
    rng = np.random.default_rng(1)
    problem = problem_of(matrix(rng.integers(0, 3, (60, 5)).tolist()))
    best = solved(problem, 3)
    hurried = solved(problem, 3, time_limit=0.0)
    assert best.is_proven
    assert hurried.bound <= best.assignment.cost <= hurried.assignment.cost
    assert hurried.gap >= (hurried.assignment.cost - best.assignment.cost) / hurried.assignment.cost
    assert "proven least" in str(best)


def test_a_program_without_any_bound_counts_as_its_rows_do() -> None:
    """HiGHS says minus infinity where time was up before the first relaxation was solved."""
    problem = problem_of(matrix([("x", 1), ("x", 2), ("y", 2), ("y", 1)]))
    sharing = share(problem, 2)
    assert sharing is not None
    homes = sharing.homes(greedy_of(problem, 2))
    assert _rounded(Solved(homes, -np.inf), sharing) == -np.inf
    assert _rounded(Solved(homes, 1.2), sharing) == 2.0


def test_weights_of_any_size() -> None:
    table = matrix([("x", 1), ("x", 2), ("y", 2), ("y", 1)], weights={"a": 0.25, "b": 1.5})
    assert solved(problem_of(table), 2).assignment.cost == pytest.approx(1.0)


def test_guessing_refuses_what_is_not_tiny() -> None:
    problem = problem_of(matrix([(a, b, c) for a in range(3) for b in range(3) for c in range(3)]))
    with pytest.raises(InputError, match="at most 14 possible classes"):
        solved(problem, 2, method="guess")


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(InputError, match=r"no method 'gess'\. Did you mean 'guess'"):
        PatternExact(method="gess")  # type: ignore[arg-type]


def test_row_assignment() -> None:
    """Two kinds, a class for both at 1 and one for the second alone at 0: two rows have to stay for company."""
    flows = assign_rows([1, 3], [Class([0, 1], 1.0, 2, 9), Class([1], 0.0, 2, 9)])
    assert flows == [[1, 0], [1, 2]]
    assert assign_rows([1, 3], [Class([0, 1], 1.0, 3, 9), Class([1], 0.0, 2, 9)]) is None
    assert assign_rows([4], [Class([0], 1.0, 0, 3)]) is None
