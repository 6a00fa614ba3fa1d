"""A judge of tiny releases, by the definitions alone: it lists assignments, and imports nothing that it judges.

A release is a list of records, each with one set of values per quasi-identifier and a sensitive value; people are
tuples of values. Every number is exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations

Person = tuple[Hashable, ...]
Cells = tuple[frozenset[Hashable], ...]


@dataclass(frozen=True)
class Judge:
    """What holds for records with these cells, labels and sensitive values, made from as many people."""

    people: Sequence[Person]
    cells: Sequence[Cells]
    labels: Sequence[tuple[object, ...]]
    values: Sequence[object]

    @cached_property
    def classes(self) -> list[list[int]]:
        found: dict[tuple[object, ...], list[int]] = {}
        for record, label in enumerate(self.labels):
            found.setdefault(label, []).append(record)
        return list(found.values())

    def fits(self, person: Person, record: int) -> bool:
        return all(value in cell for value, cell in zip(person, self.cells[record], strict=True))

    @cached_property
    def assignments(self) -> list[tuple[int, ...]]:
        """Every complete assignment: the record of each person."""
        n = len(self.people)
        return [each for each in permutations(range(n)) if all(self.fits(self.people[p], each[p]) for p in range(n))]

    @cached_property
    def chances(self) -> Mapping[tuple[int, int], Fraction]:
        """How likely each match is, all assignments being equally likely."""
        pairs = Counter((person, record) for each in self.assignments for person, record in enumerate(each))
        return {pair: Fraction(count, len(self.assignments)) for pair, count in pairs.items()}

    def neighbours(self, pairs: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
        """How many records each person is paired with, and how many people each record."""
        kept = set(pairs)
        n = range(len(self.people))
        return [sum((p, r) in kept for r in n) for p in n], [sum((p, r) in kept for p in n) for r in n]

    @cached_property
    def degrees(self) -> tuple[list[int], list[int]]:
        n = range(len(self.people))
        return self.neighbours((p, r) for p in n for r in n if self.fits(self.people[p], r))

    @cached_property
    def matches(self) -> tuple[list[int], list[int]]:
        return self.neighbours(self.chances)

    @cached_property
    def disjoint(self) -> int:
        """The most assignments of which no two share a match."""
        return _most_disjoint([frozenset(enumerate(each)) for each in self.assignments])

    def people_inside(self, population: Sequence[Person]) -> list[int]:
        """How many people of a population each record fits."""
        return [sum(self.fits(person, record) for person in population) for record in range(len(self.cells))]

    def of_classes(self, measure: Callable[[Counter[object]], Fraction | float]) -> list[Fraction | float]:
        """One number per class from how often it has each sensitive value."""
        return [measure(Counter(self.values[record] for record in each)) for each in self.classes]

    @cached_property
    def totals(self) -> Counter[object]:
        return Counter(self.values)

    def share(self, value: object) -> Fraction:
        return Fraction(self.totals[value], len(self.values))

    def equal_distance(self, counts: Counter[object]) -> Fraction:
        n = sum(counts.values())
        return sum((abs(Fraction(counts[v], n) - self.share(v)) for v in self.totals), Fraction(0)) / 2

    def ordered_distance(self, counts: Counter[object], order: Sequence[object]) -> Fraction:
        """The work of moving shares along the values that occur, neighbour by neighbour."""
        present = [value for value in order if value in self.totals]
        if len(present) < 2:
            return Fraction(0)
        n, carried, work = sum(counts.values()), Fraction(0), Fraction(0)
        for value in present:
            carried += Fraction(counts[value], n) - self.share(value)
            work += abs(carried)
        return work / (len(present) - 1)

    def largest_gain(self, counts: Counter[object]) -> Fraction:
        n = sum(counts.values())
        return max((Fraction(count, n) - self.share(value)) / self.share(value) for value, count in counts.items())

    def largest_bits(self, counts: Counter[object]) -> float:
        if set(counts) != set(self.totals):
            return math.inf
        n = sum(counts.values())
        return max(abs(math.log2(Fraction(count, n) / self.share(value))) for value, count in counts.items())


def effective(counts: Counter[object]) -> float:
    """e to the entropy."""
    n = sum(counts.values())
    return math.exp(-sum(c / n * math.log(c / n) for c in counts.values()))


def recursive(counts: Counter[object], least: int) -> Fraction | float:
    """Rows of the most frequent value over those of the l-th and all rarer ones."""
    ranked = sorted(counts.values(), reverse=True)
    tail = sum(ranked[least - 1 :])
    return Fraction(ranked[0], tail) if tail else math.inf


def largest_share(counts: Counter[object]) -> Fraction:
    return Fraction(max(counts.values()), sum(counts.values()))


def _most_disjoint(left: Sequence[frozenset[tuple[int, int]]]) -> int:
    """By trying the first that is left, and by leaving it out; those through one pair exclude each other."""
    if not left:
        return 0
    first = min(left[0])
    through = [each for each in left if first in each]
    rest = [each for each in left if first not in each]
    best = _most_disjoint(rest)
    for each in through:
        best = max(best, 1 + _most_disjoint([other for other in rest if not other & each]))
    return best
