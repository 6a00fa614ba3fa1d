"""What attacks get where people have several rows, by their definitions: plain loops over the rows of small tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction

Class = Hashable
Record = tuple[Class, str]
"""The class of a record, and whose it is."""


def people_of(records: Iterable[Record]) -> dict[Class, Counter[str]]:
    """How many records everybody has in each class."""
    found: dict[Class, Counter[str]] = defaultdict(Counter)
    for cell, person in records:
        found[cell][person] += 1
    return found


def parts(records: Iterable[Record]) -> dict[tuple[Class, str], Fraction]:
    """The part of each class that is somebody's."""
    found = people_of(records)
    return {(cell, p): Fraction(n, own.total()) for cell, own in found.items() for p, n in own.items()}


def candidates(records: Iterable[Record]) -> dict[tuple[Class, str], int]:
    """For everybody in each of their classes the number of people there."""
    return {(cell, p): len(own) for cell, own in people_of(records).items() for p in own}


def left_alone(records: Iterable[Record], corrupted: int) -> set[str]:
    """Who is alone in a class once some others of it have told which records are theirs."""
    found = set()
    for own in people_of(records).values():
        for person in own:
            others = [other for other in own if other != person]
            if len(others) <= corrupted:
                found.add(person)
    return found


def right(rows: Sequence[tuple[str, object]], guesses: Sequence[object | None]) -> tuple[Fraction, int]:
    """How many people are guessed right, by the mean of their guesses, and how many are guessed at all.

    ``rows`` are people and their values, ``guesses`` one for each row; a guess is right if the person has the value in
    any row.
    """
    had: dict[str, set[object]] = defaultdict(set)
    made: Mapping[str, list[bool]] = defaultdict(list)
    for person, value in rows:
        had[person].add(value)
    for (person, _), guess in zip(rows, guesses, strict=True):
        if guess is not None:
            made[person].append(guess in had[person])
    return sum((Fraction(sum(own), len(own)) for own in made.values()), Fraction(0)), len(made)
