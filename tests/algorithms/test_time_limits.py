"""Time limits of searches leave out the compilation of kernels, which happens once per machine."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import shoal.algorithms.relaxation.certificate as certificate
from shoal.algorithms import Concealment, Mondrian
from shoal.algorithms.lattice import KOptimize
from shoal.algorithms.patterns import PatternExact
from shoal.algorithms.relaxation import find_floor
from shoal.core.contracts import PrivacyModel
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.kernels import compiled
from shoal.kernels.compiled import compiling
from shoal.metrics import LM
from shoal.models import KAnonymity, KConcealment, LDiversity
from support.patterns import k_goal, matrix, problem_of
from support.tables import coded, goal_of

ENOUGH = 600.0
_DRAW = np.random.default_rng(1)
ROWS = {name: _DRAW.integers(0, 6, 60).tolist() for name in "abc"}
TREES = dict.fromkeys("abc", "suppress")
PROBLEM = problem_of(matrix(_DRAW.integers(0, 3, (60, 5)).tolist()))


class Clock:
    """The real time, and an hour more for each compilation."""

    def __init__(self) -> None:
        self.hours = 0

    def __call__(self) -> float:
        return time.perf_counter() + 3600.0 * self.hours

    def compile(self, *_: object) -> None:
        """Let an hour pass while a kernel is compiled."""
        with compiling():
            self.hours += 1


class Telling(Silent):
    """Calls something whenever a search tells its progress."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell

    def stage(self, name: str, total: float | None = None) -> None:
        """A stage starts."""
        self._tell()

    def advance(self, amount: float = 1.0) -> None:
        """Some of it is done."""
        self._tell()


def _cut(seconds: float, tell: Callable[[], None]) -> float:
    table = coded(ROWS, list(ROWS), kinds=dict.fromkeys(ROWS, "ordinal"))
    return KOptimize(time_limit=seconds).search(table, goal_of(KAnonymity(4)), Telling(tell)).lower_bound


def _program(seconds: float, tell: Callable[[], None]) -> float:
    return PatternExact(time_limit=seconds).solve(PROBLEM, k_goal(3), Randomness(0), Telling(tell)).bound


def _matching(seconds: float, tell: Callable[[], None]) -> float:
    method = PatternExact(method="matching", time_limit=seconds)
    return method.solve(PROBLEM, k_goal(2), Randomness(0), Telling(tell)).bound


def _floor(seconds: float, tell: Callable[[], None]) -> float:
    table, goal = coded(ROWS, list(ROWS), recodings=TREES), goal_of(KAnonymity(4))
    release = Mondrian().run(table, goal, Randomness(1), Silent())
    return find_floor(release, goal, Randomness(1), Telling(tell), seconds).value


def _floor_prepared(seconds: float, tell: Callable[[], None]) -> float:
    with pytest.MonkeyPatch.context() as patch:
        _before(patch, certificate, "matches_wanted", tell)
        return _floor(seconds, lambda: None)


def _before(patch: pytest.MonkeyPatch, owner: Any, name: str, tell: Callable[[], None]) -> None:
    """Tell before a function or method is called."""
    real = getattr(owner, name)

    def called(*given: Any) -> Any:
        tell()
        return real(*given)

    patch.setattr(owner, name, called)


def _concealment(*promises: PrivacyModel) -> Callable[[float, Callable[[], None]], float]:
    def saved(seconds: float, tell: Callable[[], None]) -> float:
        """The groups are found by counting steps; the rest of the time is for what follows."""
        table = coded({**ROWS, "ill": [row % 7 for row in range(60)]}, list(ROWS), recodings=TREES, sensitive=["ill"])
        grouped = Concealment._grouped

        def by_steps(self: Concealment, *given: Any) -> Any:
            made = grouped(Concealment(steps=200), *given)
            tell()
            return made

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Concealment, "_grouped", by_steps)
            release = Concealment(budget=seconds).run(table, goal_of(*promises), Randomness(1), Telling(tell))
        return 1 - LM().score(release)

    return saved


SEARCHES = {
    "k-optimize": _cut,
    "patterns by a program": _program,
    "patterns by matching": _matching,
    "floor": _floor,
    "floor, its preparation": _floor_prepared,
    "concealment": _concealment(KConcealment(5)),
    "concealment of sensitive values": _concealment(KConcealment(5), LDiversity(4)),
}


def _clocks() -> list[tuple[ModuleType, str]]:
    """Where a module has imported a clock that runs while kernels are compiled."""
    names = ("perf_counter", "monotonic")
    modules = [m for name, m in [*sys.modules.items()] if name.startswith(("shoal.algorithms", "shoal.kernels"))]
    return [(module, name) for module in modules for name in names if hasattr(module, name)]


@pytest.mark.parametrize("name", SEARCHES)
def test_compiling_takes_no_time_from_a_search(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    search, clock = SEARCHES[name], Clock()
    monkeypatch.setattr(compiled._STOPWATCH, "_total", compiled._STOPWATCH.seconds)  # forgets these hours afterwards
    for module, its in _clocks():
        monkeypatch.setattr(module, its, clock)
    whole = search(ENOUGH, lambda: None)
    assert search(ENOUGH, clock.compile) == pytest.approx(whole)
    assert clock.hours
    assert search(0.0, lambda: None) < whole, "a search out of time finds less"


def test_no_search_has_a_clock_of_its_own() -> None:
    """Times of two clocks must not be compared."""
    assert [name for module, name in _clocks() if module.__name__.startswith("shoal.algorithms")] == []
