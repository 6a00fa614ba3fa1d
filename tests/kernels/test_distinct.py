"""Numbering equal rows and lists against dictionaries."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from naive import kernels as naive
from shoal.kernels.distinct import number_lists, number_rows
from support.tables import groups_of

Matrix = npt.NDArray[np.int32]

SMALL = st.integers(0, 3)
ANY = st.one_of(SMALL, st.integers(-(2**31), 2**31 - 1))
matrices = hnp.arrays(np.int32, st.tuples(st.integers(0, 4), st.integers(0, 40)), elements=ANY)
lists = st.lists(st.lists(ANY, max_size=6), max_size=30)


@given(matrices)
def test_number_rows(codes: Matrix) -> None:
    ids, firsts = number_rows(codes)
    assert (ids.tolist(), firsts.tolist()) == naive.number_rows(codes.tolist(), codes.shape[1])


@pytest.mark.parametrize("n_values", [256, 257, 65_536, 65_537])
def test_number_rows_of_large_domains(n_values: int) -> None:
    column = np.append(np.arange(n_values - 40, n_values), np.arange(n_values - 40, n_values)[::-1])
    codes = np.array([column, column // 2], np.int32)
    ids, firsts = number_rows(codes)
    assert (ids.tolist(), firsts.tolist()) == naive.number_rows(codes.tolist(), codes.shape[1])


def test_rows_that_collide_stay_apart() -> None:
    """Far more rows than slots that a bad hash would use: neighbours, multiples of powers of two, sign changes."""
    steps = np.arange(400, dtype=np.int64)
    codes = np.array([np.concatenate([steps, steps << 22, -steps]), np.concatenate([steps, steps, -steps])], np.int32)
    ids, firsts = number_rows(codes)
    assert (ids.tolist(), firsts.tolist()) == naive.number_rows(codes.tolist(), codes.shape[1])


def test_columns_are_not_mixed_up() -> None:
    assert number_rows(np.array([[1, 2], [2, 1]], np.int32))[0].tolist() == [0, 1]


@given(lists)
def test_number_lists(given_lists: list[list[int]]) -> None:
    groups = groups_of(given_lists)
    ids, firsts = number_lists(groups.offsets, groups.members)
    assert (ids.tolist(), firsts.tolist()) == naive.number_lists(given_lists)


def test_lists_that_begin_alike_are_different() -> None:
    groups = groups_of([[1, 2], [1, 2, 3], [], [1, 2], [0, 1, 2], [0], [0, 0]])
    assert number_lists(groups.offsets, groups.members)[0].tolist() == [0, 1, 2, 0, 3, 4, 5]
