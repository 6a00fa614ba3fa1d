"""How long a search may go on: seconds, or steps where every run is to come out the same."""

from __future__ import annotations

from dataclasses import dataclass, field

from shoal.kernels.compiled import working_time

_WINDOW = 0.125
"""The share of a budget over which its gain is judged."""

_FIRST = 0.1
"""The share of the steps wanted that is made first: only then is it known how many seconds steps take."""


@dataclass
class Budget:
    """Counts down; with ``steps`` the clock is not looked at. ``part`` is how much of all may be spent for now.

    It is dried up where an eighth of it has gained less than ``least_gain`` of the loss. Compiling takes no time.
    """

    seconds: float
    steps: int | None = None
    part: float = 1.0
    least_gain: float = 0.0
    started: float = field(default_factory=lambda: working_time())
    done: int = 0
    worked: float = 0.0
    marks: list[tuple[float, float]] = field(default_factory=list)

    @property
    def total(self) -> float:
        """The size of the work, for progress bars."""
        return self.seconds if self.steps is None else float(self.steps)

    @property
    def spent(self) -> float:
        """How much of ``total`` is gone."""
        return min(self.total, working_time() - self.started if self.steps is None else float(self.done))

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self.spent >= self.total

    def share(self, wanted: int) -> int:
        """How many of ``wanted`` steps still fit, judged by how long those before took; 0 when it is over."""
        left = self.total * self.part - (working_time() - self.started if self.steps is None else self.done)
        if left <= 0:
            return 0
        if self.steps is None:
            unknown = wanted if self.done else _FIRST * wanted
            left = self.done * left / self.worked if self.worked > 0 else unknown
        return max(1, min(wanted, int(left)))

    def has_dried_up(self, loss: float) -> bool:
        """Whether going on is not worth it, the loss having come down to this."""
        self.marks.append((self.spent, loss))
        while len(self.marks) > 1 and self.marks[1][0] <= self.spent - _WINDOW * self.total:
            del self.marks[0]
        since, before = self.marks[0]
        return self.spent - since >= _WINDOW * self.total and before - loss < self.least_gain * before

    def count(self, steps: int, seconds: float) -> None:
        """So many steps were made, in so many seconds."""
        self.done += steps
        self.worked += seconds
