"""Tell when a kernel has to be compiled, which happens once on each machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from numba.core import event


class _Once(event.Listener):  # type: ignore[misc]
    """Calls ``tell`` at the first compilation that starts."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell: Callable[[], None] | None = tell

    def on_start(self, event: object) -> None:
        """A compilation starts."""
        tell, self._tell = self._tell, None
        if tell is not None:
            tell()

    def on_end(self, event: object) -> None:
        """It ended; nothing to say."""


@contextmanager
def when_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Call ``tell`` once if a kernel is compiled inside the block; machine code found on disk does not count."""
    with event.install_listener("numba:compile", _Once(tell)):
        yield


class _Total(event.Listener):  # type: ignore[misc]
    """Adds up the seconds spent compiling; a kernel that is compiled for another one counts once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth, self._since = 0, 0.0

    def on_start(self, event: object) -> None:
        """A compilation starts."""
        if self._depth == 0:
            self._since = monotonic()
        self._depth += 1

    def on_end(self, event: object) -> None:
        """It ended."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += monotonic() - self._since


_TOTAL = _Total()
event.register("numba:compile", _TOTAL)


def working_time() -> float:
    """Seconds by a clock that never goes back and stands still while kernels are compiled."""
    return monotonic() - _TOTAL.seconds
