"""Attack a release: any tool's, from its printed labels."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.audit.adversary_view import Scene
from shoal.audit.audit_depth import Pace
from shoal.audit.findings import Audit
from shoal.audit.fits import affordable
from shoal.audit.knowledge import Knowledge
from shoal.audit.links import shape_numbers
from shoal.audit.running import chosen_attacks, run_attacks
from shoal.audit.sample_risk import risk_of_release
from shoal.audit.scorer import Referee
from shoal.audit.whose import Whose
from shoal.core.arrays import Codes
from shoal.core.contracts import PrivacyModel
from shoal.core.domain import Kind
from shoal.core.parameters import whole_number
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.audit_inputs import (
    Read,
    Roles,
    code_people,
    code_values,
    own_shapes,
    printed_means,
    read_labels,
    read_published,
    recode,
)
from shoal.engine.notebook_progress import shows_progress
from shoal.engine.preparing import coarsening_of
from shoal.engine.records_of_people import trace
from shoal.engine.release_check import join_buckets, names_of
from shoal.engine.rerunning import RerunAlgorithm
from shoal.engine.sample_risks import risk_by_fits, special_people, weights_named
from shoal.engine.source import Loaded, load
from shoal.engine.undoing import likely_pseudonyms, undone_pseudonyms, undone_shift
from shoal.engine.verified_release import VerifiedRelease
from shoal.engine.vocabulary import AuditWords
from shoal.engine.whose import whose_records
from shoal.errors import InputError
from shoal.io.formula import with_armed_names
from shoal.io.inspect.person_keys import person_keys
from shoal.io.metadata_leaks import look_at
from shoal.io.others import look_at_others
from shoal.io.people import code_people as code_keys
from shoal.io.preparation.contract import tally_of
from shoal.io.variants import notes_on_variants
from shoal.models import UniformMatching

_MANY, _SOME = 100_000, 50_000
"""Of more people than this a quick look takes only a sample, of this size."""


@shows_progress
def audit_release(
    original: str | Path | Any,
    release: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    person: str | None = None,
    sample_weight: str | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    labels: Mapping[str, Mapping[str, str]] | None = None,
    top: Mapping[str, str] | None = None,
    bottom: Mapping[str, str] | None = None,
    rounding: Mapping[str, str] | None = None,
    bands: Mapping[str, str] | None = None,
    rare: Mapping[str, int] | None = None,
    k: int | None = None,
    other: str | Path | Any | None = None,
    population: str | Path | int | Any | None = None,
    attacks: Sequence[str] | None = None,
    thorough: bool = False,
    seed: int | None = None,
    progress: Progress | None = None,
    folder: str | Path = ".",
    delimiter: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    sheet: str | int | None = None,
    missing_values: Sequence[str] = (),
    query: str | None = None,
    skip_rows: int = 0,
    header_rows: int = 1,
    missing_codes: Mapping[str, Sequence[str]] | None = None,
    dates: Mapping[str, str] | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    units: Mapping[str, str] | None = None,
    spellings: Mapping[str, Mapping[str, str]] | None = None,
    fold: Sequence[str] = (),
    **more: Any,
) -> Audit:
    """Attack a release of a table with what its printed labels say.

    Args:
        original: The table the release was made from: a path, or a pandas, polars or pyarrow table.
        release: What was published, likewise.
        quasi_identifiers: Columns that an adversary may know; they are generalized. Quote names with a comma:
            '"last, first",zip'.
        sensitive: Columns that must not be linked to a person; published unchanged.
        person: The column of the original that identifies the person of each row; people are then counted, not rows.
        sample_weight: The column of the original that says how many people of the population each row stands for, for
            risks of samples.
        hierarchies: Per column a file, a builder or groups: zip=zip.csv, zip=mask, age=intervals:width=10.
        kinds: Per column its type, if the guess is wrong: numeric, ordinal, nominal or date.
        orders: Per ordinal column its values in order, as in size=S,M,L.
        labels: The meaning of a label that cannot be read otherwise, as in 'age:young=[..17]'; may be repeated.
        top: Top coding: per column the largest value to publish; larger values become it, as in income=200000.
        bottom: Bottom coding: per column the smallest value to publish; smaller values become it.
        rounding: Per column the step to round its numbers to, as in income=1000.
        bands: Per column its bands, whatever its role: a width (age=10), edges (age=0,18,65), or month, quarter, year
            or decade.
        rare: Per column the number of rows (people, with person) that a category needs; rarer categories become
            'other'.
        k: The promised k; probabilities are compared with 1 / k.
        other: Another release about some of the same people.
        population: The population the people were sampled from: a table, or its number of people.
        attacks: Only these attacks, with options as in corruption:corrupted=3.
        thorough: Try every attack, including those that take minutes.
        seed: Makes the sampling repeatable.
        progress: Told what is going on.
        folder: Where relative paths of hierarchies start.
        delimiter: The field separator; detected if not given.
        encoding: The text encoding, such as utf-8 or cp1252; detected if not given.
        quote: The quote character, empty for none; detected if not given.
        sheet: The sheet of a workbook, by name or number.
        missing_values: Texts that mean a missing value, in addition to the empty field.
        query: For a database: a query instead of a table.
        skip_rows: Number of rows above the header to skip, such as a title.
        header_rows: Number of header rows; their names are joined.
        missing_codes: Per column the values that mean missing, as in age=-9,99.
        dates: Per column how its dates are written: %d.%m.%Y, %m/%d/%y, iso (with time zones), excel (day numbers).
        decimal: The decimal mark of numbers, if not a point.
        thousands: The thousands separator of numbers.
        units: Per column the unit written with its numbers, to be removed; several spellings as in age=years|yrs.
        spellings: Replace one spelling of a value by another, as in 'sex:MALE=male'; may be repeated.
        fold: Columns whose values are merged if they differ only in blanks or in the coding of accents.
        more: No further word is known; the error says which one was meant.

    Raises:
        InputError: columns are missing, labels cannot be understood, or there are more records than people.

    Example:
        >>> import shoal
        >>> from shoal.io.example import people
        >>> table = people(60).select("sex", "job", "diagnosis")
        >>> words = {"quasi_identifiers": ["sex", "job"], "sensitive": ["diagnosis"]}
        >>> release = shoal.anonymize(table, privacy=shoal.KAnonymity(5), quick=True, **words)
        >>> audit = shoal.audit_release(table, release.to_frame(), attacks=["linking"], **words)
        >>> [risk.attack for risk in audit.risks]
        ['linking']
    """
    words = AuditWords.called_with(locals())
    progress, reading = progress or Silent(), words.reading_others
    chosen = None if words.attacks is None else chosen_attacks(words.attacks)
    roles = Roles.of(words, Path(folder))
    roles.check_named()
    progress.stage("reading")
    people, seen = load(original, **words.loading), load(release, **words.reading_release)
    second = None if other is None else load(other, **words.reading_release)
    seen = replace(seen, frame=with_armed_names(seen.frame, (*roles.quasi, *roles.sensitive)))
    everybody = None if population is None or isinstance(population, int) else load(population, **reading)
    people, everybody, roles = _prepared(words, people, everybody, roles)
    roles.check("original", people.frame, roles.quasi)
    if everybody is not None:
        roles.check("population", everybody.frame, roles.quasi)
    for what, loaded in (("release", seen), ("second release", second)):
        if loaded is not None:
            roles.check(what, loaded.frame, (*roles.quasi, *(roles.sensitive if loaded is seen else ())))
            _refuse_more_records(what, loaded.frame.height, people.frame.height)

    progress.stage("coding")
    frames = [people.frame, *([everybody.frame] if everybody else [])]
    _, known = code_people(roles, frames)
    known = [_with_people(one, frame, words.person) for one, frame in zip(known, frames, strict=True)]
    printed = read_published(seen.frame, known[0], roles, people.frame)
    values = [
        code_values(roles, name, [people.frame, seen.frame, second.frame if second else None])
        for name in roles.sensitive
    ]
    scene = Scene(
        seen=printed.publication,
        known=known[0],
        ends=printed.ends,
        sensitive=tuple(column for _, column, _ in values if column),
        k=None if k is None else whole_number("k", k, least=1),
        other=None if second is None else read_labels(second.frame, known[0], _without_sensitive(roles)).publication,
        other_sensitive=tuple(column for _, _, column in values if column),
        carried=look_at(seen.path, seen.frame, roles.quasi, release),
        means=printed_means(seen.frame, known[0]),
        pseudonymized=likely_pseudonyms(
            people.frame, seen.frame, _others(seen.frame, roles), shape_numbers(printed.publication)
        ),
        pace="thorough" if thorough else "usual",
        randomness=Randomness(seed),
    )
    weights = weights_named(words.sample_weight, people.frame)
    whose, untraced, told = _traced(scene, seen.frame, people.frame, words.person)
    referee = Referee(
        {answers.name: answers.codes for answers, _, _ in values if answers},
        whose=whose,
        owners=known[0].people,
        untraced=untraced,
    )
    others = look_at_others(
        seen.frame,
        roles.quasi,
        _others(seen.frame, roles),
        _dropped(people.frame, seen.frame),
        seen.frame.select(roles.sensitive),
        _people(whose),
    )
    return run_attacks(
        replace(scene, others=others),
        referee,
        attacks=chosen,
        population=known[1] if everybody else population if isinstance(population, int) else None,
        notes=(*people.notes, *seen.notes, *printed.notes, *told, *notes_on_variants(seen.frame, roles.sensitive)),
        progress=progress,
        sample=risk_by_fits(scene, weights, whose),
        special=special_people(known[0], weights),
    )


def audit_result(
    result: VerifiedRelease,
    *,
    attacks: Sequence[str] | None = None,
    pace: Pace = "usual",
    population: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Attack what ``anonymize`` made, from its printed labels and the quasi-identifiers of everybody in the original.

    Attacks are given neither the owners nor the shuffle; the referee, who counts right guesses, knows both. Unless it
    is to be thorough, or attacks are named, more than 100,000 people are represented by a sample. The quick pace, at
    which every release is looked at after it was made, does without kernels where classes are large enough (see
    ``shoal.audit.symmetry``) and costs little beside the anonymization.
    """
    table = result.release.table
    roles = Roles(tuple(c.name for c in table.quasi), tuple(c.name for c in table.sensitive))
    known = Knowledge.of(table)
    frame, printed = _printed(result, known, roles)
    drawn = [promise.k for promise in result.goal.promises if isinstance(promise, UniformMatching)]
    shapes = shape_numbers(printed.publication)
    sensitive = tuple(recode(column, frame[column.name]) for column in table.sensitive)
    whose = whose_records(result, shapes, sensitive)
    scene = Scene(
        seen=printed.publication,
        known=known,
        ends=printed.ends,
        sensitive=sensitive,
        k=promised_k(result.goal.promises),
        carried=look_at(None, result.frame, roles.quasi, None),
        others=look_at_others(
            result.frame,
            roles.quasi,
            _others(result.frame, roles, result.values, {result.schema.person, *result.preparation.secrets}),
            result.source.frame.select(result.schema.identifiers),
            frame.select(roles.sensitive),
            _people(whose),
        ),
        pseudonymized=undone_pseudonyms(result, shapes),
        shifted=undone_shift(result),
        means=printed_means(frame, known),
        rerun=None if result.values is not None else _rerun(result, shapes),
        drawn_from=max(drawn, default=None),
        pace=pace,
    )
    scene, which = _glance(scene, is_whole=pace == "thorough" or attacks is not None)
    is_weighed = scene.known.is_complete and not scene.is_plain
    own = own_shapes(result.release, frame, shapes) if is_weighed else None
    answers = {column.name: column.codes[which] for column in table.sensitive}
    referee = Referee(answers, own, whose, scene.known.people)
    chosen = None if attacks is None else chosen_attacks(attacks)
    return run_attacks(
        scene,
        referee,
        attacks=chosen,
        population=population,
        notes=printed.notes,
        progress=progress,
        sample=risk_of_release(result.release),
        special=None if pace == "quick" else special_people(known, table.sample_weights),
    )


