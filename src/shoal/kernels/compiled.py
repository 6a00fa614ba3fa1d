"""Tell when a kernel has to be compiled, which happens once on each machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
