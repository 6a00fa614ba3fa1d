"""How long-running work tells how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """What algorithms report to."""

    def stage(self, what: str, total: float | None = None) -> None:
        """A new piece of work begins; ``total`` is its size where known."""

    def advance(self, amount: float = 1.0) -> None:
        """Some of the current piece is done."""


class Silent:
    """Reports to nobody."""

    def stage(self, what: str, total: float | None = None) -> None:
        """Do nothing."""

    def advance(self, amount: float = 1.0) -> None:
        """Do nothing."""
