"""Count the patterns that a set of rules allows, without listing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import prod

from shoal.algorithms.patterns.column_levels import Ladder
from shoal.algorithms.patterns.rules import Rules
from shoal.algorithms.patterns.units import Unit, units_of


def by_stars(rules: Rules, ladders: Sequence[Ladder]) -> dict[int, int]:
    """The number of patterns that the rules generate, by number of stars; the exempt all-star one is not counted.

    Units not linked by an at-most-one group are independent, so their counts are multiplied as polynomials: counting
    takes as long for 2^63 patterns as for two.
    """
    most = len(ladders) if rules.max_stars is None else rules.max_stars
    total: Counter[int] = Counter({0: 1})
    for part in _independent(units_of(rules, ladders)):
        total = _times(total, _choices(part, ladders), most)
    return dict(sorted(total.items()))


def _independent(units: Sequence[Unit]) -> list[list[Unit]]:
    """Divide units into parts that share no at-most-one group."""
    parts: list[list[Unit]] = []
    for unit in units:
        touched = [part for part in parts if any(other.rivals & unit.rivals for other in part)]
        parts = [part for part in parts if part not in touched]
        parts.append([*chain.from_iterable(touched), unit])
    return parts


def _choices(units: Sequence[Unit], ladders: Sequence[Ladder]) -> Counter[int]:
    """The number of ways to publish these units, by their number of stars."""
    if not units:
        return Counter({0: 1})
    first, rest = units[0], units[1:]
    lower = prod(ladders[column].top for column in first.columns)
    found = Counter({stars: lower * ways for stars, ways in _choices(rest, ladders).items()})
    if first.may_blank:
        others = [Unit(unit.columns, unit.may_blank and not unit.rivals & first.rivals, unit.rivals) for unit in rest]
        for stars, ways in _choices(others, ladders).items():
            found[stars + len(first.columns)] += ways
    return found


def _times(one: Counter[int], other: Counter[int], most: int) -> Counter[int]:
    product: Counter[int] = Counter()
    for stars, ways in one.items():
        for more, times in other.items():
            if stars + more <= most:
                product[stars + more] += ways * times
    return product
