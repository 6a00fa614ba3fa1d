"""Compares the values of a group with those of the whole table: t-closeness, β-likeness, δ-disclosure.

If people are counted, shares are shares of people; those with several values count for each.
"""

from __future__ import annotations

from typing import Any

from shoal.engine.backends.spark.dataframes import quoted
from shoal.engine.backends.spark.sql.scope import ORIGINAL, Question, Scope, by_group, names, tallied


def t_closeness(promise: Any, scope: Scope) -> list[Question]:
    """The earth mover's distance of each group."""
    made = []
    for name, keys in scope.judged(promise):
        distance, source = _DISTANCES[promise.distance](scope, name, keys)
        if scope.whose is not None:
            # counting people: times the values per person, plus the difference of that from the table's
            distance = f"max(m) * ({distance}) + abs(max(m) - {scope.each[name]!r}D)"
        made.append(Question.at_most(by_group(scope, keys, distance, source, "max"), promise.t))
    return made


def beta_likeness(promise: Any, scope: Scope) -> list[Question]:
    """The largest relative gain of a value; for ``enhanced``, in units of its own bound."""
    gain = "(c / n - q) / q"
    if promise.kind == "enhanced":
        bound = f"least({promise.beta!r}, -ln(q))"
        gain = f"CASE WHEN q < 1 AND {gain} > 0 THEN {gain} * {promise.beta!r} / {bound} ELSE {gain} END"
    return [
        Question.at_most(by_group(scope, keys, f"max({gain})", _beside(scope, name, keys), "max"), promise.beta)
        for name, keys in scope.judged(promise)
    ]


def delta_disclosure(promise: Any, scope: Scope) -> list[Question]:
    """The largest absolute logarithm of a value's gain; infinite if a group lacks a value."""
    made = []
    for name, keys in scope.judged(promise):
        lacking = f"count(*) < (SELECT count(*) FROM ({_shares(scope, name)}))"  # noqa: S608
        most = f"CASE WHEN {lacking} THEN double('infinity') ELSE max(abs(log2(c / n / q))) END"
        made.append(Question.below(by_group(scope, keys, most, _beside(scope, name, keys), "max"), promise.delta))
    return made


def _shares(scope: Scope, name: str) -> str:
    """The share ``q`` of each value in the whole table; shares of people were computed beforehand."""
    if scope.whose is not None:
        return f"SELECT v, q FROM {scope.values(name)}"  # noqa: S608
    return (
        f"SELECT {quoted(name)} AS v, count(*) / (SELECT count(*) FROM {ORIGINAL}) AS q "  # noqa: S608
        f"FROM {ORIGINAL} GROUP BY {quoted(name)}"
    )


def _share(scope: Scope, name: str) -> tuple[str, str]:
    """The shares to compare: of a value among all values of a group, and of the table."""
    return ("c / n", "q") if scope.whose is None else ("c / n / m", f"q / {scope.each[name]!r}D")


def _beside(scope: Scope, name: str, keys: tuple[str, ...]) -> str:
    """The counts of each value in each group, joined with the shares in the table."""
    joined = f"({_counted(scope, keys, name)}) AS r JOIN ({_shares(scope, name)}) AS o ON r.{quoted(name)} <=> o.v"
    return f"SELECT r.*, o.q FROM {joined}"  # noqa: S608


def _counted(scope: Scope, keys: tuple[str, ...], name: str) -> str:
    """The counts of each value in each group, and the values per person in it (``m``)."""
    own = tallied(scope, keys, name)
    if scope.whose is None:
        return own
    return f"SELECT *, sum(c) OVER (PARTITION BY {names(keys)}) / n AS m FROM ({own})"  # noqa: S608


def _equal(scope: Scope, name: str, keys: tuple[str, ...]) -> tuple[str, str]:
    """All values equally far apart: the sum of the positive excesses."""
    here, usual = _share(scope, name)
    return f"sum(greatest({here} - {usual}, 0D))", _beside(scope, name, keys)


def _excesses(scope: Scope, name: str, keys: tuple[str, ...]) -> str:
    """For each group and each value of the table: the excess of its share (``d``), and the facts about the value."""
    every = (
        f"SELECT * FROM (SELECT DISTINCT {names(keys)} FROM {scope.view}) AS g CROSS JOIN "  # noqa: S608
        f"({_known(scope, name)})"
    )
    same = " AND ".join(f"e.{quoted(key)} <=> r.{quoted(key)}" for key in keys)
    here, usual = _share(scope, name)
    m = "1" if scope.whose is None else "r.m"
    return (
        f"SELECT e.*, coalesce({here}, 0D) - {usual} AS d, {m} AS m FROM ({every}) AS e LEFT JOIN "  # noqa: S608
        f"({_counted(scope, keys, name)}) AS r ON {same} AND e.v <=> r.{quoted(name)}"
    )


def _known(scope: Scope, name: str) -> str:
    """The facts about each value, and its share."""
    if scope.whose is not None:
        return f"SELECT * FROM {scope.values(name)}"  # noqa: S608
    shares = f"({_shares(scope, name)}) AS o ON f.v <=> o.v"
    nodes = "".join(f", f.node_{level}" for level in range(scope.levels[name]))
    return f"SELECT f.v, f.place{nodes}, o.q FROM {scope.values(name)} AS f JOIN {shares}"  # noqa: S608


def _ordered(scope: Scope, name: str, keys: tuple[str, ...]) -> tuple[str, str]:
    """Values on a line: the sum of the absolute running excesses over the number of values minus one."""
    running = (
        f"SELECT *, sum(d) OVER (PARTITION BY {names(keys)} ORDER BY place) AS run "  # noqa: S608
        f"FROM ({_excesses(scope, name, keys)})"
    )
    return "sum(abs(run)) / greatest(count(*) - 1, 1)", running


def _hierarchical(scope: Scope, name: str, keys: tuple[str, ...]) -> tuple[str, str]:
    """Excesses and deficits of a node's children are balanced below the node, at the cost of its level."""
    excesses, height, own = _excesses(scope, name, keys), scope.levels[name] - 1, names(keys)
    settled = []
    for level in range(1, height + 1):
        children = (
            f"SELECT {own}, node_{level}, sum(d) AS x, max(m) AS m FROM ({excesses}) "  # noqa: S608
            f"GROUP BY {own}, node_{level - 1}, node_{level}"
        )
        moved = f"{level} * least(sum(greatest(x, 0D)), sum(greatest(-x, 0D)))"
        settled.append(f"SELECT {own}, {moved} AS work, max(m) AS m FROM ({children}) GROUP BY {own}, node_{level}")  # noqa: S608
    return f"sum(work) / {max(1, height)}", " UNION ALL ".join(settled)


_DISTANCES = {"equal": _equal, "ordered": _ordered, "hierarchical": _hierarchical}
"""The distance of a group as an aggregate, and the rows to aggregate, for each kind of distance."""
