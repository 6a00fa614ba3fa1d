"""What promises about all classes of a release come to, by their definitions.

A twin takes the model, what each record is published as (one tuple of labels or cells per record) and whose each is,
and returns the figure that the promise limits and whether it holds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

Record = tuple[Hashable, ...]
Figure = Callable[[Any, Sequence[Record], Sequence[int]], Fraction]


def _sizes(records: Sequence[Record], people: Sequence[int]) -> list[int]:
    """For each record how many people's records are equal to it."""
    found: dict[Record, set[int]] = defaultdict(set)
    for record, person in zip(records, people, strict=True):
        found[record].add(person)
    return [len(found[record]) for record in records]


def _average(model: Any, records: Sequence[Record], people: Sequence[int]) -> Fraction:
    risks = [Fraction(1, size) for size in _sizes(records, people)]
    return sum(risks, Fraction(0)) / max(1, len(risks))


def _share(model: Any, records: Sequence[Record], people: Sequence[int]) -> Fraction:
    above = [size for size in _sizes(records, people) if 1 / size > model.r]
    return Fraction(len(above), max(1, len(records)))


def _fewest(model: Any, records: Sequence[Record], people: Sequence[int], names: Sequence[str]) -> int:
    keys = [{names.index(name) for name in key} for key in model.keys]
    if model.every is not None:
        keys += [set(key) for key in combinations(range(len(names)), min(model.every, len(names)))]
    sizes = [_sizes([tuple(record[place] for place in sorted(key)) for record in records], people) for key in keys]
    return min((size for one in sizes for size in one), default=10**9)


def _unique(model: Any, records: Sequence[Record], people: Sequence[int]) -> Fraction:
    return Fraction(sum(size == 1 for size in _sizes(records, people)), max(1, len(records)))


def _zayatz(model: Any, records: Sequence[Record], people: Sequence[int]) -> Fraction:
    """By the definition, with binomials; only for the estimator of this name."""
    assert model.estimator == "zayatz"
    classes: dict[Record, set[int]] = defaultdict(set)
    for record, person in zip(records, people, strict=True):
        classes[record].add(person)
    sizes = [len(members) for members in classes.values()]
    n, population, alone = sum(sizes), model.population, sum(size == 1 for size in sizes)
    if not alone:
        return Fraction(0)
    chances = [Fraction(size * comb(population - size, n - 1), comb(population, n)) for size in sizes]
    conditional = alone * Fraction(comb(population - 1, n - 1), comb(population, n)) / sum(chances, Fraction(0))
    return min(Fraction(1), alone * conditional * Fraction(population, n) / population)


def _household(model: Any, records: Sequence[Record], people: Sequence[int]) -> Fraction:
    """The largest chance that a member is found, each by a guess among equal records."""
    safe: dict[int, Fraction] = defaultdict(lambda: Fraction(1))
    counts = Counter(records)
    for record, household in zip(records, people, strict=True):
        safe[household] *= 1 - Fraction(1, counts[record])
    return max((1 - chance for chance in safe.values()), default=Fraction(0))


FIGURES: Mapping[str, Figure] = {
    "household-risk": _household,
    "average-risk": _average,
    "risk-share": _share,
    "sample-uniqueness": _unique,
    "population-uniqueness": _zayatz,
}
"""Figures that must not be above the limit, by the model's name."""

LIMITS: Mapping[str, Callable[[Any], float]] = {
    "household-risk": lambda model: model.r,
    "average-risk": lambda model: model.r,
    "risk-share": lambda model: model.s,
    "sample-uniqueness": lambda model: model.u,
    "population-uniqueness": lambda model: model.u,
}


def keeps(
    model: Any, records: Sequence[Record], people: Sequence[int] | None = None, names: Sequence[str] | None = None
) -> bool:
    """Whether the promise holds; each record is a person's of its own unless ``people`` says otherwise."""
    whose = range(len(records)) if people is None else people
    if model.name == "k-combinations":
        named = names or [str(place) for place in range(len(records[0]) if records else 0)]
        return _fewest(model, records, whose, named) >= model.k
    return float(FIGURES[model.name](model, records, whose)) <= LIMITS[model.name](model) + 1e-12


def given_up(model: Any, classes: Mapping[Record, int], order: Sequence[Record], names: Sequence[str]) -> set[Record]:
    """The classes that go: the first of the order until the promise holds; of combinations whatever is too rare."""
    left = dict(classes)
    if model.name == "k-combinations":
        while left:
            rare = {one for one in left if not _is_common(model, one, left, names)}
            if not rare:
                break
            left = {one: rows for one, rows in left.items() if one not in rare}
        return {*classes} - {*left}
    for one in order:
        if keeps(model, [record for record, rows in left.items() for _ in range(rows)]):
            break
        del left[one]
    return {*classes} - {*left}


def _is_common(model: Any, one: Record, classes: Mapping[Record, int], names: Sequence[str]) -> bool:
    keys = [tuple(names.index(name) for name in key) for key in model.keys]
    if model.every is not None:
        keys += [*combinations(range(len(names)), min(model.every, len(names)))]
    for key in keys:
        counts: Counter[Record] = Counter()
        for record, rows in classes.items():
            counts[tuple(record[place] for place in key)] += rows
        if counts[tuple(one[place] for place in key)] < model.k:
            return False
    return True
