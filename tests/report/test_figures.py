from __future__ import annotations

import doctest
import importlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.report.figures import cut, figure, listed, percent


@pytest.mark.parametrize("name", ["figures", "markup", "svg"])
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"shoal.report.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


@given(st.floats(min_value=1e-6, max_value=999))
def test_three_significant_digits_are_within_half_a_percent(value: float) -> None:
    shown = figure(value)
    if shown != "< 0.001":
        assert float(shown) == pytest.approx(value, rel=0.0051)


def test_figures_of_every_kind() -> None:
    assert [figure(v) for v in (0, -3, -0.5, 1e9, math.nan, -math.inf)] == [
        "0",
        "−3",
        "−0.5",
        "1,000,000,000",
        "–",
        "−∞",
    ]


@given(st.floats(min_value=0, max_value=1))
def test_only_nothing_is_none_and_only_all_is_all(share: float) -> None:
    assert (percent(share) == "0%") == (share == 0)
    assert (percent(share) == "100%") == (share == 1)


@given(st.text(), st.integers(2, 20))
def test_cut_texts_are_short_single_and_harmless(text: str, limit: int) -> None:
    shown = cut(text, limit)
    assert len(shown) <= limit
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2066" for c in shown)


def test_cut_leaves_ordinary_texts_alone() -> None:
    assert cut("[17..30]") == "[17..30]"
    assert cut("x" * 100_000, 5) == "xxxx…"
    assert cut(" " * 100_000 + "x", 5) == "…"


def test_lists_in_sentences() -> None:
    assert [listed(names) for names in ([], ["a"], ["a", "b"])] == ["", "a", "a and b"]