def _prepared(
    words: AuditWords, people: Loaded, everybody: Loaded | None, roles: Roles
) -> tuple[Loaded, Loaded | None, Roles]:
    """People as the release was made of them: top coding and the like are no secret, so an adversary does the same.

    Categories are rare by how many in the original have them, whatever the population has.
    """
    preparation = coarsening_of(words, words.person)
    if not preparation.says_something:
        return people, everybody, roles
    preparation.check(Schema(roles.quasi, sensitive=roles.sensitive), people.frame.columns)
    first, then = preparation.in_two()
    known = then.learned(tally_of(first.piece(people.frame)))
    people = replace(people, frame=known.piece(first.piece(people.frame)), notes=(*people.notes, *preparation.notes()))
    everybody = everybody and replace(everybody, frame=known.piece(first.piece(everybody.frame)))
    orders = preparation.with_orders(roles.schema(), lambda name: people.frame[name]).orders
    return people, everybody, replace(roles, orders={**roles.orders, **orders})


def _people(whose: Whose | None) -> Codes | None:
    """Whose each record is, where people are counted."""
    return whose.people if whose is not None and whose.is_counted else None


def _with_people(known: Knowledge, frame: pl.DataFrame, person: str | None) -> Knowledge:
    """A register in which somebody may have several rows, where it has the column that tells."""
    return replace(known, people=code_keys(frame[person]).codes) if person in frame.columns else known


