"""How long a search may run: in seconds, or in steps if every run must give the same result."""

from __future__ import annotations

from dataclasses import dataclass, field

from shoal.kernels.compiled import working_time

_WINDOW = 0.125
"""The share of a budget over which its gain is judged."""

_FIRST = 0.1
"""The share of the wanted steps to make first, before it is known how long a step takes."""


@dataclass
class Budget:
    """A budget that counts down; with ``steps`` it ignores the clock. ``part`` is the share that may be spent for now.

    It has dried up if the last eighth of it gained less than ``least_gain`` of the loss. Compile time does not count.
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
        """The total amount of work, for progress bars."""
        return self.seconds if self.steps is None else float(self.steps)

    @property
    def spent(self) -> float:
        """How much of ``total`` has been spent."""
        return min(self.total, working_time() - self.started if self.steps is None else float(self.done))

    @property
    def is_over(self) -> bool:
        """Whether the budget is used up."""
        return self.spent >= self.total

    def share(self, wanted: int) -> int:
        """How many of ``wanted`` steps still fit, judged by the time of earlier steps; 0 if the budget is used up."""
        left = self.total * self.part - (working_time() - self.started if self.steps is None else self.done)
        if left <= 0:
            return 0
        if self.steps is None:
            unknown = wanted if self.done else _FIRST * wanted
            left = self.done * left / self.worked if self.worked > 0 else unknown
        return max(1, min(wanted, int(left)))

    def has_dried_up(self, loss: float) -> bool:
        """Whether continuing is not worthwhile, now that the loss has fallen to ``loss``."""
        self.marks.append((self.spent, loss))
        while len(self.marks) > 1 and self.marks[1][0] <= self.spent - _WINDOW * self.total:
            del self.marks[0]
        since, before = self.marks[0]
        return self.spent - since >= _WINDOW * self.total and before - loss < self.least_gain * before

    def count(self, steps: int, seconds: float) -> None:
        """Record that ``steps`` steps were made in ``seconds`` seconds."""
        self.done += steps
        self.worked += seconds
