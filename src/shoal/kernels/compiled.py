"""Watch for the compilation of kernels, which happens once per machine, and a clock that stops meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from numba.core import event

_COMPILING = "numba:compile"


class _Once(event.Listener):  # type: ignore[misc]
    """Calls ``tell`` when the first compilation starts."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell: Callable[[], None] | None = tell

    def on_start(self, event: object) -> None:
        """A compilation starts."""
        tell, self._tell = self._tell, None
        if tell is not None:
            tell()

    def on_end(self, event: object) -> None:
        """A compilation ended; do nothing."""


class _Stopwatch(event.Listener):  # type: ignore[misc]
    """Adds up the seconds spent compiling; nested compilations count once.

    Numba compiles under a lock, one thread at a time.
    """

    def __init__(self) -> None:
        self._depth, self._began, self._total = 0, 0.0, 0.0

    def on_start(self, event: object) -> None:
        """A compilation starts, perhaps inside another."""
        if self._depth == 0:
            self._began = perf_counter()
        self._depth += 1

    def on_end(self, event: object) -> None:
        """A compilation ended."""
        self._depth -= 1
        if self._depth == 0:
            self._total += perf_counter() - self._began

    @property
    def seconds(self) -> float:
        """The total so far."""
        return self._total + (perf_counter() - self._began if self._depth else 0.0)


_STOPWATCH = _Stopwatch()
event.register(_COMPILING, _STOPWATCH)


def working_time() -> float:
    """A clock in seconds for time limits; it stops while kernels are compiled, which is not work on a table."""
    return perf_counter() - _STOPWATCH.seconds


@contextmanager
def compiling() -> Iterator[None]:
    """Count the time inside the block as compile time and notify listeners; for compilation in other processes."""
    with event.trigger_event(_COMPILING):
        yield


@contextmanager
def when_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Call ``tell`` once if a kernel is compiled inside the block; machine code found on disk does not count."""
    with event.install_listener(_COMPILING, _Once(tell)):
        yield
