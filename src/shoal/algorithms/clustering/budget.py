"""How long a search may go on: seconds, or steps where every run is to come out the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter


@dataclass
class Budget:
    """Counts down; with ``steps`` the clock is not looked at. ``part`` is how much of all may be spent for now."""

    seconds: float
    steps: int | None = None
    part: float = 1.0
    started: float = field(default_factory=lambda: perf_counter())
    done: int = 0
    worked: float = 0.0

    @property
    def total(self) -> float:
        """The size of the work, for progress bars."""
        return self.seconds if self.steps is None else float(self.steps)

    @property
    def spent(self) -> float:
        """How much of ``total`` is gone."""
        return min(self.total, perf_counter() - self.started if self.steps is None else float(self.done))

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self.spent >= self.total

    def share(self, wanted: int) -> int:
        """How many of ``wanted`` steps still fit, judged by how long those before took; 0 when it is over."""
        left = self.total * self.part - (perf_counter() - self.started if self.steps is None else self.done)
        if left <= 0:
            return 0
        if self.steps is None:
            left = self.done * left / self.worked if self.worked > 0 else wanted
        return max(1, min(wanted, int(left)))

    def count(self, steps: int, seconds: float) -> None:
        """So many steps were made, in so many seconds."""
        self.done += steps
        self.worked += seconds
