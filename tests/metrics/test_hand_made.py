"""Losses worked out by hand, and how far they reach."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from shoal.core.contracts import CellMetric
from shoal.core.hierarchy import Hierarchy
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics import AECS, DM, GCP, LM, Suppression
from support.strategies import releases
from support.tables import coded, partitioned, single


def _people() -> Table:
    tree = Hierarchy.from_dict({"north": ["a", "b", "never"], "south": ["c", "d"]})
    columns: dict[str, list[object]] = {"age": [10, 20, 60, 110], "town": ["a", "b", "c", "d"]}
    return coded(columns, ["age", "town"], hierarchies={"town": tree}, weights={"town": 3.0})


HALVES = [[0, 1], [2, 3]]


def test_lm() -> None:
    """Ages: 1 of 3 other values; towns: 2 of 4 others in the north, 1 of 4 in the south, and towns weigh three-fold."""
    release = partitioned(_people(), HALVES)
    assert LM().by_column(release).tolist() == pytest.approx([1 / 3, (2 / 4 + 1 / 4) / 2])
    assert LM().score(release) == pytest.approx((1 / 3 + 3 * 3 / 8) / 4)


def test_gcp() -> None:
    """Ages by width: 10 and 50 of 100; towns by values that occur: 1 of 3 others on both sides."""
    release = partitioned(_people(), HALVES)
    assert GCP().by_column(release).tolist() == pytest.approx([(0.1 + 0.5) / 2, 1 / 3])
    assert GCP().score(release) == pytest.approx((0.3 + 3 / 3) / 4)


def test_suppressed_rows_are_lost() -> None:
    release = partitioned(_people(), [[0], [1]])
    assert LM().by_column(release).tolist() == [0.5, 0.5]
    assert GCP().by_column(release).tolist() == [0.5, 0.5]
    assert Suppression().score(release) == 0.5


def test_gcp_of_missing_values() -> None:
    """Alone they are exact; with others they are a star."""
    table = single([1, 2, 5, None])
    assert GCP().score(Release.identity(table)) == 0.0
    assert GCP().score(partitioned(table, [[0, 1], [2, 3]])) == pytest.approx((2 * 0.25 + 2 * 1.0) / 4)


def test_gcp_of_sets() -> None:
    table = single(["a", "b", "c", "d"])
    assert GCP().score(partitioned(table, [[0, 3], [1], [2]])) == pytest.approx((1 / 3 + 1 / 3) / 4)


def test_a_single_value_loses_nothing() -> None:
    table = single([7, 7, 7])
    everything = (table.quasi[0].recoding.everything(1),)
    release = Release(table, np.arange(3, dtype=np.int32), np.zeros(3, np.int32), everything)
    assert LM().score(release) == GCP().score(release) == 0.0


def test_dm() -> None:
    table = single([1, 1, 2, 3, 3, 3])
    assert DM().score(Release.identity(table)) == 4 + 1 + 9
    assert DM().score(partitioned(table, [[0, 1, 2]])) == 9 + 3 * 6


def test_aecs() -> None:
    table = single([1, 1, 2, 3, 3, 3])
    assert AECS().score(Release.identity(table)) == 2.0
    assert AECS().score(partitioned(table, [[0, 1]])) == 3.0
    assert AECS().score(partitioned(table, [])) == 6.0


def test_suppression() -> None:
    table = single([1, 2, 3, 4])
    assert [Suppression().score(partitioned(table, lists)) for lists in ([], [[0]], HALVES)] == [1.0, 0.75, 0.0]


@pytest.mark.parametrize("metric", [LM(), GCP()], ids=lambda metric: metric.name)
@given(release=releases())
def test_prices_lie_between_0_and_1(metric: CellMetric, release: Release) -> None:
    for column, cells in zip(release.table.quasi, release.cells, strict=True):
        assert ((metric.price(column, cells) >= 0) & (metric.price(column, cells) <= 1)).all()
        if column.domain.occurs.sum() > 1:
            assert metric.price(column, column.recoding.everything(1)).tolist() == [1.0]
    assert 0 <= metric.score(release) <= 1 + 1e-12
