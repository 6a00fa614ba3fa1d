"""Rows counted by hierarchy node, beside the obvious way."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naive import lattice as naive
from shoal.kernels.rollup import count_by_node


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(1, 2), st.data())
def test_count_by_node(widths: list[int], n_words: int, data: st.DataObject) -> None:
    node = st.tuples(*(st.integers(0, (1 << width) - 1) for width in widths))
    classes = data.draw(st.lists(st.tuples(node, st.integers(1, 9), st.booleans()), max_size=8))
    words = [data.draw(st.integers(0, n_words - 1)) for _ in widths]
    shifts = [
        sum(w for w, other in zip(widths[:c], words[:c], strict=True) if other == words[c]) for c in range(len(words))
    ]
    keys = np.zeros((n_words, len(classes)), np.uint64)
    for i, (nodes, _, _) in enumerate(classes):
        for number, word, shift in zip(nodes, words, shifts, strict=True):
            keys[word, i] |= np.uint64(number << shift)
    starts = np.cumsum([0, *(1 << width for width in widths)])
    counts = count_by_node(
        keys,
        np.array([size for _, size, _ in classes], np.int64),
        np.array([flagged for _, _, flagged in classes], bool),
        np.array(words, np.int64),
        np.array(shifts, np.uint64),
        np.array([(1 << width) - 1 for width in widths], np.uint64),
        starts,
    )
    assert [part.tolist() for part in np.split(counts, starts[1:-1])] == naive.count_by_node(classes, widths)
