"""Make a failing case as small as it goes while it still fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from redteam.case import Case, Column, Value

MOST = 300
"""How many smaller cases are tried."""


def shrink(case: Case, fails: Callable[[Case], bool], most: int = MOST) -> Case:
    """The smallest case found that ``fails`` still says yes to; each step takes away one thing."""
    tried, before = 0, None
    while case != before and tried < most:
        before = case
        for smaller in _smaller(case):
            tried += 1
            if fails(smaller):
                case = smaller
                break
            if tried >= most:
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Every case that is one step simpler, the boldest steps first."""
    n = case.n_rows
    for size in (n // 2, n // 4, 1):
        for start in range(0, n, size) if size else ():
            kept = [row for row in range(n) if not start <= row < start + size]
            if kept:
                yield case.take(kept)
    for row in range(len(case.population[0].values) if case.population else 0):
        fewer = [replace(c, values=c.values[:row] + c.values[row + 1 :]) for c in case.population]
        yield replace(case, population=fewer if fewer[0].values else [])
    if case.population:
        yield replace(case, population=[])
    for column in case.population:
        if column.role != "quasi":
            yield replace(case, population=[other for other in case.population if other is not column])
    if case.attack:
        yield replace(case, attack="")
    for column in case.columns:
        if column.role != "quasi" or len(case.of_role("quasi")) > 1:
            yield replace(case, columns=[other for other in case.columns if other is not column])
        if column.tree is not None:
            yield _with(case, column, replace(column, tree=None))
    for promise in case.promises if len(case.promises) > 1 else ():
        yield replace(case, promises=[other for other in case.promises if other is not promise])
    for key in case.words:
        yield replace(case, words={other: value for other, value in case.words.items() if other != key})
    if case.source != "csv" and all(column.type not in ("bool", "datetime") for column in case.columns):
        yield replace(case, source="csv")
    if case.target != "csv":
        yield replace(case, target="csv")
    for number, column in enumerate(case.columns):
        if column.name != f"c{number}":
            yield _with(case, column, replace(column, name=f"c{number}"))
        yield from _plainer(case, column)


def _plainer(case: Case, column: Column) -> Iterator[Case]:
    """Each value of a column replaced by the first."""
    first = column.values[0]
    distinct: list[Value] = [value for i, value in enumerate(column.values) if value not in column.values[:i]]
    for value in distinct[1:]:
        yield _with(case, column, replace(column, values=[first if one == value else one for one in column.values]))


def _with(case: Case, column: Column, other: Column) -> Case:
    return replace(case, columns=[other if one is column else one for one in case.columns])
