"""Parameters are checked once, and complaints say what was wanted and what was got."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal.core.parameters import real_number, whole_number
from shoal.errors import InputError


@pytest.mark.parametrize("value", [5, "5", " 5 ", np.int32(5), np.uint64(5)])
def test_whole_numbers(value: object) -> None:
    number = whole_number("k", value, least=1)
    assert number == 5
    assert type(number) is int


@pytest.mark.parametrize("value", [5.0, 5.5, "5.5", "five", "", None, True, False, [5], float("nan"), np.float64(5)])
def test_not_whole_numbers(value: object) -> None:
    with pytest.raises(InputError) as caught:
        whole_number("k", value, least=0)
    assert str(caught.value) == f"k must be a whole number, got {value!r}."


@pytest.mark.parametrize("value", [0, -1, "-3", -(10**30)])
def test_too_small_whole_numbers(value: object) -> None:
    with pytest.raises(InputError, match=rf"^k must be at least 1, got {value}\.$"):
        whole_number("k", value, least=1)


def test_huge_whole_numbers() -> None:
    assert whole_number("k", 10**30, least=1) == 10**30


@pytest.mark.parametrize("value", [0.25, "0.25", " 25e-2", np.float32(0.25)])
def test_real_numbers(value: object) -> None:
    number = real_number("t", value, least=0, most=1)
    assert number == 0.25
    assert type(number) is float


@pytest.mark.parametrize("value", [0, 1, "0", "1"])
def test_bounds_are_included(value: object) -> None:
    assert real_number("t", value, least=0, most=1) == float(str(value))


@pytest.mark.parametrize("value", ["", "many", None, True, float("nan"), "nan", [1.0]])
def test_not_real_numbers(value: object) -> None:
    with pytest.raises(InputError) as caught:
        real_number("t", value, least=0)
    assert str(caught.value) == f"t must be a number, got {value!r}."


@pytest.mark.parametrize(
    ("value", "most", "message"),
    [
        (-0.5, 1.0, "t must be between 0 and 1, got -0.5."),
        (1.5, 1.0, "t must be between 0 and 1, got 1.5."),
        (math.inf, 1.0, "t must be between 0 and 1, got inf."),
        (-1, math.inf, "t must be at least 0, got -1."),
    ],
)
def test_real_numbers_out_of_bounds(value: float, most: float, message: str) -> None:
    with pytest.raises(InputError) as caught:
        real_number("t", value, least=0, most=most)
    assert str(caught.value) == message
