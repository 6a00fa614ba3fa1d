"""Checks any table, including those made by other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.core.contracts import Evidence, PrivacyModel, Verdict
from shoal.core.domain import Kind
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.engine.audit_inputs import ReleaseRoles
from shoal.engine.release_as_read import AsRead, as_read
from shoal.engine.release_check import Names, as_it_stands, in_buckets
from shoal.engine.source import load
from shoal.engine.vocabulary import VerifyWords
from shoal.errors import InputError
from shoal.io.column_rules import settle, told_apart
from shoal.io.formula import with_armed_names
from shoal.io.lookalike_values import notes_on_variants
from shoal.io.people import code_people
from shoal.models.of_histories import of_histories

_NEEDED: Mapping[Evidence, str] = {
    "original": "the table the release was made from (--original)",
    "population": "the people it was drawn from (--population)",
}


@dataclass(frozen=True)
class WorstClass:
    """A class with the worst measure for a model: its published values, its size and its measure."""

    promise: str
    labels: dict[str, str | None]
    size: int
    measure: float


@dataclass(frozen=True)
class Untold:
    """A model that cannot be decided from the given tables, and what would decide it."""

    promise: str
    why: str


@dataclass(frozen=True)
class Verification:
    """The promises that a table keeps, those that it breaks, and those that cannot be judged.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["0213*", "0213*", "0214*"], "disease": ["flu", "gout", "flu"]})
    >>> found = shoal.verify(table, quasi_identifiers=["zip"], privacy=shoal.KAnonymity(2))
    >>> found.holds
    False
    >>> print(found.verdicts[0])
    2-anonymity DOES NOT HOLD: achieved 1, 1 of 2 classes fail
    """

    verdicts: tuple[Verdict, ...]
    worst: tuple[WorstClass, ...]
    n_records: int
    untold: tuple[Untold, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every promise was found to hold."""
        return not self.is_broken and not self.untold

    @property
    def is_broken(self) -> bool:
        """Whether a promise was found not to hold."""
        return not all(verdict.holds for verdict in self.verdicts)


def verify(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str] = (),
    privacy: PrivacyModel | Sequence[PrivacyModel] | Mapping[str, Any] = (),
    sensitive: Sequence[str] = (),
    person: str | None = None,
    sensitive_table: str | Path | Any | None = None,
    bucket: str = "bucket",
    original: str | Path | Any | None = None,
    population: str | Path | Any | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    labels: Mapping[str, Mapping[str, str]] | None = None,
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
) -> Verification:
    """Check which promises a table keeps as it stands: equal labels are equal, missing is a value like any other.

    Promises about matches, such as (k,k)-anonymity and k-concealment, depend on which rows fit which records: they are
    judged by the labels and the original. Without the original they hold if enough records are equal; otherwise the
    verdict is open. The same applies to promises about a population.

    O(records · columns). The checks share only the models' own measures with the algorithms.

    Args:
        data: A path, the address of a database table, or a pandas, polars or pyarrow table.
        quasi_identifiers: Columns that an adversary may know; they are generalized. Quote names with a comma:
            '"last, first",zip'.
        privacy: The privacy models that must hold, such as k = 5.
        sensitive: Columns that must not be linked to a person; published unchanged.
        person: The column of the original that identifies the person of each row; people are then counted, not rows.
        sensitive_table: The second table, if sensitive values are published separately (anatomy).
        bucket: The column that joins the two tables.
        original: The table the release was made from, for privacy models about matches.
        population: The population the rows were sampled from, for privacy models about it: a table, or its number of
            people.
        hierarchies: Per column a file, a builder or groups: zip=zip.csv, zip=mask, age=intervals:width=10.
        kinds: Per column its type, if the guess is wrong: numeric, ordinal, nominal or date.
        orders: Per ordinal column its values in order, as in size=S,M,L.
        labels: The meaning of a label that cannot be read otherwise, as in 'age:young=[..17]'; may be repeated.
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
        InputError: an unknown column, no promise, an empty table, labels that cannot be understood.

    Example:
        >>> import polars as pl
        >>> import shoal
        >>> table = pl.DataFrame({"zip": ["0213*", "0213*", "0214*"], "disease": ["flu", "gout", "flu"]})
        >>> found = shoal.verify(table, quasi_identifiers=["zip"], privacy=shoal.KAnonymity(2))
        >>> found.holds
        False
        >>> print(found.verdicts[0])
        2-anonymity DOES NOT HOLD: achieved 1, 1 of 2 classes fail
    """
    words = VerifyWords.called_with(locals())
    promises, roles = words.promises, ReleaseRoles.of(words, Path(folder))
    if not promises:
        raise InputError(
            "No privacy model was named to check; give at least one, such as k = 5 (--k 5, privacy=KAnonymity(5))."
        )
    roles.check_named()
    reading = words.reading_others
    printed = load(data, folds=False, **{**words.reading_release, "query": words.query}).frame
    printed = with_armed_names(printed, (*roles.quasi, *roles.sensitive))
    if printed.is_empty():
        raise InputError("The table has no rows; there is nothing to check.")
    as_written, frame = settle(told_apart(printed, roles.quasi)), settle(printed)
    values = frame if sensitive_table is None else load(sensitive_table, **words.reading_release).frame
    if sensitive_table is None:
        Schema(roles.quasi, roles.sensitive).check_columns(frame.columns)
        said = roles.schema(roles.sensitive)
        release = Release.identity(as_it_stands(as_written, roles.quasi, roles.sensitive, said))
    else:
        release = _two_tables(as_written, values, roles, bucket)
    if words.person is not None and words.person in frame.columns and sensitive_table is None:
        return _by_pseudonyms(promises, release, frame[words.person], as_written.select(roles.quasi))
    tables = (original, words.population_table)
    people, everybody = (None if table is None else load(table, **reading).frame for table in tables)
    n_people = words.population_size if everybody is None else everybody.height
    promises = tuple(promise.about(release.table, n_people) for promise in promises)
    read = as_read(frame, roles, people, everybody, words.person)
    if words.person is not None:
        promises, release = _of_people(promises, release, read)
    found = _judged(promises, release, read, as_written.select(roles.quasi))
    return replace(found, notes=tuple(notes_on_variants(values, roles.sensitive)))


