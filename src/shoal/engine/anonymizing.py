"""From a table to a verified release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from shoal.algorithms.clustering import Refinement
from shoal.core.contracts import Algorithm, Goal, Metric, PrivacyModel
from shoal.core.domain import Kind
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import publish
from shoal.engine.certifying import Certification
from shoal.engine.check import check_buckets, check_claims, check_publication, check_release, names_of
from shoal.engine.choice import (
    check_promises,
    choose_algorithm,
    choose_levels,
    choose_metric,
    choose_refinements,
    seconds_of,
)
from shoal.engine.result import Result
from shoal.engine.schemas import schema_of
from shoal.engine.self_audit import Auditing, audited, check_auditing
from shoal.engine.source import load
from shoal.errors import GoalNotMet
from shoal.io.encode import encode
from shoal.io.labels import to_frame, to_sensitive_frame


def anonymize(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str],
    privacy: PrivacyModel | Sequence[PrivacyModel],
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    others: Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    recodings: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    missing: Literal["own", "drop"] = "own",
    population: str | Path | Any | None = None,
    algorithm: str | Mapping[str, Any] | Algorithm = "auto",
    refine: str | Sequence[str | Refinement] | Refinement | None = None,
    budget: str | float | None = None,
    certify: bool | str | float = False,
    levels: Sequence[int] | Mapping[str, int] | None = None,
    suppression_limit: float | str = 0.0,
    metric: str | Metric = "lm",
    audit: Auditing = "quick",
    seed: int | None = None,
    progress: Progress | None = None,
    folder: str | Path = ".",
    **reading: Any,
) -> Result:
    """Publish a table so that every promise holds.

    Args:
        data: a path (CSV, TSV, Parquet, Arrow, Excel), or a pandas, polars or pyarrow table.
        quasi_identifiers: columns that an adversary may know; they are recoded.
        privacy: the promises, such as ``[KAnonymity(5), LDiversity(3, of="disease")]``.
        sensitive: columns that must not be tied to a person; published as they are.
        identifiers: columns that name a person; dropped.
        others: further columns to publish as they are. A column without a role is one too, unless nearly unique.
        hierarchies: per column a file, a ``Hierarchy``, a builder, nested groups, or a builder's description.
        kinds: per column "numeric", "ordinal", "nominal" or "date" where the guess is wrong.
        orders: per ordinal column its values in order.
        recodings: per column "tree", "range", "sets" or "suppress" where the default is not wanted.
        weights: per column its importance for the metric and for the choice of cuts.
        missing: "own" treats missing as a value like any other, "drop" leaves rows with one out.
        population: a path or frame of everybody of whom the rows are a sample, for promises that count people.
        algorithm: a name, ``"name:option=value"``, an ``Algorithm``, or "auto".
        refine: what follows the algorithm to lose less: "sequential", "search", ``"search:steps=1000"``, or several.
        budget: seconds (or "60s", "2m") that "auto" or a refinement may spend on losing less; more time never gives a
            worse release.
        certify: find out how far from the best possible the release is at most, in 60 seconds or in the time given.
        levels: publish exactly this choice of one hierarchy level per quasi-identifier, 0 being the value itself;
            the algorithm is then "lattice".
        suppression_limit: the rows that may be left out: a share such as 0.05 or "5%", or a number such as "29 rows".
        metric: what to lose least of.
        audit: "quick" attacks the release once it is made, which takes a second or two; "usual" and "thorough" try
            more, "off" nothing. What is found is in ``Result.audited`` and in the internal report.
        seed: makes the run reproducible, and whoever knows it can undo the shuffle. Leave it out for real releases.
        progress: told what is going on.
        folder: where relative paths of hierarchies start.
        reading: ``delimiter``, ``encoding``, ``quote``, ``sheet``, ``missing_values`` for files.

    Raises:
        InputError: something given cannot be used, or the goal is impossible on this table.
        GoalNotMet: the algorithm found no release that keeps the promises.
        BrokenPromise: the release failed our own check or audit, which is our bug.
    """
    check_auditing(audit)
    progress = progress or Silent()
    watch = _Watch()
    schema = schema_of(
        quasi_identifiers,
        sensitive=sensitive,
        identifiers=identifiers,
        others=others,
        hierarchies=hierarchies,
        kinds=kinds,
        orders=orders,
        recodings=recodings,
        weights=weights,
        missing=missing,
        folder=folder,
    )
    goal = Goal(check_promises(privacy), choose_metric(metric), suppression_limit)

    progress.stage("reading")
    source = load(data, **reading)
    watch.lap("read")
    progress.stage("coding")
    people = None if population is None else load(population, **reading).frame
    encoded = encode(source.frame, schema, people)
    table = encoded.table
    for promise in goal.promises:
        promise.refuse(table)
    spend = seconds_of(budget)
    choice = (
        choose_algorithm(algorithm, table, goal, spend, choose_refinements(refine))
        if levels is None
        else choose_levels(levels, schema, refine)
    )
    choice.algorithm.refuse(table, goal)
    certification = Certification.asked(certify, table, goal)
    watch.lap("code")

    randomness = Randomness(seed)
    release = choice.algorithm.run(table, goal, randomness.child("algorithm"), progress)
    watch.lap("anonymize")

    progress.stage("checking")
    if not release.n_records:
        raise GoalNotMet("Every row would have to be left out; ask for less, or permit cells to be coarser.")
    verdicts = check_release(release, goal.promises)
    publication = publish(release, randomness.child("publish"))
    frame = to_frame(publication)
    check_publication(publication, frame, goal.promises)
    claims = check_claims(choice.algorithm, release, goal, frame)
    values = to_sensitive_frame(publication)
    if values is not None:
        check_buckets(frame, values, names_of(frame, values, schema), goal.promises)
    watch.lap("check")
    floor = certification.floor(release, goal, randomness.child("certify"), progress)
    watch.lap("certify")
    made = Result(
        release=release,
        frame=frame,
        values=values,
        verdicts=tuple(verdicts),
        goal=goal,
        choice=choice,
        schema=schema,
        notes=(*source.notes, *encoded.notes, *release.account),
        seconds=watch.laps,
        source=source,
        seed=seed,
        floor=floor,
        claims=claims,
    )
    return audited(made, audit, progress)


class _Watch:
    """Seconds per phase."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, phase: str) -> None:
        now = perf_counter()
        self.laps[phase] = now - self._last
        self._last = now
