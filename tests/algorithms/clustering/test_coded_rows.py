"""Cells as whole numbers: their prices are the metric's, whatever the column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.algorithms.clustering.coded_rows import UNIT, Coding, closed_in_parallel
from shoal.algorithms.clustering.forest import MeanHeight
from shoal.algorithms.clustering.vantage_point_leaves import largest_gap, leaves, sorted_cells
from shoal.core.contracts import CellMetric
from shoal.core.hierarchy import Hierarchy
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.kernels.clustering_space import closures
from shoal.kernels.planes import CLIMB, KIND, RANGE, SETS, SPAN, TABLE
from shoal.metrics import DM, GCP, LM
from support.strategies import partitions, tables
from support.tables import coded, groups_of, partitioned

METRICS: list[CellMetric] = [LM(), GCP(), MeanHeight()]


def assert_priced(table: Table, metric: CellMetric, lists: list[list[int]]) -> None:
    coding = Coding.of(table, metric)
    wanted = metric.score(partitioned(table, lists))
    assert coding.loss(groups_of(lists)) / UNIT / table.n_rows == pytest.approx(wanted, abs=1e-6)


@given(tables(), st.sampled_from(METRICS), st.data())
def test_cost_is_the_metric(table: Table, metric: CellMetric, data: st.DataObject) -> None:
    if lists := data.draw(partitions(table.n_rows)):
        assert_priced(table, metric, lists)


def wide(n_rows: int, n_values: int, missing: bool) -> Table:
    """Columns with many values: numbers, names, and a tree."""
    rng = np.random.default_rng(n_values)
    tree = Hierarchy.from_dict({f"g{g}": [str(v) for v in range(n_values) if v % 31 == g] for g in range(31)})
    drawn = rng.integers(0, n_values, (3, n_rows)).tolist()
    numbers = [None if missing and row % 17 == 0 else float(value) ** 1.5 for row, value in enumerate(drawn[0])]
    names = [None if missing and row % 13 == 0 else f"n{value}" for row, value in enumerate(drawn[1])]
    return coded(
        {"number": numbers, "name": names, "tree": [str(value) for value in drawn[2]]},
        ["number", "name", "tree"],
        hierarchies={"tree": tree},
    )


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(("n_values", "kinds"), [(5, {TABLE}), (40, {TABLE, RANGE, SETS}), (200, {TABLE, RANGE, SETS})])
def test_every_kind_of_plane_is_exact(n_values: int, kinds: set[int], missing: bool) -> None:
    table = wide(1500, n_values, missing)
    assert set(Coding.of(table, LM()).space.planes[KIND].tolist()) == kinds
    lists = [list(range(start, min(start + 7, 1500))) for start in range(0, 1500, 7)]
    for metric in METRICS if n_values < 62 else METRICS[:2]:
        assert_priced(table, metric, lists)


@pytest.mark.parametrize("missing", [False, True])
def test_many_values_are_priced_by_their_ends_and_by_climbing(missing: bool) -> None:
    table = wide(3000, 900, missing)
    coding = Coding.of(table, LM())
    assert {SPAN, CLIMB, SETS} <= set(coding.space.planes[KIND].tolist())
    lists = [list(range(start, start + 5)) for start in range(0, 3000, 5)]
    found = coding.cost(groups_of(lists)) / UNIT / 3000
    wanted = LM().score(partitioned(table, lists))
    assert wanted * 0.9 < found <= wanted + 1e-6, "values that share a bit may only make a set look smaller"


def test_a_row_alone_costs_nothing_and_a_suppressed_one_all() -> None:
    table = wide(300, 20, missing=True)
    coding = Coding.of(table, LM())
    assert coding.cost(groups_of([[row] for row in range(300)])) == 0
    assert coding.loss(groups_of([[0]])) == 299 * UNIT


def test_a_metric_that_is_no_mean_over_cells_is_replaced_by_lm() -> None:
    table = wide(50, 5, missing=False)
    groups = groups_of([[0, 1, 2], [3, 4]])
    assert Coding.of(table, DM()).cost(groups) == Coding.of(table, LM()).cost(groups) > 0


def test_columns_without_weight_cost_nothing() -> None:
    table = coded({"a": [1, 2, 3], "b": ["x", "y", "z"]}, ["a", "b"], weights={"a": 0.0, "b": 0.0})
    assert Coding.of(table, LM()).cost(groups_of([[0, 1, 2]])) == 0


@given(st.integers(1, 400), st.integers(1, 60), st.integers(0, 9))
def test_leaves_share_out_all_cells(n: int, most: int, seed: int) -> None:
    table = coded({"a": [row * row % 37 for row in range(n)], "b": [f"{row % 11}" for row in range(n)]}, ["a", "b"])
    coding = Coding.of(table, LM())
    cells = np.ascontiguousarray(coding.cells[:, coding.row])
    parts = leaves(coding.space, cells, most, Randomness(seed))
    assert sorted(np.concatenate(parts).tolist()) == list(range(n))
    assert all(0 < part.size <= most for part in parts)
    again = leaves(coding.space, cells, most, Randomness(seed))
    assert [part.tolist() for part in parts] == [part.tolist() for part in again]


@pytest.mark.parametrize("n_values", [9, 200])
def test_cells_are_sorted_by_plane_however_large_they_are(n_values: int) -> None:
    cells = Coding.of(wide(700, n_values, missing=True), LM()).cells
    bits = sum(int(plane.max()).bit_length() for plane in cells)
    assert (bits < 63) == (n_values == 9)
    assert sorted_cells(cells).tolist() == np.lexsort(cells[::-1]).tolist()


def test_a_leaf_ends_at_the_largest_gap_in_the_middle() -> None:
    coding = Coding.of(wide(300, 40, missing=False), LM())
    cells = coding.cells[:, :250].copy()
    gap, order, n_low = largest_gap(coding.space, cells, 7)
    pairs = np.stack([np.full(250, 7), np.arange(250)], axis=1).ravel()
    _, prices = closures(coding.space, cells, np.arange(0, 501, 2), pairs)
    assert order.tolist() == sorted(range(250), key=lambda i: (prices[i], i))
    gaps = {at: int(prices[order[at]] - prices[order[at - 1]]) for at in range(75, 176)}
    best = max(gaps.values())
    assert (gap, n_low) == (best, min((at for at in gaps if gaps[at] == best), key=lambda at: (abs(at - 125), at)))


def test_cells_around_groups_are_the_same_on_several_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.algorithms.clustering.coded_rows._MANY", 10)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    coding = Coding.of(wide(200, 40, missing=True), LM())
    rng = np.random.default_rng(3)
    offsets = np.concatenate([[0], np.sort(rng.choice(np.arange(1, 200), 40, replace=False)), [200]])
    rows = rng.permutation(200)
    found, wanted = (
        how(coding.space, coding.cells, offsets, coding.row[rows]) for how in (closed_in_parallel, closures)
    )
    for one, other in zip(found, wanted, strict=True):
        assert one.tolist() == other.tolist()
