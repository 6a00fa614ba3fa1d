"""Attacks the result of ``anonymize`` by its printed labels: on request, and before anybody sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import TypeVar

import numpy as np
import polars as pl

from shoal.audit.adversary_view import Pace, Scene
from shoal.audit.attack_runs import chosen_attacks, run_attacks
from shoal.audit.findings import Audit
from shoal.audit.knowledge import Knowledge
from shoal.audit.links import shape_numbers
from shoal.audit.quick_fits import affordable
from shoal.audit.repeated_people import RepeatedPeople
from shoal.audit.same_person import Whose, counted_people
from shoal.audit.sample_risk import risk_of_release
from shoal.audit.scorer import Referee
from shoal.core.arrays import Codes
from shoal.core.contracts import PrivacyModel
from shoal.core.parallel_work import meanwhile
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.engine.audit_inputs import (
    Read,
    ReleaseRoles,
    own_shapes,
    printed_means,
    published_as_they_are,
    read_labels,
    recode,
)
from shoal.engine.record_people import whose_records
from shoal.engine.release_check import join_buckets, names_of
from shoal.engine.rerunning import RerunAlgorithm
from shoal.engine.sample_risks import special_people
from shoal.engine.undone_preparation import undone_pseudonyms, undone_shift
from shoal.engine.verified_release import VerifiedRelease
from shoal.engine.vocabulary import Auditing
from shoal.errors import BrokenPromise, InputError
from shoal.io.inspect.exact_dates import notes_on_exact_dates
from shoal.io.metadata_leaks import look_at
from shoal.io.published_as_is import look_at_others
from shoal.report.figures import listed

Made = TypeVar("Made", bound=VerifiedRelease)

_MANY, _SOME = 100_000, 50_000
"""If there are more than ``_MANY`` people, a quick audit uses a sample of ``_SOME``."""


def audit_result(
    result: VerifiedRelease,
    *,
    attacks: Sequence[str] | None = None,
    pace: Pace = "usual",
    population: int | None = None,
) -> Audit:
    """Attack a result of ``anonymize``, knowing its printed labels and all quasi-identifiers of the original.

    Attacks get neither the owners nor the shuffle; the referee, who counts correct guesses, knows both. Unless the
    audit is thorough or attacks are named, more than 100,000 people are represented by a sample. The quick pace, at
    which every new release is audited, needs no kernels if classes are large enough (see ``shoal.audit.class_risks``)
    and costs little compared with the anonymization.
    """
    table = result.release.table
    roles = ReleaseRoles(tuple(c.name for c in table.quasi), tuple(c.name for c in table.sensitive))
    known = Knowledge.of(table)
    frame, printed = _printed(result, known, roles)
    scene, whose = _scene(result, known, roles, frame, printed, pace)
    scene, which = _glance(scene, is_whole=pace == "thorough" or attacks is not None)
    is_weighed = scene.known.is_complete and not scene.is_plain
    own = own_shapes(result.release, frame, shape_numbers(printed.publication)) if is_weighed else None
    answers = {column.name: column.codes[which] for column in table.sensitive}
    return run_attacks(
        scene,
        Referee(answers, own, whose, scene.known.people),
        attacks=None if attacks is None else chosen_attacks(attacks),
        population=population,
        notes=printed.notes,
        sample=risk_of_release(result.release),
        special=None if pace == "quick" else special_people(known, table.sample_weights),
    )


def _scene(
    result: VerifiedRelease, known: Knowledge, roles: ReleaseRoles, frame: pl.DataFrame, printed: Read, pace: Pace
) -> tuple[Scene, Whose | None]:
    """What the adversary sees; and who owns the records, which only the referee knows."""
    table = result.release.table
    drawn = [promise.drawn_from for promise in result.goal.promises if promise.drawn_from is not None]
    shapes = shape_numbers(printed.publication)
    sensitive = tuple(recode(column, frame[column.name]) for column in table.sensitive)
    with meanwhile(lambda: printed_means(frame, known)) as means:
        whose = whose_records(result, shapes, sensitive)
        carried = look_at(None, result.frame, roles.quasi, None)
        others = look_at_others(
            result.frame,
            roles.quasi,
            published_as_they_are(
                result.frame, roles, result.values, {result.schema.person, *result.preparation.secrets}
            ),
            result.source.frame.select(result.schema.identifiers),
            frame.select(roles.sensitive),
            counted_people(whose),
        )
    scene = Scene(
        seen=printed.publication,
        known=known,
        ends=printed.ends,
        sensitive=sensitive,
        k=promised_k(result.goal.promises),
        carried=carried,
        others=others,
        pseudonymized=undone_pseudonyms(result, shapes),
        shifted=undone_shift(result),
        means=means.result(),
        rerun=RerunAlgorithm(result.choice.algorithm, result.goal, table, result.frame, shapes)
        if result.values is None
        else None,
        drawn_from=max(drawn, default=None),
        pace=pace,
    )
    return scene, whose


def promised_k(promises: Sequence[PrivacyModel]) -> int | None:
    """The largest requested k, of rows or of people."""
    said = [getattr(getattr(promise, "promise", promise), "k", None) for promise in promises]
    return max((k for k in said if isinstance(k, int)), default=None)


def _printed(result: VerifiedRelease, known: Knowledge, roles: ReleaseRoles) -> tuple[pl.DataFrame, Read]:
    """The printed table, and what its labels say; two tables joined by buckets are merged."""
    frame, buckets, pairs = result.frame, None, zip(known.quasi, result.release.cells, strict=True)
    if result.values is not None:
        frame, buckets = join_buckets(frame, result.values, names_of(frame, result.values, result.schema))
    means = {column.name: cells for column, cells in pairs if cells.printed is not None}
    printed = read_labels(frame, known, roles, from_file=False, aggregates=means)
    has_classes = buckets is None and result.release.matches is None
    seen = replace(printed.publication, buckets=buckets, pools_are_classes=has_classes)
    return frame, replace(printed, publication=seen)


def _glance(scene: Scene, *, is_whole: bool) -> tuple[Scene, Codes | slice]:
    """The scene with the people to audit, and their positions among all."""
    n, most = scene.known.n_people, _MANY
    is_few = n <= most
    if scene.is_plain:
        most = affordable(scene.seen, scene.known)
        is_few = scene.known.types.firsts.size <= most
    if is_whole or is_few:
        return scene, slice(None)
    which = np.unique(Randomness().integers(n, min(most, _SOME))).astype(np.int32)
    return replace(scene, known=scene.known.sample(which)), which


def audited(result: Made, how: Auditing, progress: Progress) -> Made:
    """The result with its audit, and a note if an attack succeeds.

    Raises:
        BrokenPromise: an attack succeeds that a privacy model rules out, which is our bug.
    """
    if how == "off":
        return replace(result, not_audited='The release was not audited: that was turned off (audit = "off").')
    progress.stage("auditing")
    start = perf_counter()
    try:
        found = audit_result(result, pace=how)
    except InputError as problem:
        why = f"The release was not audited: {problem}"
        return replace(result, notes=(*result.notes, why), not_audited=why)
    refuse_forbidden(found, result.goal.promises)
    seconds = {**result.seconds, "audit": perf_counter() - start}
    told = notes_on_exact_dates(result.frame, result.schema.quasi_identifiers)
    return replace(result, audited=found, notes=(*result.notes, *warnings(found), *told), seconds=seconds)


def refuse_forbidden(found: Audit, promises: Sequence[PrivacyModel]) -> None:
    """Raise BrokenPromise if an attack succeeds that a privacy model rules out."""
    for risk in found.falling:
        for promise in promises:
            if promise.forbids(risk.attack, risk.about):
                raise BrokenPromise(
                    f"The release failed its own audit ({risk.attack}, which {promise} forbids: "
                    f"{risk.says.rstrip('.')}); this is a bug in shoal, please report it. Nothing was written."
                )


def warnings(found: Audit) -> list[str]:
    """A sentence about the most serious successful attack that no privacy model rules out."""
    falling = [risk for risk in found.falling if risk.attack != RepeatedPeople.name]  # which has its own note
    if not falling:
        return []
    first = falling[0]
    more = sorted({risk.attack for risk in falling} - {first.attack})
    others = f" {listed(more)} succeed{'s' if len(more) == 1 else ''} too." if more else ""
    helps = found.remedies[first.attack]
    return [f"An attack on this release succeeds ({first.attack}): {first.says}{others} {helps}"]
