"""Promises judged by the cluster in plain SQL, which shares no code with the algorithms or the models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.core.contracts import GroupModel, PrivacyModel, Verdict
from shoal.engine.scale.spark.columns import quoted
from shoal.errors import BrokenPromise, InputError
from shoal.models import KAnonymity, LDiversity, TCloseness

_HAIR = 1e-9


@dataclass(frozen=True)
class Question:
    """SQL that gives one row per group with ``measure``, and what every measure has to reach."""

    sql: str
    wanted: float
    is_at_most: bool = False


def questions(promise: PrivacyModel, quasi: Sequence[str], sensitive: Sequence[str]) -> list[Question] | None:
    """How to ask the release (``release``) and the original counts (``original``); None for promises about matches.

    Raises:
        InputError: a promise about groups that nobody has put into SQL.
    """
    for kind, ask in _ASK:
        if isinstance(promise, kind):
            return ask(promise, quasi, sensitive)
    if isinstance(promise, GroupModel):
        raise InputError(f"{promise} cannot be verified in SQL yet; ask for another promise, or run without Spark.")
    return None


def verify(spark: Any, promise: PrivacyModel, quasi: Sequence[str], sensitive: Sequence[str]) -> Verdict | None:
    """Judge the view ``shoal_release``.

    Raises:
        BrokenPromise: the promise does not hold.
    """
    asked = questions(promise, quasi, sensitive)
    if asked is None:
        return None
    verdicts = [_answer(spark, promise, question) for question in asked]
    worst = max(verdicts, key=lambda verdict: verdict.n_failing)
    if not worst.holds:
        raise BrokenPromise(
            f"The release failed its own check ({worst}); this is a bug in shoal, please report it. "
            "Nothing was written."
        )
    return worst


def _answer(spark: Any, promise: PrivacyModel, question: Question) -> Verdict:
    fails = f"measure > {question.wanted + _HAIR}" if question.is_at_most else f"measure < {question.wanted - _HAIR}"
    worst = "max" if question.is_at_most else "min"
    row = spark.sql(
        f"SELECT count(*) AS n, {worst}(measure) AS worst, "  # noqa: S608 (names are quoted)
        f"coalesce(sum(CASE WHEN {fails} THEN 1 ELSE 0 END), 0) AS bad FROM ({question.sql})"
    ).first()
    return Verdict(
        str(promise), row["bad"] == 0, question.wanted, float(row["worst"] or 0), int(row["n"]), int(row["bad"])
    )


def _names(columns: Sequence[str]) -> str:
    return ", ".join(map(quoted, columns))


def _k_anonymity(promise: Any, quasi: Sequence[str], sensitive: Sequence[str]) -> list[Question]:
    return [Question(f"SELECT count(*) AS measure FROM shoal_release GROUP BY {_names(quasi)}", promise.k)]  # noqa: S608


def _judged(promise: Any, quasi: Sequence[str], sensitive: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Each column that is judged, and the columns to group by: with others known, they are too."""
    chosen = [promise.of] if promise.of else list(sensitive)
    others = {name: [*quasi, *(n for n in sensitive if n != name)] for name in chosen}
    return [(name, others[name] if promise.others == "quasi" else list(quasi)) for name in chosen]


def _l_diversity(promise: Any, quasi: Sequence[str], sensitive: Sequence[str]) -> list[Question]:
    measures = {
        "distinct": "count(*)",
        "entropy": "exp(-sum(c / n * ln(c / n)))",
        "frequency": "max(n) / max(c)",
    }
    if promise.kind not in measures:
        raise InputError(f"{promise} cannot be verified in SQL yet; ask for another kind, or run without Spark.")
    return [
        Question(
            f"SELECT {measures[promise.kind]} AS measure FROM ({_tallied(keys, name)}) GROUP BY {_names(keys)}",  # noqa: S608
            promise.l,
        )
        for name, keys in _judged(promise, quasi, sensitive)
    ]


def _tallied(keys: Sequence[str], name: str) -> str:
    """How often each group has each value (``c``), beside the size of the group (``n``)."""
    counts = f"SELECT {_names([*keys, name])}, count(*) AS c FROM shoal_release GROUP BY {_names([*keys, name])}"  # noqa: S608
    return f"SELECT *, sum(c) OVER (PARTITION BY {_names(keys)}) AS n FROM ({counts})"  # noqa: S608


def _t_closeness(promise: Any, quasi: Sequence[str], sensitive: Sequence[str]) -> list[Question]:
    if promise.distance != "equal":
        raise InputError(f"{promise} cannot be verified in SQL yet; use the equal distance, or run without Spark.")
    asked = []
    for name, keys in _judged(promise, quasi, sensitive):
        shares = (
            f"SELECT {quoted(name)} AS v, count(*) / (SELECT count(*) FROM shoal_original) AS q "  # noqa: S608
            f"FROM shoal_original GROUP BY {quoted(name)}"
        )
        joined = f"({_tallied(keys, name)}) AS r JOIN ({shares}) AS o ON r.{quoted(name)} <=> o.v"
        measure = "(sum(abs(c / n - q)) + 1 - sum(q)) / 2"
        sql = f"SELECT {measure} AS measure FROM {joined} GROUP BY {_names(keys)}"  # noqa: S608
        asked.append(Question(sql, promise.t, is_at_most=True))
    return asked


_ASK: tuple[tuple[type[PrivacyModel], Callable[[Any, Sequence[str], Sequence[str]], list[Question]]], ...] = (
    (KAnonymity, _k_anonymity),
    (LDiversity, _l_diversity),
    (TCloseness, _t_closeness),
)