def _traced(
    scene: Scene, frame: pl.DataFrame, original: pl.DataFrame, person: str | None
) -> tuple[Whose | None, str, list[str]]:
    """Whose the records are, by the column that was named or one that looks like a person's key; or why not; notes."""
    keys = [] if person else person_keys(original, set(original.columns) - {*scene.names, *frame.columns})
    column = person or (keys[0].name if keys else None)
    if column is None:
        return None, "", []
    traced = trace(scene.seen, scene.known, frame, original, column)
    if traced.keys is None:
        return None, traced.why_not, [f"Rows are counted, not the people of {column!r}: {traced.why_not}."]
    coded = code_keys(original[column]) if person else None
    shapes, people = shape_numbers(scene.seen), code_keys(traced.keys).codes
    held = Table((), np.empty((0, people.size), np.int32), scene.sensitive).with_people(people).sensitive
    values = {one.name: one for one in held} if person else {}
    notes = list(coded.notes) if coded else []
    return Whose(column, people, shapes, int(shapes.max(initial=-1)) + 1, values, is_counted=bool(person)), "", notes


def promised_k(promises: Sequence[PrivacyModel]) -> int | None:
    """The largest k that was promised, of rows or of people."""
    said = [getattr(getattr(promise, "promise", promise), "k", None) for promise in promises]
    return max((k for k in said if isinstance(k, int)), default=None)


