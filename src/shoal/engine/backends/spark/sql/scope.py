"""The groups that a model judges, and the form of a query to the cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from shoal.engine.backends.spark.dataframes import quoted
from shoal.io.column_rules import OURS

RELEASE, ORIGINAL, PAIRS, RECORDS, POOLS = (
    f"shoal_{what}" for what in ("release", "original", "pairs", "records", "pools")
)
"""The names of the views: published and original rows, possible owners, records, and the sensitive values of pools."""

WITNESS = f"{OURS}witness"
"""The column in which tasks list matches; never published."""

HISTORIES, HISTORY = "shoal_histories", "history"
"""The view of records with a digest of all published records of their person, and the column of the digest."""

HAIR = 1e-9


@dataclass(frozen=True)
class Scope:
    """Groups are the rows of ``view`` that agree on ``keys``; ``sensitive`` columns are judged in them.

    Columns of views have our own names (``quasi_0``, ``sensitive_0``), so that user names cannot clash; ``called`` maps
    them to the user's names. ``levels[name]`` is the number of levels of a sensitive column's hierarchy, 0 if it has
    none. If people are counted, ``whose`` is the column of their keys, none of which is missing, and ``each[name]`` is
    the mean number of different values of a sensitive column per person of the table.
    """

    keys: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    view: str = RELEASE
    levels: dict[str, int] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)
    whose: str | None = None
    each: dict[str, float] = field(default_factory=dict)

    def judged(self, promise: Any) -> list[tuple[str, tuple[str, ...]]]:
        """Each judged column and the keys of its groups; they include the other sensitive columns if known."""
        chosen = [name for name in self.sensitive if promise.of in (None, self.called[name])]
        others = {name: tuple(n for n in self.sensitive if n != name) for name in chosen}
        return [(name, self.keys + others[name] if promise.others == "quasi" else self.keys) for name in chosen]

    def values(self, name: str) -> str:
        """The view of the facts about the values of a sensitive column."""
        return f"shoal_values_{self.sensitive.index(name)}"


@dataclass(frozen=True)
class Question:
    """SQL that returns one row per group with ``measure``, and the condition on it under which a group fails.

    Groups of a scope are returned with their keys (``Scope.keys``).
    """

    sql: str
    wanted: float
    fails: str
    worst: str = "min"

    @classmethod
    def at_least(cls, sql: str, wanted: float) -> Question:
        """Every measure must reach a number, up to rounding."""
        return cls(sql, wanted, f"measure < {wanted - HAIR!r}")

    @classmethod
    def at_most(cls, sql: str, wanted: float) -> Question:
        """No measure may exceed a number, up to rounding."""
        return cls(sql, wanted, f"measure > {wanted + HAIR!r}", "max")

    @classmethod
    def below(cls, sql: str, wanted: float) -> Question:
        """Every measure must be smaller than a number."""
        return cls(sql, wanted, f"measure >= {wanted!r}", "max")


def names(columns: Sequence[str]) -> str:
    """Quoted names as an SQL list."""
    return ", ".join(map(quoted, columns))


def tallied(scope: Scope, keys: Sequence[str], name: str, *, each_for_one: bool = False) -> str:
    """How often each group has each value (``c``), beside the size of the group (``n``).

    Counting people: how many have it at least once, beside the people of the group; if ``each_for_one``, how many count
    for it.
    """
    both = names([*keys, name])
    if scope.whose is not None:
        pairs = _one_each(scope, keys, name) if each_for_one else _pairs(scope, keys, name)
        people = f"SELECT {both}, count(*) AS c, sum(is_first) AS firsts FROM ({pairs}) GROUP BY {both}"  # noqa: S608
        return f"SELECT *, sum(firsts) OVER (PARTITION BY {names(keys)}) AS n FROM ({people})"  # noqa: S608
    counts = f"SELECT {both}, count(*) AS c FROM {scope.view} GROUP BY {both}"  # noqa: S608 (names are quoted)
    return f"SELECT *, sum(c) OVER (PARTITION BY {names(keys)}) AS n FROM ({counts})"  # noqa: S608


def _pairs(scope: Scope, keys: Sequence[str], name: str) -> str:
    """Each value of each person of each group once; a person's first one is marked."""
    every = names([*keys, str(scope.whose), name])
    first = f"row_number() OVER (PARTITION BY {names([*keys, str(scope.whose)])} ORDER BY {quoted(name)}) = 1"
    return f"SELECT *, CASE WHEN {first} THEN 1 ELSE 0 END AS is_first FROM (SELECT DISTINCT {every} FROM {scope.view})"  # noqa: S608


def _one_each(scope: Scope, keys: Sequence[str], name: str) -> str:
    """For each person the value that is most frequent in the group; on a tie the first by code."""
    common = (
        f"SELECT p.*, o.code, count(*) OVER (PARTITION BY {names([*keys, name])}) AS many "  # noqa: S608
        f"FROM ({_pairs(scope, keys, name)}) AS p JOIN {scope.values(name)} AS o ON p.{quoted(name)} <=> o.v"
    )
    order = f"row_number() OVER (PARTITION BY {names([*keys, str(scope.whose)])} ORDER BY many DESC, code) AS nth"
    return f"SELECT {names([*keys, name])}, 1 AS is_first FROM (SELECT *, {order} FROM ({common})) WHERE nth = 1"  # noqa: S608


def by_group(scope: Scope, keys: Sequence[str], measure: str, source: str, worst: str = "min") -> str:
    """A measure of each part, and for each group that of its worst part."""
    parts = f"SELECT {names(scope.keys)}, {measure} AS measure FROM ({source}) GROUP BY {names(keys)}"  # noqa: S608
    if tuple(keys) == scope.keys:
        return parts
    own = names(scope.keys)
    return f"SELECT {own}, {worst}(measure) AS measure FROM ({parts}) GROUP BY {own}"  # noqa: S608
