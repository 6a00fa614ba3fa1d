"""The independent check of every release before it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeGuard

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Algorithm, Goal, GroupModel, PrivacyModel, ReleaseModel, Verdict
from shoal.core.parallel_work import side_by_side
from shoal.core.recoding import Suppress
from shoal.core.release import ClaimVerdict, Publication, Release
from shoal.core.schema import Schema
from shoal.core.table import QuasiColumn, Table
from shoal.errors import BrokenPromise, InputError
from shoal.io.domains import CodedColumn, encode_column, sensitive_column
from shoal.io.people import code_people
from shoal.models.population_frequencies import weights_published


def check_release(release: Release, promises: Sequence[PrivacyModel]) -> list[Verdict]:
    """Judge a release by its cells and owners.

    Raises:
        BrokenPromise: a model does not hold, or a record's cells do not contain its owner's values.
    """
    lying = int((~release.truthful()).sum())
    if lying:
        raise BrokenPromise(broken(f"{lying:,} records have cells that do not hold their own values"))
    if np.bincount(release.owners).max(initial=0) > 1:
        raise BrokenPromise(broken("a row owns two records"))
    verdicts = [promise.check(release) for promise in promises]
    refuse_broken(verdicts)
    return verdicts


def check_claims(algorithm: Algorithm, release: Release, goal: Goal, printed: pl.DataFrame) -> tuple[ClaimVerdict, ...]:
    """Judge the algorithm's own guarantees by the printed records.

    Raises:
        BrokenPromise: a claim does not hold.
    """
    claims = (*algorithm.claims(release.table, goal), *release.claims)
    found = tuple(claim.check(release, printed) for claim in claims)
    refuse_broken(found)
    return found


def check_publication(
    publication: Publication, frame: pl.DataFrame, promises: Sequence[PrivacyModel], beside: Beside | None = None
) -> None:
    """Judge what will be written, from its printed labels alone, as an outsider would.

    ``beside`` has what models need and an outsider does not know about each printed record: its person, if people are
    counted, and its sample weight. Covers the models about groups that can be judged this way; those that compare with
    the original table, or are about matches or buckets, were judged by ``check_release``.

    Raises:
        BrokenPromise: a model does not hold.
    """
    if tuple(frame.columns) != publication.order:
        raise BrokenPromise(broken("the published columns are not those that were to be published"))
    if publication.buckets is not None:
        return
    visible = [promise for promise in promises if is_visible(promise)]
    if not publication.pools_are_classes:
        visible = [promise for promise in visible if promise.reads == "classes"]
    quasi = [column.name for column in publication.quasi]
    as_printed = Release.identity(as_it_stands(frame, quasi, publication.sensitive, beside=beside))
    refuse_broken([promise.check(as_printed) for promise in visible])


def is_visible(promise: PrivacyModel) -> TypeGuard[GroupModel | ReleaseModel]:
    """Whether printed labels, with the facts in ``Beside``, show if the model holds."""
    return isinstance(promise, GroupModel | ReleaseModel) and (promise.needs_weights or not promise.needs_original)


@dataclass(frozen=True, eq=False)
class Beside:
    """Unprinted facts about printed records, in their order: keys of people, and sample weights."""

    keys: pl.Series | None = None
    weights: Floats | None = None

    @classmethod
    def of(cls, release: Release, owners: Codes, keys: pl.Series | None) -> Beside:
        """From the rows that own the records, in printed order."""
        weights = None if release.table.sample_weights is None else weights_published(release)[owners]
        return cls(None if keys is None else keys.gather(owners), weights)

    @cached_property
    def people(self) -> Codes | None:
        """The people behind the records, numbered by the original keys, not by the release's own numbers. O(n)."""
        return None if self.keys is None else code_people(self.keys).codes


def check_buckets(frame: pl.DataFrame, values: pl.DataFrame, names: Names, promises: Sequence[PrivacyModel]) -> None:
    """Judge the two tables of a release in buckets, as an outsider would join them.

    Raises:
        BrokenPromise: a model does not hold, or the tables do not fit together.
    """
    try:
        release = in_buckets(frame, values, names)
    except InputError as problem:
        raise BrokenPromise(broken(str(problem))) from None
    refuse_broken([promise.check(release) for promise in promises])


