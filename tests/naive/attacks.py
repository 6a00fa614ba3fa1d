"""Slow, obvious twins of the adversary's kernels: every complete assignment is written down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

Fits = Sequence[Sequence[bool]]
"""``fits[person][record]``."""


def assignments(fits: Fits) -> Iterator[tuple[int | None, ...]]:
    """Each way to give every record an owner of its own: the record of each person, None for people without."""
    n_people, n_records = len(fits), len(fits[0]) if fits else 0

    def give(person: int, taken: frozenset[int]) -> Iterator[tuple[int | None, ...]]:
        if person == n_people:
            if len(taken) == n_records:
                yield ()
            return
        if n_records - len(taken) < n_people - person:
            yield from ((None, *rest) for rest in give(person + 1, taken))
        for record in range(n_records):
            if fits[person][record] and record not in taken:
                yield from ((record, *rest) for rest in give(person + 1, taken | {record}))

    return give(0, frozenset())


def chances(fits: Fits) -> list[list[Fraction]] | None:
    """How many of all assignments give each record to each person; None where there is none."""
    counts = [[0] * len(row) for row in fits]
    total = 0
    for assignment in assignments(fits):
        total += 1
        for person, record in enumerate(assignment):
            if record is not None:
                counts[person][record] += 1
    if not total:
        return None
    return [[Fraction(count, total) for count in row] for row in counts]


def effective(fits: Fits) -> list[list[bool]] | None:
    """Which matches some assignment uses."""
    found = chances(fits)
    return None if found is None else [[chance > 0 for chance in row] for row in found]
