"""The curve, the dynamic program, and the algorithm made of both."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.algorithms import Lexicographic, ParkShim
from shoal.algorithms.hilbert import Hilbert, cut
from shoal.core.contracts import Algorithm, CellMetric, Goal
from shoal.core.groups import Groups
from shoal.core.hierarchy import Hierarchy
from shoal.core.orders import curve_order
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.io.encode import encode
from shoal.kernels.hilbert import curve_positions
from shoal.metrics import DM, GCP, LM
from shoal.models import KAnonymity, LDiversity
from support.effort import examples


@pytest.mark.parametrize(("n_axes", "n_bits"), [(1, 4), (2, 1), (2, 4), (3, 3), (5, 2), (15, 1)])
def test_neighbours_on_the_curve_are_neighbours_in_the_grid(n_axes: int, n_bits: int) -> None:
    grid = np.array(list(product(range(2**n_bits), repeat=n_axes)), np.int32).T
    words = curve_positions(np.ascontiguousarray(grid), n_bits)
    walk = grid[:, np.lexsort(words[::-1])]
    steps = np.abs(np.diff(walk, axis=1)).sum(axis=0)
    assert (steps == 1).all()


def test_fifteen_wide_columns_need_more_than_one_word() -> None:
    rng = np.random.default_rng(1)
    ranks = rng.integers(0, 2**16, (15, 200), dtype=np.int32)
    words = curve_positions(ranks, 16)
    assert words.shape == (4, 200)
    assert len({tuple(column) for column in words.T}) == 200


def table_of(values: dict[str, list[object]], **schema: object) -> Table:
    return encode(pl.DataFrame(values), Schema(tuple(values), **schema)).table  # type: ignore[arg-type]


def cost(table: Table, metric: CellMetric, groups: Groups) -> float:
    return metric.score(Release.from_groups(table, groups))


def all_cuts(n: int, shortest: int, longest: int) -> list[list[int]]:
    """The starts of all ways to cut n rows into runs, the obvious way."""
    if n == 0:
        return [[]]
    return [
        [*starts, n - length]
        for length in range(shortest, min(longest, n) + 1)
        for starts in all_cuts(n - length, shortest, longest)
    ]


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from("abcd"), st.sampled_from("xyz"), st.sampled_from([None, 1, 5])),
        min_size=3,
        max_size=9,
    ),
    k=st.integers(1, 3),
    metric=st.sampled_from([LM(), GCP()]),
)
@settings(max_examples=examples(2.5), deadline=None)
def test_no_other_cut_of_the_same_order_costs_less(rows: list[tuple[object, ...]], k: int, metric: CellMetric) -> None:
    frame = pl.DataFrame(rows, ["age", "nominal", "tree", "gaps"], orient="row")
    quasi = [name for name in frame.columns if frame[name].null_count() < len(rows)]
    hierarchy = Hierarchy.from_dict({"first": ["x", "y"], "second": ["z"]})
    table = encode(frame, Schema(tuple(quasi), hierarchies={"tree": hierarchy})).table
    goal = Goal((KAnonymity(k),), metric)
    order = curve_order(table)
    ours = cut(table, goal, order)
    n = table.n_rows
    candidates = [Groups(np.array([*starts, n], np.int64), order) for starts in all_cuts(n, k, 2 * k - 1)]
    assert cost(table, metric, ours) == pytest.approx(min(cost(table, metric, groups) for groups in candidates))


def test_runs_that_are_not_diverse_are_joined() -> None:
    values: dict[str, list[Any]] = {"age": list(range(40)), "ill": ["a"] * 20 + ["a", "b"] * 10}
    frame = pl.DataFrame(values)
    table = encode(frame, Schema(("age",), ("ill",))).table
    goal = Goal((KAnonymity(2), LDiversity(2)), LM())
    release = Hilbert().run(table, goal, Randomness(1), Silent())
    assert all(promise.check(release).holds for promise in goal.promises)
    assert len(release.classes) > 5


def test_a_metric_without_prices_is_refused() -> None:
    table = table_of({"age": [1, 2, 3]})
    with pytest.raises(InputError, match="needs a cell-based metric"):
        Hilbert().refuse(table, Goal((KAnonymity(2),), DM()))


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abcd")), min_size=4, max_size=9), st.integers(1, 3))
@settings(max_examples=examples(1), deadline=None)
def test_cutting_by_ranges_minimises_ranges_of_ranks(rows: list[tuple[object, ...]], k: int) -> None:
    frame = pl.DataFrame(rows, ["age", "job"], orient="row")
    table = encode(frame, Schema(("age", "job"))).table
    order = curve_order(table)
    ranks = [np.unique(codes, return_inverse=True)[1] for codes in table.codes]

    def spread(starts: list[int]) -> float:
        runs = [order[a:b] for a, b in zip(starts, [*starts[1:], len(rows)], strict=True)]
        return sum(len(run) * np.ptp(r[run]) / max(1, int(np.ptp(r))) for run in runs for r in ranks)

    ours = cut(table, Goal((KAnonymity(k),), LM()), order, by_ranges=True).offsets[:-1].tolist()
    assert spread(ours) == pytest.approx(min(map(spread, all_cuts(len(rows), k, 2 * k - 1))))


def test_an_unknown_cut_is_refused() -> None:
    with pytest.raises(InputError, match="cut_by"):
        Hilbert(cut_by="sets")  # type: ignore[arg-type]


def test_numbers_lie_where_they_are_or_by_rank() -> None:
    table = table_of({"a": [9, 0, 8, 1000]})
    assert curve_order(table, by_value=True, n_bits=2).tolist() == [0, 1, 2, 3], "three of them are on one step"
    assert curve_order(table, n_bits=2).tolist() == [1, 2, 0, 3]
    assert curve_order(table).tolist() == [1, 2, 0, 3]


def test_missing_values_lie_at_the_end_of_an_axis() -> None:
    table = table_of({"a": [None, 5, 1, 3]})
    assert curve_order(table, by_value=True, n_bits=4).tolist() == [2, 3, 0, 1]


@pytest.mark.parametrize("wrong", [{"axes": "rank"}, {"bits": 31}, {"bits": 6, "stretch": False}, {"bits": -1}])
def test_axes_that_do_not_exist(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Hilbert(**wrong)  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 3)), min_size=4, max_size=30), st.integers(1, 4))
def test_any_axes_keep_the_promise(rows: list[tuple[int, int]], k: int) -> None:
    table = table_of({"a": [a for a, _ in rows], "b": [b for _, b in rows]})
    for algorithm in (Hilbert(axes="values"), Hilbert(axes="values", bits=3), Hilbert(bits=2)):
        release = algorithm.run(table, Goal((KAnonymity(k),), GCP()), Randomness(0), Silent())
        assert release.classes.sizes.min() >= k


@pytest.mark.parametrize("algorithm", [Hilbert(), Lexicographic(), ParkShim()], ids=str)
def test_parts_with_equal_cells_keep_a_promise_together(algorithm: Algorithm) -> None:
    """Grassberger's diversity holds in each of two equal parts and not in their union, so they are joined further."""
    ages = [None] + [30] * 13
    table = encode(
        pl.DataFrame({"q": ages, "s": ["flu", "HIV"] * 7}), Schema(("q",), sensitive=("s",), kinds={"q": "numeric"})
    ).table
    promise = LDiversity(2, "grassberger")
    release = algorithm.run(table, Goal((promise,), LM()), Randomness(0), Silent())
    assert promise.check(release).holds