def _by_pseudonyms(
    promises: Sequence[PrivacyModel], release: Release, keys: pl.Series, labels: pl.DataFrame
) -> Verification:
    """Judge models about whole histories: the release itself says which records belong to one person."""
    told = replace(release, table=release.table.with_people(code_people(keys).codes))
    asked = [of_histories(promise.of_people()) for promise in promises]
    for promise in asked:
        promise.require_columns(told.table)
    verdicts = tuple(promise.check(told) for promise in asked if not promise.needs_original)
    untold = tuple(Untold(str(promise), _why(["original"], None)) for promise in asked if promise.needs_original)
    return Verification(verdicts, (), labels.height, untold)


def _of_people(
    promises: Sequence[PrivacyModel], release: Release, read: AsRead | None
) -> tuple[tuple[PrivacyModel, ...], Release]:
    """The models about people, and the printed release with the people behind its records, if these are determined.

    If not, each record counts as a person of its own, so that models that fail even then can be reported.
    """
    if read is None or release.buckets is not None:
        raise InputError(
            "person is a column of the table the release was made from; give that table as well (--original), and the "
            "release in one table."
        )
    keys = read.keys if read.keys is not None else pl.Series([None] * release.n_records, dtype=pl.Int64)
    table = release.table.with_people(code_people(keys).codes)
    return tuple(promise.of_people() for promise in promises), replace(release, table=table)


def _judged(
    promises: Sequence[PrivacyModel], printed: Release, read: AsRead | None, labels: pl.DataFrame
) -> Verification:
    """Judge each model by what it needs: the labels as they stand, or as they are read."""
    verdicts: list[Verdict] = []
    worst: list[WorstClass] = []
    untold: list[Untold] = []
    for promise in promises:
        promise.require_columns(printed.table)
        lacking = [each for each in promise.judged_by if read is None or each not in read.evidence]
        by_keys = printed.table.people is not None and "population" not in promise.judged_by
        is_printed = read is None or lacking or not promise.judged_by or by_keys
        release = printed if is_printed or read is None else read.release
        verdict = promise.check(release)
        if lacking and (not verdict.holds or release.table.people is not None):
            untold.append(Untold(str(promise), _why(lacking, read)))
            continue
        verdicts.append(verdict)
        worst += worst_classes(release, promise, verdict, labels)
    return Verification(tuple(verdicts), tuple(worst), labels.height, tuple(untold))


def _why(lacking: Sequence[Evidence], read: AsRead | None) -> str:
    """What would decide it."""
    if read is not None and read.why_not:
        return f"It cannot be decided: {read.why_not}."
    return f"It cannot be decided from the labels alone; give {' and '.join(_NEEDED[each] for each in lacking)}."


def _two_tables(frame: pl.DataFrame, values: pl.DataFrame, roles: ReleaseRoles, bucket: str) -> Release:
    """The release formed by two tables."""
    quasi, sensitive = roles.quasi, roles.sensitive
    if not sensitive:
        raise InputError("No sensitive column was named; say which columns of the second table are sensitive.")
    Schema((*quasi, bucket)).check_columns(frame.columns)
    Schema((bucket,), sensitive).check_columns(values.columns)
    counts = [name for name in values.columns if name not in (bucket, *sensitive)]
    if len(counts) != 1:
        raise InputError(
            f"The second table must have {bucket!r}, the sensitive columns and one column that counts rows, got "
            f"{', '.join(values.columns)}."
        )
    try:
        told = values.with_columns(pl.col(counts[0]).cast(pl.Int64))
    except pl.exceptions.InvalidOperationError:
        raise InputError(f"The column {counts[0]!r} of the second table must count rows in whole numbers.") from None
    return in_buckets(frame, told, Names(quasi, sensitive, bucket, counts[0], roles.schema(roles.sensitive)))


def worst_classes(
    release: Release, promise: PrivacyModel, verdict: Verdict, labels: pl.DataFrame, most: int = 5
) -> list[WorstClass]:
    """The classes or pools with the worst measures, with their labels. ``labels`` has one row per record."""
    groups = release.classes if verdict.reads == "classes" else release.pools
    found: list[WorstClass] = []
    if release.buckets is not None:
        return found  # rows are in another order, and a bucket has no labels
    records = np.zeros(max(release.table.n_rows, release.n_records), np.int32)
    records[release.owners] = np.arange(release.n_records, dtype=np.int32)
    for group, measure in list(zip(verdict.worst, verdict.worst_measures, strict=True))[:most]:
        rows = groups.of(group)
        row = labels.row(int(records[rows[0]]), named=True)
        shown = {name: None if value is None else str(value) for name, value in row.items()}
        found.append(WorstClass(str(promise), shown, int(rows.size), measure))
    return found
