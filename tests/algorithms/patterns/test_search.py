"""The search: never dearer than the greedy, classes of k always, and often better."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.algorithms.patterns import PatternGreedy, PatternSearch
from shoal.algorithms.patterns.instances import reduced, share
from shoal.algorithms.patterns.pattern_search import improved, moved
from shoal.core.contracts import Goal
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.metrics import LM
from shoal.models import KAnonymity, LDiversity
from support.patterns import greedy_of, k_goal, matrix, problem_of
from support.published import keeps, run
from support.strategies import tables

rows = st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=4, max_size=40)


@given(rows, st.integers(2, 5), st.integers(0, 5))
def test_homes_stay_allowed_and_full_enough(table: list[tuple[int, ...]], k: int, effort: int) -> None:
    problem = problem_of(matrix(table), max_stars=2)
    greedy, sharing = greedy_of(problem, k), share(problem, k)
    assert sharing is not None
    sharing = reduced(sharing)
    start = sharing.homes(greedy)
    homes = improved(sharing, k, start, Randomness(3), effort, 1.0)
    assert sharing.cost(homes) <= sharing.cost(start)
    sizes = np.bincount(homes, minlength=sharing.outside + 1)[:-1]
    assert ((sizes == 0) | (sizes >= k)).all()
    for kind, home in zip(sharing.kinds.tolist(), homes.tolist(), strict=True):
        assert home == sharing.outside or kind in sharing.instances.of(home)


@given(tables(25, 3), st.data())
def test_never_dearer_than_the_greedy_whatever_is_promised(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    promises = (KAnonymity(k), *([LDiversity(1)] if data.draw(st.booleans()) else []))
    goal = Goal(promises, LM())
    searched, greedy = run(PatternSearch(effort=2), table, goal), run(PatternGreedy(), table, goal)
    assert all(keeps(promise, searched) for promise in promises)
    assert _stars(searched.release.cells, searched.release.shapes, table) <= _stars(
        greedy.release.cells, greedy.release.shapes, table
    )


def _stars(cells: tuple, shapes: np.ndarray, table: Table) -> float:
    """The weight of all suppressed cells."""
    total = 0.0
    for column, one in zip(table.quasi, cells, strict=True):
        if column.domain.n_leaves > 1:
            total += column.weight * float((one.sizes[one.ids[shapes]] == column.domain.n_leaves).sum())
    return total


def test_it_gets_out_of_the_greedys_trap() -> None:
    """The tight example of Theorem 4 with three columns: the optimum is nine stars, the greedy needs eighteen."""
    ones = [(1, 1, 1)] * 3
    others = [tuple(f"u{i}{j}" if c == i else 1 for c in range(3)) for i in range(3) for j in range(2)]
    table = matrix([*ones, *others])
    patterns = ["a,b,c", "*,b,c", "a,*,c", "a,b,*"]
    problem = problem_of(table, patterns=patterns)
    greedy = greedy_of(problem, 3)
    assert greedy.cost == 18
    assert moved(problem, k_goal(3), greedy, Randomness(0), 20).cost == 9


def test_the_same_randomness_the_same_release() -> None:
    rng = np.random.default_rng(5)
    table = matrix(rng.integers(0, 4, (80, 4)).tolist())
    one, other = (run(PatternSearch(), table, k_goal(3), seed=4) for _ in range(2))
    assert one.frame.equals(other.frame)
