"""How the values of a group compare with those of the whole table: t-closeness, β-likeness, δ-disclosure."""

from __future__ import annotations

from typing import Any

from shoal.engine.backends.spark.columns import quoted
from shoal.engine.backends.spark.sql.scope import ORIGINAL, Question, Scope, by_group, names, tallied


def t_closeness(promise: Any, scope: Scope) -> list[Question]:
    """The earth mover's distance of each group."""
    distances = {"equal": _equal, "ordered": _ordered, "hierarchical": _hierarchical}
    return [
        Question.at_most(distances[promise.distance](scope, name, keys), promise.t)
        for name, keys in scope.judged(promise)
    ]


def beta_likeness(promise: Any, scope: Scope) -> list[Question]:
    """The largest relative gain of a value, where ``enhanced`` in the unit of its own bound."""
    gain = "(c / n - q) / q"
    if promise.kind == "enhanced":
        bound = f"least({promise.beta!r}, -ln(q))"
        gain = f"CASE WHEN q < 1 AND {gain} > 0 THEN {gain} * {promise.beta!r} / {bound} ELSE {gain} END"
    return [
        Question.at_most(by_group(scope, keys, f"max({gain})", _beside(scope, name, keys), "max"), promise.beta)
        for name, keys in scope.judged(promise)
    ]


def delta_disclosure(promise: Any, scope: Scope) -> list[Question]:
    """The largest absolute logarithm of a value's gain; no end to it where a group lacks a value."""
    made = []
    for name, keys in scope.judged(promise):
        lacking = f"count(*) < (SELECT count(*) FROM ({_shares(name)}))"  # noqa: S608
        most = f"CASE WHEN {lacking} THEN double('infinity') ELSE max(abs(log2(c / n / q))) END"
        made.append(Question.below(by_group(scope, keys, most, _beside(scope, name, keys), "max"), promise.delta))
    return made


def _shares(name: str) -> str:
    """The share ``q`` of each value in the whole table."""
    return (
        f"SELECT {quoted(name)} AS v, count(*) / (SELECT count(*) FROM {ORIGINAL}) AS q "  # noqa: S608
        f"FROM {ORIGINAL} GROUP BY {quoted(name)}"
    )


def _beside(scope: Scope, name: str, keys: tuple[str, ...]) -> str:
    """What each group has of each of its values, beside what the table has."""
    joined = f"({tallied(scope, keys, name)}) AS r JOIN ({_shares(name)}) AS o ON r.{quoted(name)} <=> o.v"
    return f"SELECT r.*, o.q FROM {joined}"  # noqa: S608


def _equal(scope: Scope, name: str, keys: tuple[str, ...]) -> str:
    """All values equally far apart: what values that a group has too much of have too much."""
    return by_group(scope, keys, "sum(greatest(c / n - q, 0D))", _beside(scope, name, keys), "max")


def _excesses(scope: Scope, name: str, keys: tuple[str, ...]) -> str:
    """Of each group and each value of the table: what it has too much (``d``), and what is known of the value."""
    every = (
        f"SELECT * FROM (SELECT DISTINCT {names(keys)} FROM {scope.view}) AS g CROSS JOIN "  # noqa: S608
        f"(SELECT f.*, o.q FROM {scope.values(name)} AS f JOIN ({_shares(name)}) AS o ON f.v <=> o.v)"
    )
    same = " AND ".join(f"e.{quoted(key)} <=> r.{quoted(key)}" for key in keys)
    return (
        f"SELECT e.*, coalesce(r.c / r.n, 0D) - e.q AS d FROM ({every}) AS e LEFT JOIN "  # noqa: S608
        f"({tallied(scope, keys, name)}) AS r ON {same} AND e.v <=> r.{quoted(name)}"
    )


def _ordered(scope: Scope, name: str, keys: tuple[str, ...]) -> str:
    """Values on a line: the sum of the absolute running excesses, over the number of values less one."""
    running = (
        f"SELECT *, sum(d) OVER (PARTITION BY {names(keys)} ORDER BY place) AS run "  # noqa: S608
        f"FROM ({_excesses(scope, name, keys)})"
    )
    return by_group(scope, keys, "sum(abs(run)) / greatest(count(*) - 1, 1)", running, "max")


def _hierarchical(scope: Scope, name: str, keys: tuple[str, ...]) -> str:
    """What children of a node have too much and too little of is settled below it, at the price of its level."""
    excesses, height, own = _excesses(scope, name, keys), scope.levels[name] - 1, names(keys)
    settled = []
    for level in range(1, height + 1):
        children = (
            f"SELECT {own}, node_{level}, sum(d) AS x FROM ({excesses}) GROUP BY {own}, node_{level - 1}, node_{level}"  # noqa: S608
        )
        moved = f"{level} * least(sum(greatest(x, 0D)), sum(greatest(-x, 0D)))"
        settled.append(f"SELECT {own}, {moved} AS work FROM ({children}) GROUP BY {own}, node_{level}")  # noqa: S608
    return by_group(scope, keys, f"sum(work) / {max(1, height)}", " UNION ALL ".join(settled), "max")
