"""The greedy covers choose as if they looked at all sets of rows, and leave groups of k to 2k − 1 rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive import suppression as naive
from shoal.algorithms import MeyersonWilliams, ParkShim
from shoal.algorithms.suppression.meyerson_williams import cover_by_balls, cover_by_subsets
from shoal.algorithms.suppression.park_shim import cover_by_patterns
from shoal.algorithms.suppression.problem import Cover, SuppressionProblem
from shoal.core.progress import Progress, Silent
from shoal.errors import InputError
from shoal.kernels.cover import take
from shoal.models import KAnonymity
from support.effort import examples
from support.tables import coded, goal_of

Rows = list[tuple[int, ...]]
WAYS = [cover_by_patterns, cover_by_balls, cover_by_subsets]


def problem_of(rows: Rows, prices: list[float] | None = None) -> SuppressionProblem:
    codes = np.array(rows, np.int32).T
    return SuppressionProblem(np.ascontiguousarray(codes), np.array(prices or [1.0] * codes.shape[0]))


def tables(most: int) -> st.SearchStrategy[Rows]:
    def wide(width: int) -> st.SearchStrategy[Rows]:
        return st.lists(st.tuples(*[st.integers(0, 2)] * width), min_size=1, max_size=most)

    return st.integers(1, 4).flatmap(wide)


def assert_greedy(rows: Rows, k: int, cover: Cover, price: Callable[[naive.Rows], float]) -> None:
    """Each pick has the least price per row it covers, of all sets of k to 2k − 1 rows."""
    uncovered = set(range(len(rows)))
    for pick, paid in enumerate(cover.prices.tolist()):
        fresh = set(np.flatnonzero(cover.turns == pick).tolist())
        assert fresh <= uncovered
        assert 1 <= len(fresh) <= 2 * k - 1
        assert paid / len(fresh) == pytest.approx(float(naive.least_ratio(len(rows), k, price, uncovered)))
        uncovered -= fresh
    assert not uncovered


@given(tables(9), st.integers(1, 3), st.data())
def test_patterns_choose_as_if_from_all_sets(rows: Rows, k: int, data: st.DataObject) -> None:
    assume(len(rows) >= k)
    prices = data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=len(rows[0]), max_size=len(rows[0])))
    cover = cover_by_patterns(problem_of(rows, prices), k, Silent())
    assert_greedy(rows, k, cover, lambda some: naive.stars([rows[i] for i in some], prices))


@given(tables(9), st.integers(1, 3))
def test_balls_choose_as_if_from_all_sets(rows: Rows, k: int) -> None:
    assume(len(rows) >= k)
    cover = cover_by_balls(problem_of(rows), k, Silent())
    assert_greedy(rows, k, cover, lambda some: float(naive.radius([rows[i] for i in some], rows)))


@given(tables(9), st.integers(1, 3))
def test_subsets_choose_from_all_sets(rows: Rows, k: int) -> None:
    assume(len(rows) >= k)
    cover = cover_by_subsets(problem_of(rows), k, Silent())
    assert_greedy(rows, k, cover, lambda some: float(naive.diameter([rows[i] for i in some])))


@pytest.mark.parametrize("way", WAYS[:2], ids=lambda way: way.__name__)
@given(tables(60), st.integers(1, 12))
def test_groups_have_k_to_2k_minus_1_rows(
    way: Callable[[SuppressionProblem, int, Progress], Cover], rows: Rows, k: int
) -> None:
    assume(len(rows) >= k)
    groups = way(problem_of(rows), k, Silent()).groups
    assert sorted(groups.members.tolist()) == list(range(len(rows)))
    assert groups.sizes.min() >= k
    assert groups.sizes.max() <= 2 * k - 1


def taken(near: list[int], homes: list[int], k: int) -> tuple[list[int], list[int]]:
    """The homes after a set was taken, and the rows it covered."""
    after, sizes = np.array(homes), np.zeros(len(homes) + 1, np.int64)
    sizes[: max(homes) + 1] = np.bincount([home for home in homes if home >= 0], minlength=max(homes) + 1)
    n_groups, fresh = take(np.array(near), after, sizes, k, max(homes) + 1)
    assert n_groups == after.max() + 1
    assert sizes[:n_groups].tolist() == np.bincount(after[after >= 0], minlength=n_groups).tolist()
    return after.tolist(), fresh.tolist()


def test_a_set_of_uncovered_rows_is_a_group() -> None:
    assert taken([2, 3], [0, 0, -1, -1], 2) == ([0, 0, 1, 1], [2, 3])


def test_no_group_gets_2k_rows() -> None:
    assert taken([0, 1, 2, 3, 4], [-1] * 5, 2) == ([0, 0, 0, -1, -1], [0, 1, 2])


def test_a_row_is_taken_from_a_group_that_can_spare_it() -> None:
    assert taken([3, 2], [0, 0, 0, -1], 2) == ([0, 0, 1, 1], [3])


def test_otherwise_the_row_joins_the_group() -> None:
    assert taken([2, 1], [0, 0, -1], 2) == ([0, 0, 0], [2])


def test_of_several_groups_the_nearest_gives_and_the_nearest_is_joined() -> None:
    assert taken([7, 0, 3, 4], [0, 0, 0, 1, 1, 1, 1, -1], 3) == ([0, 0, 0, 0, 1, 1, 1, 0], [7])


def test_larger_tables_are_refused_in_a_sentence() -> None:
    goal = goal_of(KAnonymity(5))
    many = coded({"q": [str(i % 3) for i in range(50_001)]}, ["q"])
    with pytest.raises(InputError, match=r"at most 50,000 rows, this one has 50,001; choose 'forest'"):
        MeyersonWilliams().refuse(many, goal)
    with pytest.raises(InputError, match=r"30 rows with k = 5 have more; use sets='balls'"):
        MeyersonWilliams("subsets").refuse(coded({"q": [str(i) for i in range(30)]}, ["q"]), goal)
    wide = coded({f"q{j}": ["a", "b"] * 20 for j in range(20)}, [f"q{j}" for j in range(20)])
    with pytest.raises(InputError, match=r"this one has 40 rows and 20 columns with more than one value"):
        ParkShim().refuse(wide, goal)


def test_columns_with_one_value_do_not_count() -> None:
    columns = {f"q{j}": ["a", "a"] for j in range(60)} | {"r": ["a", "b"]}
    ParkShim().refuse(coded(columns, [*columns]), goal_of(KAnonymity(2)))


def test_a_misspelt_kind_of_sets_is_named() -> None:
    with pytest.raises(InputError, match="Did you mean"):
        MeyersonWilliams("ball")  # type: ignore[arg-type]


@settings(max_examples=examples(1))
@given(tables(12), st.integers(2, 3))
def test_progress_adds_up(rows: Rows, k: int) -> None:
    assume(len(rows) >= k)
    for way in WAYS:
        seen: list[list[float]] = []

        class Counting:
            def stage(self, what: str, total: float | None = None, seen: list[list[float]] = seen) -> None:
                seen.append([total or 0.0, 0.0])

            def advance(self, amount: float = 1.0, seen: list[list[float]] = seen) -> None:
                seen[-1][1] += amount

        way(problem_of(rows), k, Counting())
        assert all(total == done for total, done in seen)
