"""The list of what default runs compile: it fits the kernels, and is dealt out and compiled as it says."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import typeof, types

from shoal.engine.warming import AT_FIRST, LATER, SEARCH
from shoal.kernels import compile_signatures as compiling
from shoal.kernels.signature import Signature, tuple_of
from shoal.kernels.signatures import SIGNATURES

PARTS = {f"{part} {promises}" for part in (SEARCH, *AT_FIRST, *LATER) for promises in ("sizes", "values")}
PARTS -= {"program values"}
"""The linear program is about sizes of classes alone."""


class Pair(NamedTuple):
    """Something with fields of two types."""

    rows: Any
    n_rows: int


class Fake:
    """A kernel that notes what it is compiled for."""

    def __init__(self) -> None:
        self.seen: list[tuple[Any, ...]] = []

    def compile(self, arguments: tuple[Any, ...]) -> None:
        """Note the types."""
        self.seen.append(arguments)


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda one: one.kernel.__name__)
def test_a_signature_fits_its_kernel(signature: Signature) -> None:
    function = getattr(signature.kernel, "py_func", signature.kernel)
    assert len(signature.arguments) == len(inspect.signature(function).parameters)
    assert set(signature.parts) <= PARTS
    assert signature.parts
    assert signature.seconds > 0


def test_every_part_is_listed() -> None:
    assert {part for signature in SIGNATURES for part in signature.parts} == PARTS


@pytest.mark.parametrize("named", [Pair, None])
def test_the_type_of_a_tuple_is_the_one_that_numba_sees(named: Any) -> None:
    made = named or (lambda *fields: fields)
    assert tuple_of(named, types.int32[:, ::1], types.int64) == typeof(made(np.zeros((2, 2), np.int32), 3))


def test_parts_and_numbers_are_compiled_as_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Fake()
    listed = [Signature(kernel, (n,), 8.0 / 2**n, ("a",) if n % 2 else ("a", "b")) for n in range(4)]
    monkeypatch.setattr(compiling, "SIGNATURES", tuple(listed))
    assert compiling.needed_by(["b"]) == [0, 2]
    assert compiling.needed_by(["a", "b"]) == [0, 1, 2, 3]
    assert compiling.shared_out([3, 2, 1, 0], 2) == [[0], [1, 2, 3]]
    compiling.compile_signatures([2, 0])
    assert kernel.seen == [(2,), (0,)]