def _printed(result: VerifiedRelease, known: Knowledge, roles: Roles) -> tuple[pl.DataFrame, Read]:
    """The printed table, and what its labels say; of two tables in buckets, both in one."""
    if result.values is None:
        cells = {
            c.name: own for c, own in zip(known.quasi, result.release.cells, strict=True) if own.printed is not None
        }
        printed = read_labels(result.frame, known, roles, from_file=False, aggregates=cells)
        seen = replace(printed.publication, pools_are_classes=result.release.matches is None)
        return result.frame, replace(printed, publication=seen)
    frame, buckets = join_buckets(result.frame, result.values, names_of(result.frame, result.values, result.schema))
    printed = read_labels(frame, known, roles, from_file=False)
    seen = replace(printed.publication, buckets=buckets, pools_are_classes=False)
    return frame, replace(printed, publication=seen)


def _others(
    frame: pl.DataFrame, roles: Roles, values: pl.DataFrame | None = None, hidden: Collection[str | None] = ()
) -> list[str]:
    """The columns that are published as they are: neither the bucket that joins two tables nor what a key hides."""
    bucket = [] if values is None else [frame.columns[-1]]
    return [name for name in frame.columns if name not in {*roles.quasi, *roles.sensitive, *bucket, *hidden}]


def _dropped(original: pl.DataFrame, release: pl.DataFrame) -> pl.DataFrame:
    """The columns of the original that are not in the release."""
    return original.drop(release.columns, strict=False)


def _rerun(result: VerifiedRelease, shapes: Codes) -> RerunAlgorithm:
    return RerunAlgorithm(result.choice.algorithm, result.goal, result.release.table, result.frame, shapes)


def _glance(scene: Scene, *, is_whole: bool) -> tuple[Scene, Codes | slice]:
    """The scene with the people to look at, and where they are among all."""
    n, most = scene.known.n_people, _MANY
    is_few = n <= most
    if scene.is_plain:
        most = affordable(scene.seen, scene.known)
        is_few = scene.known.types.firsts.size <= most
    if is_whole or is_few:
        return scene, slice(None)
    which = np.unique(Randomness().integers(n, min(most, _SOME))).astype(np.int32)
    return replace(scene, known=scene.known.sample(which)), which


def _refuse_more_records(what: str, n_records: int, n_people: int) -> None:
    if n_records > n_people:
        raise InputError(
            f"The {what} has {n_records:,} records and the original only {n_people:,} rows; "
            "give the original first: the table that the release was made from."
        )


def _without_sensitive(roles: Roles) -> Roles:
    """A second release need not have every sensitive column."""
    return Roles(roles.quasi, (), roles.hierarchies, roles.kinds, roles.orders, roles.labels, roles.folder)
