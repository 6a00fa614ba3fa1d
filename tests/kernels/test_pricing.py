"""What suppressed classes pay, added up one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.rollup import pay_suppressed

N_LEAVES = 4


@given(st.integers(1, 3), st.lists(st.tuples(st.integers(1, 9), st.booleans()), min_size=1, max_size=8), st.data())
def test_pay_suppressed(n_columns: int, classes: list[tuple[int, bool]], data: st.DataObject) -> None:
    codes = [[data.draw(st.integers(0, N_LEAVES - 1)) for _ in classes] for _ in range(n_columns)]
    prices = [float(price * price) for price in range(N_LEAVES * n_columns)]
    wanted = [
        sum(size * prices[N_LEAVES * j + codes[j][c]] for c, (size, kept) in enumerate(classes) if not kept)
        for j in range(n_columns)
    ]
    paid = pay_suppressed(
        np.array([size for size, _ in classes], np.int64),
        np.array([kept for _, kept in classes]),
        np.array(codes, np.int32),
        np.array(prices),
        np.arange(n_columns, dtype=np.int64) * N_LEAVES,
    )
    assert paid.tolist() == pytest.approx(wanted)