@dataclass(frozen=True)
class Names:
    """The column names of two tables joined by buckets."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    bucket: str
    count: str
    schema: Schema | None = None


def names_of(frame: pl.DataFrame, values: pl.DataFrame, schema: Schema) -> Names:
    """The names in a release just made: the bucket is the last column of the first table."""
    return Names(schema.quasi_identifiers, schema.sensitive, frame.columns[-1], values.columns[-1], schema)


def in_buckets(frame: pl.DataFrame, values: pl.DataFrame, names: Names) -> Release:
    """The release from its two printed tables.

    Raises:
        InputError: the buckets of the two tables have different sizes.
    """
    joined, buckets = join_buckets(frame, values, names)
    table = as_it_stands(joined, names.quasi, names.sensitive, names.schema)
    return replace(Release.identity(table), buckets=buckets)


def join_buckets(frame: pl.DataFrame, values: pl.DataFrame, names: Names) -> tuple[pl.DataFrame, Codes]:
    """Both tables in one, and the bucket of each row; values are paired arbitrarily within a bucket.

    Raises:
        InputError: the buckets of the two tables have different sizes, or a required cell is empty.
    """
    key = pl.col(names.bucket).cast(pl.String)
    rows = frame.with_columns(key).sort(names.bucket, maintain_order=True)
    told = values.with_columns(key).sort(names.bucket, maintain_order=True)
    _check_sizes(rows, told, names)
    told = told.select(pl.exclude(names.count).repeat_by(pl.col(names.count).cast(pl.Int64))).explode(
        told.drop(names.count).columns
    )
    buckets = rows[names.bucket].rank("dense").to_numpy().astype(np.int32) - 1
    return rows.drop(names.bucket).hstack(told.select(names.sensitive)), buckets


def _check_sizes(rows: pl.DataFrame, told: pl.DataFrame, names: Names) -> None:
    """Refuse two tables that do not fit together, before memory is allocated for the rows they claim."""
    for which, table in (("first", rows), ("second", told)):
        if table[names.bucket].null_count():
            raise InputError(f"The {which} table has a row without a value in {names.bucket!r}; name its bucket.")
    counts = told[names.count].cast(pl.Int64)
    if counts.null_count() or (counts < 1).any():
        raise InputError(f"Every row of the second table must count at least 1 row in {names.count!r}.")
    sizes = pl.DataFrame({"bucket": told[names.bucket], "n": counts.cast(pl.Float64)}).group_by("bucket").sum()
    found = rows.group_by(pl.col(names.bucket).alias("bucket")).agg(pl.len().cast(pl.Float64).alias("n"))
    if not sizes.sort("bucket").equals(found.sort("bucket")):
        raise InputError(f"The buckets of the two tables do not hold equally many rows; check {names.bucket!r}.")


def as_it_stands(
    frame: pl.DataFrame,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    schema: Schema | None = None,
    beside: Beside | None = None,
) -> Table:
    """A table in which every label is a value of its own, and missing a value like any other.

    Quasi-identifiers have no order; sensitive values have that of their type, or as the schema says. People are
    renumbered by their keys, if these are known in ``beside``.
    """
    columns = side_by_side(lambda name: encode_column(frame[name], "nominal"), quasi, frame.height)
    table = Table(
        quasi=tuple(QuasiColumn(column.domain, Suppress(column.domain)) for column in columns),
        codes=np.array([column.codes for column in columns], np.int32),
        sensitive=tuple(sensitive_column(_encode_sensitive(frame[name], schema)) for name in sensitive),
    )
    beside = beside or Beside()
    table = replace(table, sample_weights=beside.weights)
    return table if beside.people is None else table.with_people(beside.people)


def _encode_sensitive(values: pl.Series, schema: Schema | None) -> CodedColumn:
    """Ordered as the schema says, else by size if all are comparable numbers or dates."""
    name = values.name
    if schema is not None and any(name in said for said in (schema.kinds, schema.orders, schema.hierarchies)):
        return encode_column(values, schema.kinds.get(name), schema.orders.get(name), schema.hierarchies.get(name))
    try:
        return encode_column(values)
    except InputError:
        return encode_column(values, "nominal")


def refuse_broken(verdicts: Iterable[Verdict | ClaimVerdict]) -> None:
    """Raise BrokenPromise if one of them does not hold."""
    for verdict in verdicts:
        if not verdict.holds:
            raise BrokenPromise(broken(str(verdict)))


def broken(what: str) -> str:
    """The message about a release that failed its check."""
    return f"The release failed its own check ({what}); this is a bug in shoal, please report it. Nothing was written."
