from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from shoal.report.class_size_plot import bins_of, class_size_plot
from shoal.report.risk import RecordRisk

SIZES = st.lists(st.one_of(st.integers(1, 30), st.integers(1, 2_000_000)), min_size=1, max_size=40)


@given(SIZES, st.none() | st.integers(1, 3000))
def test_every_class_is_in_one_bin_and_the_wanted_size_on_an_edge(sizes: list[int], wanted: int | None) -> None:
    bins = bins_of(RecordRisk.of_sizes(sizes), wanted)
    assert 1 <= len(bins) <= 10
    assert [b.n_classes for b in bins] == [sum(b.first <= size <= b.last for size in sizes) for b in bins]
    assert sum(b.n_classes for b in bins) == len(sizes)
    assert all(one.last + 1 == other.first for one, other in pairwise(bins))
    if wanted is not None and wanted <= max(sizes):
        assert wanted in [b.first for b in bins]


def test_few_sizes_have_a_bin_each() -> None:
    assert [(b.label, b.n_classes) for b in bins_of(RecordRisk.of_sizes([5, 5, 7]), 5)] == [
        ("5", 2),
        ("6", 0),
        ("7", 1),
    ]


def test_a_lonely_class_is_seen_beside_many() -> None:
    plot = class_size_plot(RecordRisk.of_sizes([10] * 50_000 + [90_000]), 10)
    assert 'height="2"' in plot
    assert ">50,000<" in plot
    assert ">1<" in plot
    assert "wanted: at least 10" in plot


def test_no_classes_no_plot() -> None:
    assert class_size_plot(RecordRisk.of_sizes([]), 5) == ""
