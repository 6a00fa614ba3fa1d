"""Counts correct guesses. Attacks submit guesses and get a number back, never the answers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from shoal.audit.same_person import Whose
from shoal.core.arrays import Codes, Flags, Floats, Offsets


@dataclass(frozen=True, eq=False)
class Referee:
    """``answers[name][person]`` is the code of a person's value of a sensitive column; empty if unknown.

    ``shapes[person]``, if known, is the shape of the person's own record, −1 for people without one. ``whose``, if
    known, says which records belong to the same person.

    If people are counted, ``owners`` numbers the person of each row that adversaries know. Guesses are made row by row;
    a person then counts once, by the mean of their rows, and a guess is correct if the person has that value in any
    row. ``untraced`` is the reason why the owners of records are unknown although a person column was named.
    """

    answers: dict[str, Codes] = field(default_factory=dict, repr=False)
    shapes: Codes | None = field(default=None, repr=False)
    whose: Whose | None = field(default=None, repr=False)
    owners: Codes | None = field(default=None, repr=False)
    untraced: str = ""

    @property
    def counted(self) -> Whose | None:
        """The owners of the records, if privacy models count people."""
        return self.whose if self.whose is not None and self.whose.is_counted else None

    def knows(self, column: str) -> bool:
        """Whether guesses about a column can be scored."""
        return column in self.answers

    def hits(self, column: str, guesses: Codes) -> tuple[float, int]:
        """The number of people guessed correctly, and of those guessed at all (−1 is no guess)."""
        return self.total(self._is_right(column, guesses), guesses >= 0)

    def _is_right(self, column: str, guesses: Codes) -> Flags:
        answers = self.answers[column]
        if self.owners is None:
            return np.asarray((guesses >= 0) & (guesses == answers))
        width = max(int(answers.max(initial=0)), int(guesses.max(initial=0))) + 2
        owned = self.owners.astype(np.int64) * width
        return np.isin(owned + np.where(guesses >= 0, guesses, width - 1), owned + answers)

    def total(self, chances: Floats | Flags, which: Flags) -> tuple[float, int]:
        """The sum of a number per row over some rows, and their count; for people, the mean of each person's rows."""
        if self.owners is None:
            return float(chances[which].sum()), int(np.count_nonzero(which))
        rows = np.bincount(self.owners[which])
        sums = np.bincount(self.owners[which], chances[which].astype(np.float64), rows.size)
        return float((sums / np.maximum(1, rows)).sum()), int(np.count_nonzero(rows))

    def count(self, which: Flags) -> int:
        """The number of people that these rows belong to."""
        return int(np.count_nonzero(which)) if self.owners is None else int(np.unique(self.owners[which]).size)

    def sizes(self, records: Offsets) -> Offsets:
        """How many hide together in each shape: its records, or their different owners."""
        return records if self.counted is None else self.counted.people_by_shape

    def found(self, guesses: Codes, sizes: Offsets) -> Floats | None:
        """For each person, the chance that a random record of the guessed shape is theirs; None if unknown.

        ``guesses[person]`` is a shape, or −1 for no guess; ``sizes`` says how many hide together in each shape.
        """
        if self.shapes is None:
            return None
        right = (guesses >= 0) & (guesses == self.shapes)
        return np.where(right, 1.0 / np.maximum(1, sizes[np.maximum(guesses, 0)]), 0.0)


def interval(hits: float, n: int) -> tuple[float, float]:
    """A 95% interval of a share observed ``hits`` times in ``n`` (Wilson).

    >>> [round(bound, 3) for bound in interval(5, 10)]
    [0.237, 0.763]
    """
    if n == 0:
        return 0.0, 1.0
    z2, share = 1.96**2, hits / n
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = (z2 * (share * (1 - share) / n + z2 / (4 * n * n))) ** 0.5 / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)
