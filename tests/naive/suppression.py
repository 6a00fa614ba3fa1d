"""Cell suppression the slow way: all sets of rows, all partitions, all graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

Row = Sequence[int]
Rows = tuple[int, ...]


def distance(one: Row, other: Row) -> int:
    """In how many columns two rows differ."""
    return sum(a != b for a, b in zip(one, other, strict=True))


def stars(rows: Sequence[Row], prices: Sequence[float]) -> float:
    """What one record stars if these rows share their cells."""
    return sum(price for column, price in zip(zip(*rows, strict=True), prices, strict=True) if len(set(column)) > 1)


def diameter(rows: Sequence[Row]) -> int:
    """The largest distance of two rows."""
    return max((distance(a, b) for a, b in combinations(rows, 2)), default=0)


def radius(rows: Sequence[Row], everybody: Sequence[Row]) -> int:
    """How far the farthest row is from the best centre there is."""
    return min(max(distance(centre, row) for row in rows) for centre in everybody)


def sets_of(n_rows: int, k: int) -> Iterator[Rows]:
    """All sets of k to 2k − 1 rows."""
    for size in range(k, min(n_rows, 2 * k - 1) + 1):
        yield from combinations(range(n_rows), size)


def least_ratio(n_rows: int, k: int, price: Callable[[Rows], float], uncovered: set[int]) -> Fraction:
    """The least price of a set per uncovered row in it."""
    ratios = [Fraction(price(some)) / n for some in sets_of(n_rows, k) if (n := len(uncovered.intersection(some)))]
    return min(ratios)


def fewest_stars(rows: Sequence[Row], prices: Sequence[float], k: int) -> float:
    """The fewest stars of any partition into groups of at least k rows; larger than 2k − 1 none has to be."""

    @cache
    def best(rest: frozenset[int]) -> float:
        if not rest:
            return 0.0
        first, *others = sorted(rest)
        costs = [float("inf")]
        for size in range(k, min(len(rest), 2 * k - 1) + 1):
            for chosen in combinations(others, size - 1):
                group = (first, *chosen)
                costs.append(size * stars([rows[i] for i in group], prices) + best(rest - frozenset(group)))
        return min(costs)

    return best(frozenset(range(len(rows))))


def lightest(rows: Sequence[Row], prices: Sequence[float], least: int, most: int) -> float:
    """What the lightest graph weighs in which each row has so many edges: rows one by one, all choices of partners."""

    @cache
    def best(degrees: tuple[int, ...], row: int) -> float:
        if row == len(rows):
            return 0.0
        found = float("inf")
        for n in range(max(0, least - degrees[row]), most - degrees[row] + 1):
            for partners in combinations([i for i in range(row + 1, len(rows)) if degrees[i] < most], n):
                weight = sum(stars([rows[row], rows[i]], prices) for i in partners)
                after = tuple(d + (i in partners) for i, d in enumerate(degrees))
                found = min(found, weight + best(after, row + 1))
        return found

    return best((0,) * len(rows), 0)
