"""How long each phase of a run took."""

from __future__ import annotations

from time import perf_counter


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
