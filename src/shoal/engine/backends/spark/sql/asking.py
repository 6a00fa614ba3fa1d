"""Which promise is asked about in which words, and what the answers come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shoal.core.contracts import GroupModel, PrivacyModel, Verdict
from shoal.engine.backends.spark.sql import closeness, diversity, matches
from shoal.engine.backends.spark.sql.scope import Question, Scope
from shoal.errors import BrokenPromise, InputError
from shoal.models import (
    KK,
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    KConcealment,
    KOne,
    LargestRisk,
    LDiversity,
    OneK,
    PSensitive,
    TCloseness,
    UniformMatching,
)

_ASK: tuple[tuple[type[PrivacyModel], Callable[[Any, Scope], list[Question]]], ...] = (
    (LargestRisk, diversity.largest_risk),
    (KAnonymity, diversity.k_anonymity),
    (LDiversity, diversity.l_diversity),
    (AlphaK, diversity.alpha_k),
    (PSensitive, diversity.p_sensitivity),
    (TCloseness, closeness.t_closeness),
    (BetaLikeness, closeness.beta_likeness),
    (DeltaDisclosure, closeness.delta_disclosure),
    (OneK, matches.one_k),
    (KOne, matches.k_one),
    (KK, matches.k_k),
    (KConcealment, matches.concealment),
    (UniformMatching, matches.uniform),
)


def refuse_unasked(promise: PrivacyModel) -> None:
    """Raise InputError for a promise that is not put into SQL: bounds on chances, and what needs a population."""
    if not any(isinstance(promise, kind) for kind, _ in _ASK):
        raise InputError(f"{promise} cannot be verified in SQL; ask for another promise, or run without Spark.")


def verify(spark: Any, promise: PrivacyModel, scope: Scope) -> Verdict:
    """Judge the views.

    Raises:
        BrokenPromise: the promise does not hold.
    """
    verdict = judge(spark, promise, scope)
    if not verdict.holds:
        raise BrokenPromise(
            f"The release failed its own check ({verdict}); this is a bug in shoal, please report it. "
            "Nothing was written."
        )
    return verdict


def judge(spark: Any, promise: PrivacyModel, scope: Scope) -> Verdict:
    """What the answers come to: the worst of them."""
    ask = next(ask for kind, ask in _ASK if isinstance(promise, kind))
    asked = ask(promise, scope)
    verdicts = [_answer(spark, promise, question) for question in asked]
    sign = 1 if asked[0].worst == "max" else -1
    return max(verdicts, key=lambda verdict: (sign * verdict.achieved, verdict.n_failing))


def _answer(spark: Any, promise: PrivacyModel, question: Question) -> Verdict:
    row = spark.sql(
        f"SELECT count(*) AS n, {question.worst}(measure) AS worst, "  # noqa: S608 (names are quoted)
        f"coalesce(sum(CASE WHEN {question.fails} THEN 1 ELSE 0 END), 0) AS bad FROM ({question.sql})"
    ).first()
    reads = promise.reads if isinstance(promise, GroupModel) else "pools"
    bad = int(row["bad"])
    return Verdict(str(promise), bad == 0, question.wanted, float(row["worst"] or 0), int(row["n"]), bad, reads=reads)
