"""Counts how many guesses are right. Attacks hand in guesses and get a number back, never the answers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from shoal.audit.whose import Whose
from shoal.core.arrays import Codes, Floats, Offsets


@dataclass(frozen=True, eq=False)
class Referee:
    """``answers[name][person]`` is the code of a person's value of a sensitive column; empty where nobody knows.

    ``shapes[person]``, where known, is the shape of the person's own record, −1 for people without one. ``whose`` says,
    where it is known, which records are of the same person.
    """

    answers: dict[str, Codes] = field(default_factory=dict, repr=False)
    shapes: Codes | None = field(default=None, repr=False)
    whose: Whose | None = field(default=None, repr=False)

    def knows(self, column: str) -> bool:
        """Whether guesses about a column can be judged."""
        return column in self.answers

    def hits(self, column: str, guesses: Codes) -> tuple[int, int]:
        """How many people were guessed right, of how many that were guessed at all (−1 is no guess)."""
        made = guesses >= 0
        right = made & (guesses == self.answers[column])
        return int(np.count_nonzero(right)), int(np.count_nonzero(made))

    def found(self, guesses: Codes, records: Offsets) -> Floats | None:
        """For each person the chance that a random record of the guessed shape is theirs; None where nobody knows.

        ``guesses[person]`` is a shape, or −1 for no guess; ``records`` counts the records of each shape.
        """
        if self.shapes is None:
            return None
        right = (guesses >= 0) & (guesses == self.shapes)
        return np.where(right, 1.0 / np.maximum(1, records[np.maximum(guesses, 0)]), 0.0)


def interval(hits: int, n: int) -> tuple[float, float]:
    """A 95% interval of a share that was seen ``hits`` times in ``n`` (Wilson).

    >>> [round(bound, 3) for bound in interval(5, 10)]
    [0.237, 0.763]
    """
    if n == 0:
        return 0.0, 1.0
    z2, share = 1.96**2, hits / n
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = (z2 * (share * (1 - share) / n + z2 / (4 * n * n))) ** 0.5 / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)
