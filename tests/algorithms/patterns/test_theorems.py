"""The paper's own constructions: the hardness gadget, the tight example, and the two-anonymous case."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.algorithms.patterns import PatternExact
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from support.patterns import greedy_of, k_goal, matrix, problem_of


def optimum(problem: PatternProblem, k: int) -> float:
    solution = PatternExact().solve(problem, k_goal(k), Randomness(0), Silent())
    assert solution.is_proven
    return solution.assignment.cost


@st.composite
def families(draw: st.DrawFn) -> list[tuple[int, int, int]]:
    """Sets of three elements that together cover 0 … n − 1."""
    n = draw(st.integers(3, 6))
    triples = list(combinations(range(n), 3))
    chosen = draw(st.lists(st.sampled_from(triples), min_size=1, max_size=5, unique=True))
    missing = sorted(set(range(n)) - {element for one in chosen for element in one})
    for element in missing:
        chosen.append(next(one for one in triples if element in one and one not in chosen))
    return chosen


@given(families())
def test_theorem_1_the_least_stars_tell_the_smallest_set_cover(family: list[tuple[int, ...]]) -> None:
    """Two rows (u, △, △) for each element, (u, S, S) for each element of each set; patterns □☆☆ and ☆□□, k = 3."""
    universe = sorted({element for one in family for element in one})
    fresh = iter(range(10_000))
    rows = [(f"u{u}", f"t{next(fresh)}", f"t{next(fresh)}") for u in universe for _ in range(2)]
    rows += [(f"u{u}", f"s{i}", f"s{i}") for i, one in enumerate(family) for u in one]
    problem = problem_of(matrix(rows), patterns=["a,*,*", "*,b,c"], outliers=False)
    least = next(
        size
        for size in range(1, len(family) + 1)
        if any(set().union(*some) == set(universe) for some in combinations(family, size))
    )
    assert optimum(problem, 3) == 4 * len(universe) + 3 * len(family) + 3 * least


@pytest.mark.parametrize("m", [3, 4, 5, 6])
def test_theorem_4_the_greedy_is_m_minus_1_times_off(m: int) -> None:
    """k = m rows of ones, and for each column k − 1 rows of ones but for a unique entry there."""
    names = [chr(ord("a") + column) for column in range(m)]
    rows: list[tuple[object, ...]] = [(1,) * m] * m
    rows += [tuple(f"u{i}-{j}" if c == i else 1 for c in range(m)) for i in range(m) for j in range(m - 1)]
    one_star = [",".join("*" if name == star else name for name in names) for star in names]
    problem = problem_of(matrix(rows), patterns=[",".join(names), *one_star])
    assert greedy_of(problem, m).cost == (m - 1) * m**2
    assert optimum(problem, m) == m**2
