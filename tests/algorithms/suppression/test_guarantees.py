"""No algorithm of cell suppression stars more than it promises, against the best of all partitions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import suppression as naive
from shoal.algorithms import Factor, MeyersonWilliams, ParkShim
from shoal.core.contracts import Algorithm
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.metrics import LM
from shoal.models import KAnonymity
from support.effort import examples
from support.tables import coded, goal_of

Rows = list[tuple[int, ...]]
small = settings(max_examples=examples(2.5))


def rows_of(n_values: int, least: int = 4, most: int = 9) -> st.SearchStrategy[Rows]:
    def wide(width: int) -> st.SearchStrategy[Rows]:
        row = st.tuples(*[st.integers(0, n_values - 1)] * width)
        return st.lists(row, min_size=least, max_size=most)

    return st.integers(1, 5).flatmap(wide)


def starred(rows: Rows, weights: list[float] | None = None) -> Table:
    """A table whose cells are kept or starred."""
    columns = {f"q{j}": [f"v{row[j]}" for row in rows] for j in range(len(rows[0]))}
    given_weights = dict(zip(columns, weights, strict=True)) if weights else {}
    return coded(columns, [*columns], recodings=dict.fromkeys(columns, "suppress"), weights=given_weights)


def n_stars(algorithm: Algorithm, table: Table, k: int) -> float:
    """What the stars of the release cost, by the independent metric; it prices a starred row 1."""
    goal = goal_of(KAnonymity(k))
    algorithm.refuse(table, goal)
    release = algorithm.run(table, goal, Randomness(0), Silent())
    assert release.classes.sizes.min() >= k
    return LM().score(release) * table.n_rows * sum(column.weight for column in table.quasi)


def harmonic(n: int) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))


def assert_within(
    algorithm: Algorithm, rows: Rows, k: int, factor: Fraction, weights: list[float] | None = None
) -> None:
    table = starred(rows, weights)
    fewest = naive.fewest_stars(rows, weights or [1.0] * len(rows[0]), k)
    assert n_stars(algorithm, table, k) <= float(factor) * fewest + 1e-9


@small
@given(rows_of(3), st.integers(2, 4), st.data())
def test_park_shim(rows: Rows, k: int, data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=len(rows[0]), max_size=len(rows[0])))
    assert_within(ParkShim(), rows, k, Fraction(2 * k - 1, k) * harmonic(2 * k - 1), weights)


@small
@given(rows_of(3), st.integers(2, 4))
def test_meyerson_williams_by_all_sets(rows: Rows, k: int) -> None:
    factor = Fraction((2 * k - 1) * (2 * k - 2), k) * harmonic(2 * k - 1)
    assert_within(MeyersonWilliams("subsets"), rows, k, factor)


@small
@given(rows_of(3), st.integers(2, 4))
def test_meyerson_williams_by_balls(rows: Rows, k: int) -> None:
    factor = 2 * Fraction((2 * k - 1) * (2 * k - 2), k) * harmonic(2 * k - 1)
    assert_within(MeyersonWilliams(), rows, k, factor)


@small
@given(rows_of(2), st.sampled_from([(2, Fraction(3, 2)), (3, Fraction(2))]))
def test_factor_on_boolean_columns(rows: Rows, promised: tuple[int, Fraction]) -> None:
    assert_within(Factor(), rows, *promised)


@small
@given(rows_of(4), st.sampled_from([(2, Fraction(2)), (3, Fraction(3))]), st.data())
def test_factor_on_any_columns(rows: Rows, promised: tuple[int, Fraction], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=len(rows[0]), max_size=len(rows[0])))
    assert_within(Factor(), rows, *promised, weights)


@given(rows_of(3), st.integers(2, 4))
@pytest.mark.parametrize("algorithm", [ParkShim(), MeyersonWilliams(), MeyersonWilliams("subsets")], ids=str)
def test_what_can_be_had_for_nothing_is(algorithm: Algorithm, rows: Rows, k: int) -> None:
    table = starred([row for row in rows[:4] for _ in range(k)])
    assert n_stars(algorithm, table, k) == 0
