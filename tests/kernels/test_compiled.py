"""The clock for time limits stands still while kernels are compiled."""

from __future__ import annotations

from time import perf_counter

import pytest
from numba import config, njit

from shoal.kernels.compiled import compiling, when_compiling, working_time


def test_compiling_takes_no_working_time_and_work_does(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("shoal.kernels.compiled.perf_counter", lambda: now[0])
    began = working_time()
    with compiling():
        now[0] += 5
        with compiling():
            now[0] += 5
        assert working_time() == began
    assert working_time() == began
    now[0] += 6
    assert working_time() == began + 6


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled without the JIT")  # type: ignore[attr-defined]
def test_what_numba_compiles_takes_no_working_time() -> None:
    began, wall = working_time(), perf_counter()
    njit(lambda x: x**3 + 1)(1.5)
    spent = perf_counter() - wall
    assert working_time() - began < spent / 2


def test_other_processes_that_compile_are_told_of() -> None:
    said: list[str] = []
    with when_compiling(lambda: said.append("compiling")), compiling():
        pass
    assert said == ["compiling"]
