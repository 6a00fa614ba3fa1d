"""Where a promise looks, and the form of a question to the cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from shoal.engine.backends.spark.dataframes import quoted
from shoal.io.column_rules import OURS

RELEASE, ORIGINAL, PAIRS, RECORDS, POOLS = (
    f"shoal_{what}" for what in ("release", "original", "pairs", "records", "pools")
)
"""The names of the views: what is published, what came in, who may own what, and what rows see of sensitive values."""

WITNESS = f"{OURS}witness"
"""The column in which tasks say who fits what; it is never published."""

WHOSE, BLOCK = f"{OURS}whose", f"{OURS}block"
"""The columns of the key of each record's person, where people are counted, and of its block; never published."""

HISTORIES, HISTORY = "shoal_histories", "history"
"""The view of records beside what is published of all rows of their person, in an order of its own."""

HAIR = 1e-9


@dataclass(frozen=True)
class Scope:
    """Groups are the rows of ``view`` that agree on ``keys``; ``sensitive`` columns are judged in them.

    Columns of views have names of our own (``quasi_0``, ``sensitive_0``), which no user's name can meet; ``called``
    says what the user calls a sensitive column. ``levels[name]`` counts the levels of a sensitive column's hierarchy, 0
    where it has none. Where people are counted, ``whose`` is the column of their keys, of which none is missing, and
    ``each[name]`` the number of different values of a sensitive column that a person of the table has, on average.
    """

    keys: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    view: str = RELEASE
    levels: dict[str, int] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)
    whose: str | None = None
    each: dict[str, float] = field(default_factory=dict)

    def judged(self, promise: Any) -> list[tuple[str, tuple[str, ...]]]:
        """Each column that is judged, and what makes a group there: with the others known, they do too."""
        chosen = [name for name in self.sensitive if promise.of in (None, self.called[name])]
        others = {name: tuple(n for n in self.sensitive if n != name) for name in chosen}
        return [(name, self.keys + others[name] if promise.others == "quasi" else self.keys) for name in chosen]

    def values(self, name: str) -> str:
        """The view of what is known about the values of a sensitive column."""
        return f"shoal_values_{self.sensitive.index(name)}"


@dataclass(frozen=True)
class Question:
    """SQL that gives one row per group with ``measure``, and the condition on it under which a group fails.

    Groups of a scope come with what makes them (``Scope.keys``).
    """

    sql: str
    wanted: float
    fails: str
    worst: str = "min"

    @classmethod
    def at_least(cls, sql: str, wanted: float) -> Question:
        """Every measure has to reach a number, but for the rounding of the arithmetic."""
        return cls(sql, wanted, f"measure < {wanted - HAIR!r}")

    @classmethod
    def at_most(cls, sql: str, wanted: float) -> Question:
        """No measure may be above a number, but for the rounding of the arithmetic."""
        return cls(sql, wanted, f"measure > {wanted + HAIR!r}", "max")

    @classmethod
    def below(cls, sql: str, wanted: float) -> Question:
        """Every measure has to be smaller than a number."""
        return cls(sql, wanted, f"measure >= {wanted!r}", "max")


def names(columns: Sequence[str]) -> str:
    """Names as a list in SQL."""
    return ", ".join(map(quoted, columns))


def tallied(scope: Scope, keys: Sequence[str], name: str, *, each_for_one: bool = False) -> str:
    """How often each group has each value (``c``), beside the size of the group (``n``).

    Where people are counted: how many have it at least once, beside the people of the group; where ``each_for_one``,
    how many are taken for it.
    """
    both = names([*keys, name])
    if scope.whose is not None:
        pairs = _one_each(scope, keys, name) if each_for_one else _pairs(scope, keys, name)
        people = f"SELECT {both}, count(*) AS c, sum(is_first) AS firsts FROM ({pairs}) GROUP BY {both}"  # noqa: S608
        return f"SELECT *, sum(firsts) OVER (PARTITION BY {names(keys)}) AS n FROM ({people})"  # noqa: S608
    counts = f"SELECT {both}, count(*) AS c FROM {scope.view} GROUP BY {both}"  # noqa: S608 (names are quoted)
    return f"SELECT *, sum(c) OVER (PARTITION BY {names(keys)}) AS n FROM ({counts})"  # noqa: S608


def _pairs(scope: Scope, keys: Sequence[str], name: str) -> str:
    """Each value of each person of each group once; the first of a person's is marked."""
    every = names([*keys, str(scope.whose), name])
    first = f"row_number() OVER (PARTITION BY {names([*keys, str(scope.whose)])} ORDER BY {quoted(name)}) = 1"
    return f"SELECT *, CASE WHEN {first} THEN 1 ELSE 0 END AS is_first FROM (SELECT DISTINCT {every} FROM {scope.view})"  # noqa: S608


def _one_each(scope: Scope, keys: Sequence[str], name: str) -> str:
    """Of each person the value that most of the group have, the first by code of such."""
    common = (
        f"SELECT p.*, o.code, count(*) OVER (PARTITION BY {names([*keys, name])}) AS many "  # noqa: S608
        f"FROM ({_pairs(scope, keys, name)}) AS p JOIN {scope.values(name)} AS o ON p.{quoted(name)} <=> o.v"
    )
    order = f"row_number() OVER (PARTITION BY {names([*keys, str(scope.whose)])} ORDER BY many DESC, code) AS nth"
    return f"SELECT {names([*keys, name])}, 1 AS is_first FROM (SELECT *, {order} FROM ({common})) WHERE nth = 1"  # noqa: S608


def by_group(scope: Scope, keys: Sequence[str], measure: str, source: str, worst: str = "min") -> str:
    """A measure of each part, and of each group that of its worst part."""
    parts = f"SELECT {names(scope.keys)}, {measure} AS measure FROM ({source}) GROUP BY {names(keys)}"  # noqa: S608
    if tuple(keys) == scope.keys:
        return parts
    own = names(scope.keys)
    return f"SELECT {own}, {worst}(measure) AS measure FROM ({parts}) GROUP BY {own}"  # noqa: S608
