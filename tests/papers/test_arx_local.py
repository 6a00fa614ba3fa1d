"""ARX's local recoding, made again for comparisons: classes are large enough, and its figures are those it printed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    """The benchmark."""
    sys.path.insert(0, str(BENCHMARKS))
    yield import_module("arx_local")
    sys.path.remove(str(BENCHMARKS))


def test_rows_that_are_many_stay_exact_and_the_others_grow_by_the_cheapest_levels(script: ModuleType) -> None:
    tree = pl.DataFrame({"leaf": ["a", "b", "c", "d"], "pair": ["ab", "ab", "cd", "cd"], "root": ["*"] * 4})
    values = [pl.Series(["a"] * 4 + ["c", "c", "d", "d"]), pl.Series(["a"] * 4 + ["b"] * 4)]
    levels = script.Search([script.Levels.of(column, tree) for column in values], 8, 3).levels()
    assert levels.tolist() == [[0, 0]] * 4 + [[1, 0]] * 4


@pytest.mark.nightly
@pytest.mark.parametrize("k", [5, 10])
def test_loss_and_classes_are_those_that_arx_printed(script: ModuleType, data_folder: Path, k: int) -> None:
    from data import adult

    frame = adult()
    assert frame is not None
    release = script.release(frame, list(frame.columns[:9]), k)
    assert release.group_by(release.columns).len()["len"].min() >= k
