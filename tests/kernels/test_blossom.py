"""Cheapest perfect matchings and the bounds that their labels give, against trying everything."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naive import matching as naive
from shoal.kernels.blossom import heaviest_perfect
from shoal.kernels.patterns_pairs import lightest_triples


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    """Symmetric weights; few different ones make many blossoms, negative ones are no edges."""
    n = draw(st.sampled_from([2, 4, 6, 8]))
    low, high = draw(st.sampled_from([(0, 1), (0, 30), (-2, 4), (-1, 9)]))
    upper = draw(st.lists(st.integers(low, high), min_size=n * n, max_size=n * n))
    return [[upper[min(u, v) * n + max(u, v)] for v in range(n)] for u in range(n)]


@given(graphs())
def test_twin(weights: list[list[int]]) -> None:
    """Every edge is at most half of its ends' labels and those of blossoms around it; the matched ones just that."""
    table = np.array(weights, np.int64)
    best, n = naive.heaviest_perfect(weights), len(weights)
    mates, labels, shared = heaviest_perfect(table)
    assert (best is None) == bool((mates < 0).any())
    if best is None:
        return
    rows = np.arange(n)
    assert mates[mates].tolist() == rows.tolist()
    assert int(table[rows, mates].sum()) == 2 * best
    slack = labels[:, None] + labels[None, :] + shared - 2 * table
    assert (slack[(table >= 0) & (rows[:, None] != rows)] >= 0).all()
    assert (slack[rows, mates] == 0).all()


def test_points_in_the_plane() -> None:
    """Near ones weigh more: odd clusters make blossoms within blossoms."""
    rng = np.random.default_rng(3)
    for _ in range(30):
        points = rng.integers(0, 12, (10, 2))
        far = np.abs(points[:, None] - points[None]).sum(axis=2)
        weights = (100 - far**2).clip(0)
        mates, _, _ = heaviest_perfect(weights)
        assert weights[np.arange(10), mates].sum() == 2 * (naive.heaviest_perfect(weights.tolist()) or 0)


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=7), st.data())
def test_lightest_triples_twin(labels: list[int], data: st.DataObject) -> None:
    n = len(labels)
    inner = data.draw(st.sets(st.integers(0, n - 1)))
    outer = inner | data.draw(st.sets(st.integers(0, n - 1)))
    apart = set(range(n)) - outer
    blossoms = [(frozenset(held), data.draw(st.integers(0, 9))) for held in (inner, outer, apart)]
    shared = np.zeros((n, n), np.int64)
    for held, label in blossoms:
        for u in held:
            shared[u, [*held]] += label
    fourth = data.draw(st.one_of(st.none(), st.integers(0, n - 1)))
    members = data.draw(st.lists(st.integers(0, n - 1).filter(lambda v: v != fourth), unique=True))
    lists = np.array([0, len(members), len(members)], np.int64), np.array(members, np.int32)
    joined = np.zeros(n, np.int64) if fourth is None else shared[fourth]
    found = lightest_triples(*lists, np.array(labels, np.int64), shared, joined)
    wanted = naive.lightest_triple(members, fourth, labels, blossoms)
    most = np.iinfo(np.int64).max
    assert found.tolist() == [most if wanted is None else wanted, most]
