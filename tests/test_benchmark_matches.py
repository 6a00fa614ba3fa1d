"""What the benchmarks of concealment count matches with, and the file in which they keep finished cells."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import concealment as naive
from shoal.algorithms.concealment.bicycles import concealed
from shoal.algorithms.concealment.expansion import greedy
from shoal.algorithms.concealment.match_repair import repaired, visiting_order
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from support.drafts import laid
from support.strategies import tables

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def _script(name: str) -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def matcher() -> Iterator[ModuleType]:
    """The matcher of the benchmarks."""
    yield _script("matcher")
    del sys.modules["matcher"]


def _release(table: Table, k: int, step: int) -> Release:
    """Records that hold k rows; rows that fit k records; rows that match k records."""
    draft, given = greedy(laid(table), k), Randomness(1)
    if step > 0:
        draft = repaired(draft, k, visiting_order(draft, "costliest", given))
    if step > 1:
        draft = concealed(draft, k, 0, visiting_order(draft, "cheapest", given))
    return draft.release()


@given(tables(12), st.integers(1, 4), st.integers(0, 2), st.sampled_from([0, 500_000]))
def test_the_fewest_matches(matcher: ModuleType, table: Table, k: int, step: int, small: int) -> None:
    release = _release(table, min(k, table.n_rows), step)
    of_rows, of_records = naive.matching(naive.graph_of(release))
    with patch.object(matcher, "SMALL", small):
        assert matcher.matches_of(release) == (min(of_rows), min(of_records))


def _cell(module: ModuleType, loss: float) -> Any:
    return module.Cell(loss, 0.2, 3, 5, 5, 1.0, 2.0)


def test_finished_cells_are_not_made_again(tmp_path: Path) -> None:
    module, file = _script("saved"), tmp_path / "cells.csv"
    key = ("figures", "cmc", "LM", 10, "forest")
    assert module.Saved(file).cell(key, lambda: _cell(module, 0.25)).loss == 0.25
    assert module.Saved(file).cell(key, lambda: _cell(module, 0.5)).loss == 0.25
    assert module.Saved(file, again=True).cell(key, lambda: _cell(module, 0.5)).loss == 0.5
    assert module.Saved(file).cell(key, lambda: _cell(module, 0.1)) == _cell(module, 0.5)
    other = (*key[:-1], "ours")
    assert module.Saved(file, minutes=0).cell(other, lambda: _cell(module, 0.1)) is None


def test_a_cell_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    module, file = _script("saved"), tmp_path / "cells.csv"

    def long() -> Any:
        while True:
            pass

    key = ("figures", "cmc", "LM", 10, "forest")
    done = module.Saved(file, most=0.2).cell(key, long)
    assert done.loss is None
    assert done.cpu > 0.1
    assert module.Saved(file).cell(key, long).short.startswith("stopped, ")
