"""Slow twins of the measures of usefulness: every record spread over every combination of its values."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from shoal.core.release import Publication
from shoal.core.table import Table
from shoal.utility.queries import Query

World = dict[tuple[int, ...], float]
"""How many people have each combination of codes; parts of people, where a cell is spread."""


def originals(table: Table) -> World:
    found: World = {}
    for row in table.codes.T.tolist():
        found[tuple(row)] = found.get(tuple(row), 0) + 1
    return found


def spread(seen: Publication) -> World:
    found: World = {}
    for record in range(seen.n_records):
        values = [cells.leaves(int(cells.ids[record])).tolist() for cells in seen.cells]
        share = 1 / np.prod([len(each) for each in values])
        for one in product(*values):
            found[one] = found.get(one, 0) + float(share)
    return found


def count(world: World, query: Query) -> float:
    asked = list(zip(query.columns, query.wanted, strict=True))
    return sum(people for one, people in world.items() if all(wanted[one[c]] for c, wanted in asked))


def people_inside(table: Table, query: Query) -> int:
    """The different people of whom one row at least is in the box."""
    asked = list(zip(query.columns, query.wanted, strict=True))
    found = set()
    for row, who in zip(table.codes.T.tolist(), table.people.tolist(), strict=True):  # type: ignore[union-attr]
        if all(wanted[row[c]] for c, wanted in asked):
            found.add(who)
    return len(found)


def people_guessed(seen: Publication, whose: list[int], query: Query) -> float:
    """The number of people inside, each by the record of which most combinations of values are."""
    asked, likeliest = list(zip(query.columns, query.wanted, strict=True)), dict.fromkeys(whose, 0.0)
    for record, who in enumerate(whose):
        values = [seen.cells[c].leaves(int(seen.cells[c].ids[record])).tolist() for c, _ in asked]
        inside = [all(wanted[v] for v, (_, wanted) in zip(one, asked, strict=True)) for one in product(*values)]
        likeliest[who] = max(likeliest[who], sum(inside) / len(inside))
    return sum(likeliest.values())


def total(world: World, query: Query, points: list[float], column: int) -> float:
    asked = list(zip(query.columns, query.wanted, strict=True))
    return sum(
        people * points[one[column]] for one, people in world.items() if all(wanted[one[c]] for c, wanted in asked)
    )


def marginal(world: World, column: int) -> dict[int, float]:
    n, found = sum(world.values()), dict[int, float]()
    for one, people in world.items():
        found[one[column]] = found.get(one[column], 0.0) + people / n
    return found


def pair(world: World, a: int, b: int) -> dict[tuple[int, int], float]:
    n, found = sum(world.values()), dict[tuple[int, int], float]()
    for one, people in world.items():
        found[one[a], one[b]] = found.get((one[a], one[b]), 0.0) + people / n
    return found


def variation(one: dict, other: dict) -> float:
    return sum(abs(one.get(key, 0.0) - other.get(key, 0.0)) for key in {*one, *other}) / 2


def correlation(world: World, points: list[list[float]], a: int, b: int) -> float:
    weights = np.array(list(world.values()))
    x, y = (np.array([points[c][one[c]] for one in world]) for c in (a, b))
    weights = weights / weights.sum()
    dx, dy = x - weights @ x, y - weights @ y
    scale = np.sqrt((weights @ dx**2) * (weights @ dy**2))
    return float(weights @ (dx * dy) / scale) if scale > 1e-12 else 0.0


def pairs_of(n: int) -> list[tuple[int, int]]:
    return list(combinations(range(n), 2))
