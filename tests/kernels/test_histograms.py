"""Counting and splitting inside groups, against dictionaries."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.groups import Groups
from shoal.core.tallies import Tallies
from shoal.kernels.histograms import split, tally
from shoal.kernels.rollup import pay_suppressed
from support.tables import groups_of, lists_of

rows = st.integers(0, 14)
overlapping = st.lists(st.lists(rows, unique=True, max_size=15), max_size=6)
codes = st.lists(st.integers(0, 5), min_size=15, max_size=15)


@given(lists=overlapping, values=codes)
def test_tally(lists: list[list[int]], values: list[int]) -> None:
    groups = groups_of(lists)
    offsets, found, counts = tally(groups.offsets, groups.members, np.array(values, np.int32), 6)
    for g, members in enumerate(lists):
        part = slice(offsets[g], offsets[g + 1])
        assert list(zip(found[part].tolist(), counts[part].tolist(), strict=True)) == sorted(
            Counter(values[row] for row in members).items()
        )


@given(lists=overlapping, labels=codes)
def test_split(lists: list[list[int]], labels: list[int]) -> None:
    groups = groups_of(lists)
    offsets, members, whole = split(groups.offsets, groups.members, np.array(labels, np.int32), 6)
    parts = zip(whole.tolist(), lists_of(Groups(offsets, members)), strict=True)
    wanted = [
        (g, [row for row in rows_of if labels[row] == label])
        for g, rows_of in enumerate(lists)
        for label in dict.fromkeys(labels[row] for row in rows_of)
    ]
    assert list(parts) == wanted


@given(lists=overlapping, values=codes)
def test_sums_and_largest(lists: list[list[int]], values: list[int]) -> None:
    tallies = Tallies.of(groups_of(lists), np.array(values, np.int32), 6)
    counted = [Counter(values[row] for row in members) for members in lists]
    assert len(tallies) == len(lists)
    assert tallies.sizes.tolist() == [float(len(members)) for members in lists]
    assert tallies.largest(tallies.counts).tolist() == [float(max(c.values(), default=0)) for c in counted]
    assert tallies.summed(tallies.values).tolist() == [float(sum(c)) for c in counted]


@given(
    classes=st.lists(st.tuples(st.integers(1, 9), st.booleans(), st.integers(0, 2), st.integers(0, 3)), max_size=12),
    prices=st.lists(st.integers(-8, 8), min_size=7, max_size=7),
)
def test_what_suppressed_classes_pay(classes: list[tuple[int, bool, int, int]], prices: list[int]) -> None:
    sizes, kept, first, second = (np.array([c[i] for c in classes]) for i in range(4))
    paid = pay_suppressed(
        sizes.astype(np.int64),
        kept.astype(bool),
        np.array([first, second], np.int32).reshape(2, -1),
        np.array(prices, np.float64),
        np.array([0, 3], np.int64),
    )
    lost = [c for c in classes if not c[1]]
    assert paid.tolist() == [sum(c[0] * prices[c[2]] for c in lost), sum(c[0] * prices[3 + c[3]] for c in lost)]
