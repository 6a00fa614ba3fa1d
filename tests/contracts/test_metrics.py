"""What every metric owes: nothing lost on the identity, everything on suppression, more on coarser releases."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive.metrics import TWINS
from naive.plain import classes_of, records_of
from shoal.core.contracts import CellMetric
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics import ALL
from support.effort import examples
from support.promises import entry
from support.shapes import SHAPES
from support.strategies import partitions, releases, tables
from support.suppression import ignores_suppression
from support.tables import coded, partitioned, reordered

few = settings(max_examples=examples(1 / 3))
every_metric = pytest.mark.parametrize("name", ALL)
every_monotone_metric = pytest.mark.parametrize("name", [name for name, made in ALL.items() if made().is_monotone])
every_metric_that_minds_suppression = pytest.mark.parametrize(
    "name", [name for name, metric in ALL.items() if metric.is_monotone and not ignores_suppression(metric())]
)
"""Height and DM* by definition look at rows as they would have been published, so suppression may even help them."""


def _classes(release: Release) -> list[list[int]]:
    return [[record.owner for record in members] for members in classes_of(records_of(release))]


def _nothing_told(table: Table) -> Release:
    """Every row published, every cell suppressed."""
    shapes = np.zeros(table.n_rows, np.int32)
    cells = tuple(column.recoding.everything(1) for column in table.quasi)
    return Release(table, np.arange(table.n_rows, dtype=np.int32), shapes, cells)


def _nothing_published(table: Table) -> Release:
    return partitioned(table, [])


@every_metric
@given(release=releases())
def test_twin(name: str, release: Release) -> None:
    twin = entry("TWINS of tests/naive/metrics.py", TWINS, name)
    assert ALL[name]().score(release) == pytest.approx(float(twin(release)), abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@every_metric
def test_twin_on_known_shapes(name: str, shape: str) -> None:
    table = SHAPES[shape]()
    twin = entry("TWINS of tests/naive/metrics.py", TWINS, name)
    halves = [list(range(0, table.n_rows, 2)), list(range(1, table.n_rows, 2))]
    for release in (Release.identity(table), _nothing_told(table), partitioned(table, [h for h in halves if h])):
        assert ALL[name]().score(release) == pytest.approx(float(twin(release)), abs=1e-12)


@every_metric
@few
@given(table=tables(20), data=st.data())
def test_best_on_the_identity(name: str, table: Table, data: st.DataObject) -> None:
    """Against all releases that treat equal rows alike. (Class sizes get better when equal rows are torn apart.)"""
    alike = _classes(Release.identity(table))
    homes = data.draw(partitions(len(alike)))
    release = partitioned(table, [[row for home in homes_of for row in alike[home]] for homes_of in homes])
    best = ALL[name]().score(Release.identity(table))
    assert isfinite(best)
    assert best <= ALL[name]().score(release) + 1e-12


@every_metric_that_minds_suppression
@few
@given(release=releases())
def test_worst_when_all_is_suppressed(name: str, release: Release) -> None:
    metric, told = ALL[name](), release.n_suppressed == 0
    nothing_published = metric.score(_nothing_published(release.table))
    assert metric.score(release) <= nothing_published + 1e-12
    if told:
        assert metric.score(release) <= metric.score(_nothing_told(release.table)) + 1e-12
    assert metric.score(_nothing_told(release.table)) <= nothing_published + 1e-12


@every_monotone_metric
@few
@given(release=releases(), data=st.data())
def test_coarser_is_never_better(name: str, release: Release, data: st.DataObject) -> None:
    """Two classes become one. (Groups that print alike are one class already, so it is classes that are merged.)"""
    classes = _classes(release)
    assume(len(classes) > 1)
    first, second, *rest = data.draw(st.permutations(classes))
    merged = partitioned(release.table, [[*first, *second], *rest])
    assert ALL[name]().score(partitioned(release.table, classes)) <= ALL[name]().score(merged) + 1e-12


@every_metric_that_minds_suppression
@few
@given(release=releases(), data=st.data())
def test_suppressing_a_class_is_never_better(name: str, release: Release, data: st.DataObject) -> None:
    classes = _classes(release)
    assume(classes)
    _, *rest = data.draw(st.permutations(classes))
    fewer = partitioned(release.table, rest)
    assert ALL[name]().score(partitioned(release.table, classes)) <= ALL[name]().score(fewer) + 1e-12


@every_metric
@few
@given(table=tables(20), data=st.data())
def test_order_does_not_matter(name: str, table: Table, data: st.DataObject) -> None:
    rows = data.draw(st.permutations(range(table.n_rows)))
    columns = data.draw(st.permutations(range(table.n_quasi)))
    half = max(1, table.n_rows // 2)
    other = reordered(table, rows, columns)
    places: Sequence[int] = [rows.index(row) for row in range(half)]
    score = ALL[name]().score(partitioned(other, [places]))
    assert score == pytest.approx(ALL[name]().score(partitioned(table, [range(half)])), abs=1e-12)


CELL_METRICS = [name for name, metric in ALL.items() if issubclass(metric, CellMetric)]


@pytest.mark.parametrize("name", CELL_METRICS)
@few
@given(release=releases())
def test_prices_are_numbers(name: str, release: Release) -> None:
    metric = ALL[name]()
    assert isinstance(metric, CellMetric)
    for column, cells in zip(release.table.quasi, release.cells, strict=True):
        prices = metric.price(column, cells)
        assert prices.shape == (cells.n_distinct,)
        assert np.isfinite(prices).all()
        assert (prices >= 0).all()
    losses = metric.by_column(release)
    assert losses.shape == (release.table.n_quasi,)
    assert (losses >= 0).all()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", CELL_METRICS)
def test_exact_cells_are_free(name: str, shape: str) -> None:
    metric, identity = ALL[name](), Release.identity(SHAPES[shape]())
    assert isinstance(metric, CellMetric)
    assert metric.by_column(identity).tolist() == [0.0] * identity.table.n_quasi


@every_metric
def test_columns_of_no_importance(name: str) -> None:
    """A weight of 0 is allowed, also for every column at once: then nothing that matters is lost."""
    columns: dict[str, Sequence[object]] = {"a": [1, 2, 3, 4], "b": ["x", "x", "y", "y"]}
    table = coded(columns, ["a", "b"], weights={"a": 0.0, "b": 0.0})
    assert isfinite(ALL[name]().score(partitioned(table, [[0, 1], [2, 3]])))


def test_says_what_it_is() -> None:
    assert all(name == metric.name for name, metric in ALL.items())
    assert all(metric.summary and "\n" not in metric.summary for metric in ALL.values())
