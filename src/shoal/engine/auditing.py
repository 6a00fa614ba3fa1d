"""Attacks a release of any tool by its printed labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.audit.adversary_view import Scene
from shoal.audit.attack_runs import chosen_attacks, run_attacks
from shoal.audit.findings import Audit
from shoal.audit.knowledge import Knowledge, Others
from shoal.audit.links import shape_numbers
from shoal.audit.same_person import Whose, counted_people
from shoal.audit.scorer import Referee
from shoal.core.domain import Kind
from shoal.core.parameters import whole_number
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import SensitiveColumn, Table
from shoal.engine.audit_inputs import (
    ReleaseRoles,
    code_people,
    code_values,
    printed_means,
    published_as_they_are,
    read_labels,
    read_published,
    refuse_more_records,
)
from shoal.engine.notebook_progress import shows_progress
from shoal.engine.preparing import coarsening_of
from shoal.engine.record_people import trace
from shoal.engine.sample_risks import risk_by_fits, special_people, weights_named
from shoal.engine.source import Loaded, load
from shoal.engine.undone_preparation import likely_pseudonyms
from shoal.engine.vocabulary import AuditWords
from shoal.io.formula import with_armed_names
from shoal.io.inspect.person_keys import person_keys
from shoal.io.lookalike_values import notes_on_variants
from shoal.io.metadata_leaks import look_at
from shoal.io.people import code_people as code_keys
from shoal.io.preparation.contract import tally_of
from shoal.io.published_as_is import look_at_others


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
    """Attack a release, whichever tool made it, by its printed labels, and report what an adversary learns.

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
        progress: Receives the progress of the run.
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
        more: Any other keyword is refused; the error suggests the one that was meant.

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
    chosen = None if words.attacks is None else chosen_attacks(words.attacks)
    progress = progress or Silent()
    progress.stage("reading")
    tables = _read(words, Path(folder), original, release)
    progress.stage("coding")
    known, everybody = _known(words, tables)
    values = tables.values()
    scene, notes = _scene(words, tables, known, values, release)
    referee, told = _referee(words, tables, scene, values)
    weights = weights_named(words.sample_weight, tables.people.frame)
    return run_attacks(
        replace(scene, others=_looked_at(tables, referee)),
        referee,
        attacks=chosen,
        population=everybody,
        notes=(*tables.people.notes, *tables.seen.notes, *notes, *told),
        progress=progress,
        sample=risk_by_fits(scene, weights, referee.whose),
        special=special_people(scene.known, weights),
    )


_Values = list[SensitiveColumn | None]
"""A sensitive column of the original, the release and the second release; None where a table lacks it."""


@dataclass(frozen=True, eq=False)
class _Tables:
    """The tables that were read: the original, the release and, if given, a second release and the population."""

    people: Loaded
    seen: Loaded
    second: Loaded | None
    everybody: Loaded | None
    roles: ReleaseRoles

    def values(self) -> list[_Values]:
        """The sensitive columns, with the same codes in all tables."""
        frames = [self.people.frame, self.seen.frame, self.second.frame if self.second else None]
        return [code_values(self.roles, name, frames) for name in self.roles.sensitive]


def _read(words: AuditWords, folder: Path, original: Any, release: Any) -> _Tables:
    """Read all tables, prepared as for the release, and check that each has the columns it needs."""
    roles = ReleaseRoles.of(words, folder)
    roles.check_named()
    people, seen = load(original, **words.loading), load(release, **words.reading_release)
    second = None if words.other is None else load(words.other, **words.reading_release)
    seen = replace(seen, frame=with_armed_names(seen.frame, (*roles.quasi, *roles.sensitive)))
    has_population = words.population is not None and not isinstance(words.population, int)
    everybody = load(words.population, **words.reading_others) if has_population else None
    people, everybody, roles = _prepared(words, people, everybody, roles)
    roles.check("original", people.frame, roles.quasi)
    if everybody is not None:
        roles.check("population", everybody.frame, roles.quasi)
    for what, loaded in (("release", seen), ("second release", second)):
        if loaded is not None:
            roles.check(what, loaded.frame, (*roles.quasi, *(roles.sensitive if loaded is seen else ())))
            refuse_more_records(what, loaded.frame.height, people.frame.height)
    return _Tables(people, seen, second, everybody, roles)


def _known(words: AuditWords, tables: _Tables) -> tuple[Knowledge, Knowledge | int | None]:
    """What an adversary knows about the people in the original, and the population or its size."""
    frames = [tables.people.frame, *([tables.everybody.frame] if tables.everybody else [])]
    _, known = code_people(tables.roles, frames)
    people, *everybody = (_with_people(one, frame, words.person) for one, frame in zip(known, frames, strict=True))
    return people, everybody[0] if everybody else words.population


def _scene(
    words: AuditWords, tables: _Tables, known: Knowledge, values: list[_Values], release: Any
) -> tuple[Scene, list[str]]:
    """What the adversary sees, and notes on how it was read."""
    roles, people, seen, second = tables.roles, tables.people.frame, tables.seen.frame, tables.second
    printed = read_published(seen, known, roles, people)
    scene = Scene(
        seen=printed.publication,
        known=known,
        ends=printed.ends,
        sensitive=tuple(column for _, column, _ in values if column),
        k=None if words.k is None else whole_number("k", words.k, least=1),
        other=None if second is None else read_labels(second.frame, known, replace(roles, sensitive=())).publication,
        other_sensitive=tuple(column for _, _, column in values if column),
        carried=look_at(tables.seen.path, seen, roles.quasi, release),
        means=printed_means(seen, known),
        pseudonymized=likely_pseudonyms(
            people, seen, published_as_they_are(seen, roles), shape_numbers(printed.publication)
        ),
        pace="thorough" if words.thorough else "usual",
        randomness=Randomness(words.seed),
    )
    return scene, [*printed.notes, *notes_on_variants(seen, roles.sensitive)]


def _referee(words: AuditWords, tables: _Tables, scene: Scene, values: list[_Values]) -> tuple[Referee, list[str]]:
    """The referee, who counts correct guesses, and notes on which records belong to whom."""
    whose, untraced, told = _traced(scene, tables.seen.frame, tables.people.frame, words.person)
    answers = {own.name: own.codes for own, _, _ in values if own}
    return Referee(answers, whose=whose, owners=scene.known.people, untraced=untraced), told


def _looked_at(tables: _Tables, referee: Referee) -> Others:
    """What the unchanged columns reveal."""
    seen, roles = tables.seen.frame, tables.roles
    return look_at_others(
        seen,
        roles.quasi,
        published_as_they_are(seen, roles),
        tables.people.frame.drop(seen.columns, strict=False),
        seen.select(roles.sensitive),
        counted_people(referee.whose),
    )


def _prepared(
    words: AuditWords, people: Loaded, everybody: Loaded | None, roles: ReleaseRoles
) -> tuple[Loaded, Loaded | None, ReleaseRoles]:
    """Prepare people as for the release: top coding and the like are not secret, so an adversary does the same.

    Whether a category is rare depends on the original, not on the population.
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


def _with_people(known: Knowledge, frame: pl.DataFrame, person: str | None) -> Knowledge:
    """The register with the person of each row, if it has that column."""
    return replace(known, people=code_keys(frame[person]).codes) if person in frame.columns else known


def _traced(
    scene: Scene, frame: pl.DataFrame, original: pl.DataFrame, person: str | None
) -> tuple[Whose | None, str, list[str]]:
    """Who owns the records, by the named column or one that looks like a person's key; or why not; and notes."""
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
