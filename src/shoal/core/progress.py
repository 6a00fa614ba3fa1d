"""Progress reports of long-running work."""

from __future__ import annotations

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
