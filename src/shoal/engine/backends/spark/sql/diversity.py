"""Counts rows and values of groups: k-anonymity, l-diversity, (α,k)-anonymity, p-sensitivity.

If people are counted, counts people and their values.
"""

from __future__ import annotations

from typing import Any

from shoal.engine.backends.spark.dataframes import quoted
from shoal.engine.backends.spark.sql.scope import Question, Scope, by_group, names, tallied

_INFINITE = "double('infinity')"


def k_anonymity(promise: Any, scope: Scope) -> list[Question]:
    """The rows, or people, of each group."""
    return [Question.at_least(_sizes(scope, 1), promise.k)]


def least_size(promise: Any, scope: Scope) -> list[Question]:
    """The rows, or people, of each group, for models that compute the required size."""
    return [Question.at_least(_sizes(scope, 1), promise.size)]


def largest_risk(promise: Any, scope: Scope) -> list[Question]:
    """One over the rows, or people, of each group."""
    own = names(scope.keys)
    sql = f"SELECT {own}, 1 / {_size(scope)} AS measure FROM {scope.view} GROUP BY {own}"  # noqa: S608
    return [Question.at_most(sql, 1 / promise.k)]


def largest_part(promise: Any, scope: Scope) -> list[Question]:
    """The largest share of one person in the rows of a group."""
    keys, own = names(scope.keys), names([*scope.keys, str(scope.whose)])
    parts = f"SELECT {keys}, count(*) AS c FROM {scope.view} GROUP BY {own}"  # noqa: S608
    return [Question.at_most(f"SELECT {keys}, max(c) / sum(c) AS measure FROM ({parts}) GROUP BY {keys}", promise.p)]  # noqa: S608


def l_diversity(promise: Any, scope: Scope) -> list[Question]:
    """The well-represented values of each group, by the measure of each kind."""
    made = []
    for name, keys in scope.judged(promise):
        source = tallied(scope, keys, name, each_for_one=promise.takes_each_for_one)
        if promise.kind == "recursive":
            made.append(_recursive(promise, scope, keys, source))
        else:
            measure = _MEASURES[promise.kind].format(values=_values(scope))
            made.append(Question.at_least(by_group(scope, keys, measure, source), promise.l))
    return made


def alpha_k(promise: Any, scope: Scope) -> list[Question]:
    """Rows over k, and alpha over the largest share of a chosen value."""
    made = [Question.at_least(_sizes(scope, promise.k), 1)]
    for name, keys in scope.judged(promise):
        texts = ", ".join(_literal(text) for text in promise.values)
        chosen = f"SELECT v FROM {scope.values(name)}" + (f" WHERE text IN ({texts})" if texts else "")  # noqa: S608
        source = (
            f"SELECT r.*, o.mark IS NOT NULL AS chosen FROM ({tallied(scope, keys, name)}) AS r "  # noqa: S608
            f"LEFT JOIN (SELECT v, 1 AS mark FROM ({chosen})) AS o ON r.{quoted(name)} <=> o.v"
        )
        kept = f"coalesce({promise.alpha!r} / max(CASE WHEN chosen THEN c / n END), {_INFINITE})"
        made.append(Question.at_least(by_group(scope, keys, kept, source), 1))
    return made


def p_sensitivity(promise: Any, scope: Scope) -> list[Question]:
    """Rows over k, and different values over p."""
    made = [Question.at_least(_sizes(scope, promise.k), 1)]
    for name, keys in scope.judged(promise):
        source = tallied(scope, keys, name)
        made.append(Question.at_least(by_group(scope, keys, f"{_values(scope)} / {promise.p}", source), 1))
    return made


def _sizes(scope: Scope, k: int) -> str:
    own = names(scope.keys)
    return f"SELECT {own}, {_size(scope)} / {k} AS measure FROM {scope.view} GROUP BY {own}"  # noqa: S608


def _size(scope: Scope) -> str:
    """The rows, or people, of a group."""
    return "count(*)" if scope.whose is None else f"count(DISTINCT {quoted(scope.whose)})"


def _values(scope: Scope) -> str:
    """The different values of a group; counting people, one if all have it, whatever else they have."""
    return "count(*)" if scope.whose is None else "(CASE WHEN max(c) >= max(n) THEN 1 ELSE count(*) END)"


def _recursive(promise: Any, scope: Scope, keys: tuple[str, ...], source: str) -> Question:
    """Rows of the most frequent value over those of the l-th and all rarer ones: below c.

    Counting people, over the smallest possible number of people with none of the values before the l-th.
    """
    ranked = f"SELECT *, row_number() OVER (PARTITION BY {names(keys)} ORDER BY c DESC) AS place FROM ({source})"  # noqa: S608
    tail = f"sum(CASE WHEN place >= {promise.l} THEN c END)"
    if scope.whose is not None:
        tail = f"nullif(greatest({tail} - (sum(c) - max(n)), 0), 0)"
    ratio = f"coalesce(max(c) / {tail}, {_INFINITE})"
    return Question.below(by_group(scope, keys, ratio, ranked, "max"), promise.c)


def _logarithm(of: str) -> str:
    """Grassberger's replacement for the logarithm of a count: −γ − ln 2 + 2/1 + 2/3 + …, one term for every two."""
    terms = f"CASE WHEN {of} < 2 THEN array() ELSE sequence(1, {of} DIV 2) END"
    added = f"aggregate({terms}, 0D, (a, i) -> a + 2D / (2 * i - 1))"
    return f"(-0.5772156649015329D - ln(2D) + {added})"


def _literal(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_MEASURES = {
    "distinct": "{values}",
    "entropy": "exp(-sum(c / n * ln(c / n)))",
    "grassberger": f"least(exp(max({_logarithm('n')}) - sum(c * {_logarithm('c')}) / max(n)), {{values}})",
    "frequency": "max(n) / max(c)",
}
