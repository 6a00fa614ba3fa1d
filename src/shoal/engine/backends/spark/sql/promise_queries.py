"""The queries of each privacy model, and the verdicts from their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from shoal.core.contracts import GroupModel, PrivacyModel, ReleaseModel, Verdict
from shoal.core.groups import CountGroups, GroupCounts
from shoal.core.table import Table
from shoal.engine.backends.spark.dataframes import quoted
from shoal.engine.backends.spark.sql import closeness, diversity, matches
from shoal.engine.backends.spark.sql.scope import HISTORIES, HISTORY, Question, Scope, names
from shoal.engine.release_check import broken
from shoal.errors import BrokenPromise, InputError
from shoal.io.column_rules import BLOCK
from shoal.models import (
    KK,
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    EstimatedKMap,
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
from shoal.models.of_histories import OfHistories
from shoal.models.of_people import OfPeople
from shoal.models.people_matches import PeopleMatched, PeopleWeighed


def _scopes(promise: PrivacyModel, scope: Scope) -> list[tuple[PrivacyModel, Scope]]:
    """The groups that a model judges; for histories, people with equal records, and their sets of equal records."""
    if not isinstance(promise, OfHistories):
        return [(promise, scope)]
    alike = replace(scope, keys=(HISTORY,), view=HISTORIES)
    if promise.reads == "classes":
        return [(promise.promise, alike)]
    parts = replace(alike, keys=(HISTORY, *scope.keys))
    scopes = [alike, replace(parts, whose=None), *([] if promise.needs_original else [parts])]
    return [(promise.promise, one) for one in scopes]


_ASK: tuple[tuple[type[PrivacyModel], Callable[[Any, Scope], list[Question]]], ...] = (
    (LargestRisk, diversity.largest_risk),
    (KAnonymity, diversity.k_anonymity),
    (EstimatedKMap, diversity.least_size),
    (LDiversity, diversity.l_diversity),
    (AlphaK, diversity.alpha_k),
    (PSensitive, diversity.p_sensitivity),
    (TCloseness, closeness.t_closeness),
    (BetaLikeness, closeness.beta_likeness),
    (DeltaDisclosure, closeness.delta_disclosure),
    (OneK, matches.pairs_of("row")),
    (KOne, matches.pairs_of("record")),
    (KK, matches.pairs_of("row", "record")),
    (KConcealment, matches.concealment),
    (UniformMatching, matches.uniform),
    (PeopleMatched, diversity.k_anonymity),
    (PeopleWeighed, diversity.largest_part),
)


def _asked(promise: PrivacyModel, scope: Scope) -> list[Question]:
    """The queries of a model; of one about people, those of the model counted in people, whose keys the scope has."""
    if isinstance(promise, OfPeople):
        return _asked(promise.promise, scope)
    ask = next(ask for kind, ask in _ASK if isinstance(promise, kind))
    return ask(promise, scope)


def refuse_unasked(promise: PrivacyModel) -> None:
    """Raise InputError for a model without an SQL query: linkage bounds, and models that need a population."""
    asked = promise.promise if isinstance(promise, OfPeople) else promise
    is_counted = isinstance(promise, ReleaseModel) and promise.judges_counts
    if not is_counted and not any(isinstance(asked, kind) for kind, _ in _ASK):
        raise InputError(f"{promise} cannot be verified in SQL; ask for another promise, or run without Spark.")


def verify(spark: Any, promise: PrivacyModel, scope: Scope) -> Verdict:
    """Judge the views by one model.

    Raises:
        BrokenPromise: the model does not hold.
    """
    return _holding(judge(spark, promise, scope))


def verify_whole(spark: Any, promise: ReleaseModel, scope: Scope, table: Table) -> Verdict:
    """Judge a model about all classes together from the cluster's counts; ``table`` has the columns.

    Raises:
        BrokenPromise: the model does not hold.
    """
    return _holding(promise.judge_counts(table, _counting(spark, scope)))


def _holding(verdict: Verdict) -> Verdict:
    if not verdict.holds:
        raise BrokenPromise(broken(str(verdict)))
    return verdict


def _counting(spark: Any, scope: Scope) -> CountGroups:
    """A function that asks the cluster how many groups of each size there are; the driver sees nothing else."""
    people = "count(*)" if scope.whose is None else f"count(DISTINCT {quoted(scope.whose)})"

    def count(columns: Sequence[int]) -> GroupCounts:
        keys = names([scope.keys[place] for place in columns])
        groups = f"SELECT count(*) AS n, {people} AS p FROM {scope.view} GROUP BY {keys}"  # noqa: S608 (quoted)
        rows = spark.sql(f"SELECT n, p, count(*) AS many FROM ({groups}) GROUP BY n, p").collect()  # noqa: S608
        many = [int(row["many"]) for row in rows]
        return GroupCounts(*(np.repeat(np.array([row[of] for row in rows], np.int64), many) for of in ("n", "p")))

    return count


def judge(spark: Any, promise: PrivacyModel, scope: Scope) -> Verdict:
    """The verdict from all queries: the worst one."""
    asked = [question for one, at in _scopes(promise, scope) for question in _asked(one, at)]
    verdicts = [_answer(spark, promise, question) for question in asked]
    sign = 1 if asked[0].worst == "max" else -1
    return max(verdicts, key=lambda verdict: (sign * verdict.achieved, verdict.n_failing))


def failing(spark: Any, promise: PrivacyModel, scope: Scope) -> list[Any]:
    """The keys of each group that violates a model, or its condition on groups; single values for a single key."""
    asked = promise.on_groups if isinstance(promise, ReleaseModel) else promise
    found = [row for question in _asked(asked, scope) for row in spark.sql(_failing(question, scope)).collect()]
    return [row[0] if len(row) == 1 else tuple(row) for row in found]


def blocks_of_failing(spark: Any, promise: PrivacyModel, scope: Scope) -> list[frozenset[int]]:
    """For each group that violates a model, the blocks that its records come from."""
    sets = f"collect_set(r.{quoted(BLOCK)}) AS blocks"
    found: list[frozenset[int]] = []
    for one, at in _scopes(promise, scope):
        same = " AND ".join(f"r.{quoted(key)} <=> b.{quoted(key)}" for key in at.keys)
        own = ", ".join(f"r.{quoted(key)}" for key in at.keys)
        for question in _asked(one, at):
            joined = f"{at.view} AS r JOIN ({_failing(question, at)}) AS b ON {same}"
            rows = spark.sql(f"SELECT {sets} FROM {joined} GROUP BY {own}").collect()  # noqa: S608
            found += [frozenset(row["blocks"]) for row in rows]
    return found


def _failing(question: Question, scope: Scope) -> str:
    return f"SELECT {names(scope.keys)} FROM ({question.sql}) WHERE {question.fails}"  # noqa: S608


def _answer(spark: Any, promise: PrivacyModel, question: Question) -> Verdict:
    row = spark.sql(
        f"SELECT count(*) AS n, {question.worst}(measure) AS worst, "  # noqa: S608 (names are quoted)
        f"coalesce(sum(CASE WHEN {question.fails} THEN 1 ELSE 0 END), 0) AS bad FROM ({question.sql})"
    ).first()
    reads = promise.reads if isinstance(promise, GroupModel) else "pools"
    bad = int(row["bad"])
    return Verdict(str(promise), bad == 0, question.wanted, float(row["worst"] or 0), int(row["n"]), bad, reads=reads)
