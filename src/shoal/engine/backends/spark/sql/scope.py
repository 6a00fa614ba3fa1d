"""Where a promise looks, and the form of a question to the cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from shoal.engine.backends.spark.columns import quoted
from shoal.io.column_rules import OURS

RELEASE, ORIGINAL, PAIRS, RECORDS, POOLS = (
    f"shoal_{what}" for what in ("release", "original", "pairs", "records", "pools")
)
"""The names of the views: what is published, what came in, who may own what, and what rows see of sensitive values."""

WITNESS = f"{OURS}witness"
"""The column in which tasks say who fits what; it is never published."""

HAIR = 1e-9


@dataclass(frozen=True)
class Scope:
    """Groups are the rows of ``view`` that agree on ``keys``; ``sensitive`` columns are judged in them.

    Columns of views have names of our own (``quasi_0``, ``sensitive_0``), which no user's name can meet; ``called``
    says what the user calls a sensitive column. ``levels[name]`` counts the levels of a sensitive column's hierarchy, 0
    where it has none.
    """

    keys: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    view: str = RELEASE
    levels: dict[str, int] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)

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
    """SQL that gives one row per group with ``measure``, and the condition on it under which a group fails."""

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


def tallied(scope: Scope, keys: Sequence[str], name: str) -> str:
    """How often each group has each value (``c``), beside the size of the group (``n``)."""
    both = names([*keys, name])
    counts = f"SELECT {both}, count(*) AS c FROM {scope.view} GROUP BY {both}"  # noqa: S608 (names are quoted)
    return f"SELECT *, sum(c) OVER (PARTITION BY {names(keys)}) AS n FROM ({counts})"  # noqa: S608


def by_group(scope: Scope, keys: Sequence[str], measure: str, source: str, worst: str = "min") -> str:
    """A measure of each part, and of each group that of its worst part."""
    parts = f"SELECT {names(scope.keys)}, {measure} AS measure FROM ({source}) GROUP BY {names(keys)}"  # noqa: S608
    if tuple(keys) == scope.keys:
        return parts
    return f"SELECT {worst}(measure) AS measure FROM ({parts}) GROUP BY {names(scope.keys)}"  # noqa: S608
