"""Columns with as many values as rows: what is worked out takes memory for the rows, not for pairs of values."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from shoal.core.table import Table
from shoal.metrics import ALL
from support.tables import partitioned, single

N = 4_000
PAIRS = 4 * N * N
"""Bytes that one small number for each pair of values takes."""


@pytest.fixture(scope="module")
def towns() -> Table:
    return single([f"town {i:05d}" for i in range(N)])


def peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ALL)
def test_measures(name: str, towns: Table) -> None:
    release = partitioned(towns, np.arange(N).reshape(-1, 8).tolist())
    assert peak(lambda: ALL[name]().score(release)) < PAIRS / 4


def test_cells_that_many_positions_share_are_made_once(towns: Table) -> None:
    nothing, everything = np.zeros(N, np.int32), np.full(N, N - 1, np.int32)
    assert peak(lambda: towns.quasi[0].recoding.close(nothing, everything)) < PAIRS / 4
