"""Figures of risk, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.audit.figures import RiskFigures
from shoal.audit.same_person import Whose
from shoal.engine.auditing import audit_release

ORIGINAL = pl.DataFrame({"q": list("aaabbbbbcd"), "s": ["x", "y", "y", "x", "x", "x", "y", "z", "z", "x"]})


def figures(**said: Any) -> RiskFigures:
    release = ORIGINAL.with_columns(pl.col("q").replace({"c": "{c, d}", "d": "{c, d}"}))
    return audit_release(
        ORIGINAL, release, quasi_identifiers=["q"], sensitive=["s"], attacks=["linking"], **said
    ).figures


def test_classes() -> None:
    found = figures()
    assert (found.n_records, found.n_classes, found.achieved_k, found.sample_uniques) == (10, 3, 2, 0)
    assert found.below == (5, 10)


def test_prosecutor_and_marketer() -> None:
    found = figures()
    assert found.prosecutor.highest == pytest.approx(1 / 2)
    assert found.prosecutor.average == pytest.approx(3 / 10)
    assert [share for _, share in found.prosecutor.above] == pytest.approx([1.0, 1.0, 0.5, 0.2, 0.0])
    assert found.marketer.average == pytest.approx(3 / 10)
    assert found.journalist is None


def test_journalist_looks_at_the_population() -> None:
    population = pl.DataFrame({"q": list("aaabbbbbcd" * 3)})
    found = figures(population=population)
    assert found.journalist is not None
    assert found.journalist.highest == pytest.approx(1 / 6)
    assert found.uniqueness is not None
    assert found.uniqueness.population == 30


def test_uniqueness_before_and_after() -> None:
    found = figures(population=100)
    assert found.uniqueness is not None
    assert found.uniqueness_before is not None
    assert (found.uniqueness.sample_uniques, found.uniqueness_before.sample_uniques) == (0, 2)
    assert found.uniqueness_before.share > found.uniqueness.share == 0


def test_diversity_of_the_worst_class() -> None:
    [found] = figures().diversity
    assert found.distinct_l == 2
    assert found.alpha == pytest.approx(2 / 3)
    assert found.beta == pytest.approx(0.5 / 0.2 - 1)  # z in {c, d}
    assert found.delta == float("inf")  # no z in a
    assert found.entropy_l == pytest.approx(1.89, abs=0.01)  # two to one in a
    assert found.t == pytest.approx(2 / 3 - 0.3)  # y in a


@given(
    people=st.lists(st.integers(0, 5), min_size=1, max_size=30),
    seed=st.integers(0, 9),
)
def test_people_by_history_counts_people_with_the_same_records(people: list[int], seed: int) -> None:
    shapes = np.random.default_rng(seed).integers(0, 3, len(people)).astype(np.int32)
    whose = Whose("key", np.array(people, np.int32), shapes, 3)
    records: dict[int, list[int]] = {}
    for person, shape in sorted(zip(people, shapes.tolist(), strict=True)):
        records.setdefault(person, []).append(shape)
    histories = list(records.values())
    assert whose.people_by_history.tolist() == [histories.count(one) for one in histories]
