"""MDAV beside the figures of the literature, and the search below them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from shoal.algorithms import Microaggregation

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"
MDAV = [
    ("tarragona", 3, 16.9326), ("tarragona", 5, 22.4619), ("tarragona", 10, 33.1929),
    ("census", 3, 5.6922), ("census", 5, 9.0884), ("census", 10, 14.1559),
    ("eia", 3, 0.4829), ("eia", 5, 1.6667), ("eia", 10, 3.8397),
]  # fmt: skip


@pytest.fixture(scope="module")
def script(data_folder: Path) -> Iterator[ModuleType]:
    """The benchmark."""
    sys.path.insert(0, str(BENCHMARKS))
    yield import_module("microaggregation")
    sys.path.remove(str(BENCHMARKS))


@pytest.mark.parametrize(("name", "k", "wanted"), MDAV)
def test_mdav_loses_what_is_published(script: ModuleType, name: str, k: int, wanted: float) -> None:
    assert script.information_loss(script.table(name), k, Microaggregation("mdav")) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize(("name", "k", "most"), [("tarragona", 3, 15.3), ("tarragona", 10, 31.5), ("census", 5, 8.2)])
def test_a_second_of_search_loses_much_less(script: ModuleType, name: str, k: int, most: float) -> None:
    assert script.information_loss(script.table(name), k, Microaggregation(steps=1_000_000)) < most
