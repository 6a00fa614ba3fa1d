"""Closing intervals to hierarchy nodes against trying every node."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naive import kernels as naive
from shoal.core.hierarchy import Hierarchy
from shoal.kernels.closure import cover
from support.strategies import laminar


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    tree = draw(laminar([f"v{leaf}" for leaf in range(draw(st.integers(1, 12)))]))
    return tree.with_missing() if draw(st.booleans()) else tree


@given(hierarchies())
def test_cover(tree: Hierarchy) -> None:
    levels = zip(tree.low.tolist(), tree.high.tolist(), strict=True)
    nodes = [sorted(set(zip(low, high, strict=True))) for low, high in levels]
    pairs = [(low, high) for low in range(tree.n_leaves) for high in range(low, tree.n_leaves)]
    lows, highs = np.array(pairs, np.int32).T
    found = cover(np.ascontiguousarray(lows), np.ascontiguousarray(highs), tree.low, tree.high)
    assert list(zip(*(bound.tolist() for bound in found), strict=True)) == [
        naive.cover(low, high, nodes) for low, high in pairs
    ]


def test_no_intervals() -> None:
    tree, none = Hierarchy.flat(["a", "b"]), np.empty(0, np.int32)
    assert [bound.size for bound in cover(none, none, tree.low, tree.high)] == [0, 0, 0]
