"""Progress reports of long-running work, and how long its phases took."""

from __future__ import annotations

from time import perf_counter
from typing import Protocol


class Progress(Protocol):
    """The interface that algorithms report progress to."""

    def stage(self, what: str, total: float | None = None) -> None:
        """Begin a new stage; ``total`` is its size if known."""

    def advance(self, amount: float = 1.0) -> None:
        """Report that part of the current stage is done."""


class Silent:
    """Ignores all progress reports."""

    def stage(self, what: str, total: float | None = None) -> None:
        """Do nothing."""

    def advance(self, amount: float = 1.0) -> None:
        """Do nothing."""


class Watch:
    """Seconds per phase."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, phase: str) -> None:
        """Record the end of a phase, or of more of it."""
        now = perf_counter()
        self.laps[phase] = self.laps.get(phase, 0.0) + now - self._last
        self._last = now
