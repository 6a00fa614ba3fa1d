"""The inputs of an audit: people, records and sensitive values, all in the same codes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.audit.knowledge import Knowledge
from shoal.core.arrays import Codes, Flags, Floats
from shoal.core.cells import Cells
from shoal.core.domain import Domain, Kind
from shoal.core.parallel_work import side_by_side
from shoal.core.release import Publication, Release
from shoal.core.schema import Schema, column_hint
from shoal.core.table import QuasiColumn, SensitiveColumn, Table
from shoal.engine.vocabulary import QuasiIdentifiers
from shoal.errors import InputError, did_you_mean
from shoal.io.domains import encode_column
from shoal.io.encode import encode
from shoal.io.hierarchies import parse_hierarchy
from shoal.io.read_cells import ReadColumn, aggregated_cells, distinct_texts, read_cells, refuse_strange
from shoal.kernels.distinct import number_rows


@dataclass(frozen=True)
class ReleaseRoles:
    """The roles of the columns, and how their labels are read."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    hierarchies: Mapping[str, Any] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    folder: Path = Path()

    @classmethod
    def of(cls, words: QuasiIdentifiers, folder: Path) -> ReleaseRoles:
        """From the settings; raises InputError if the person column has another role."""
        if (person := getattr(words, "person", None)) is not None:
            Schema(tuple(words.quasi_identifiers), tuple(getattr(words, "sensitive", ())), person=person)
        said = {name: getattr(words, name) for name in ("hierarchies", "kinds", "orders", "labels")}
        return cls(tuple(words.quasi_identifiers), tuple(getattr(words, "sensitive", ())), **said, folder=folder)

    def check(self, what: str, frame: pl.DataFrame, wanted: Sequence[str]) -> None:
        """Raise InputError if a table lacks a column or has no rows."""
        for name in wanted:
            if name not in frame.columns:
                raise InputError(
                    f"The {what} has no column {name!r}, and both tables must have it."
                    f"{column_hint(name, frame.columns)} Leave it out if it was not published."
                )
        if frame.is_empty():
            raise InputError(f"The {what} has no rows; there is nothing to audit.")

    def check_named(self) -> None:
        """Raise InputError if a setting names a column without a role."""
        said = {"hierarchy": self.hierarchies, "kind": self.kinds, "order": self.orders, "label": self.labels}
        for what, names in said.items():
            for name in names:
                if name not in (*self.quasi, *self.sensitive):
                    raise InputError(
                        f"The column {name!r} has a {what} but is neither a quasi-identifier nor sensitive."
                        f"{did_you_mean(name, (*self.quasi, *self.sensitive))}"
                    )

    def schema(self, inside: Collection[str]) -> Schema:
        """The schema of the quasi-identifiers, with the settings of these columns only."""
        return Schema(
            quasi_identifiers=self.quasi,
            hierarchies={n: parse_hierarchy(h, self.folder, n) for n, h in self.hierarchies.items() if n in inside},
            kinds={name: kind for name, kind in self.kinds.items() if name in inside},
            orders={name: order for name, order in self.orders.items() if name in inside},
        )


def code_people(roles: ReleaseRoles, frames: Sequence[pl.DataFrame]) -> tuple[Table, list[Knowledge]]:
    """Code the people of several tables with one domain per column; the table has all of them together."""
    chosen = [frame.select(roles.quasi) for frame in frames]
    if len({tuple(frame.dtypes) for frame in chosen}) > 1:
        chosen = [frame.cast(pl.String) for frame in chosen]
    table = encode(pl.concat(chosen), roles.schema(roles.quasi)).table
    known, first = [], 0
    for frame in chosen:
        known.append(Knowledge(table.quasi, np.ascontiguousarray(table.codes[:, first : first + frame.height])))
        first += frame.height
    return table, known


@dataclass(frozen=True, eq=False)
class Read:
    """A release as read from its labels, which cells name their outermost values, and notes on labels."""

    publication: Publication
    ends: tuple[Flags, ...]
    notes: tuple[str, ...]


def read_labels(
    frame: pl.DataFrame,
    known: Knowledge,
    roles: ReleaseRoles,
    *,
    from_file: bool = True,
    aggregates: Mapping[str, Cells] | None = None,
) -> Read:
    """Read the printed labels, and note labels that fit nobody.

    A mean does not say which values it was computed from. If ``aggregates`` has the cells of such columns, the
    adversary is given more than is printed: the smallest cell around all values that are printed alike.

    Raises:
        InputError: labels cannot be understood; they are listed, with how to declare them.
    """

    def cells_of(column: QuasiColumn) -> ReadColumn:
        labels, name = frame[column.name], column.name
        if aggregates and name in aggregates:
            return aggregated_cells(labels, aggregates[name])
        return read_cells(labels, column, roles.labels.get(name), from_file=from_file)

    columns = side_by_side(cells_of, known.quasi, frame.height)
    read = {column.name: found for column, found in zip(known.quasi, columns, strict=True)}
    refuse_strange(read)
    cells = tuple(column.cells for column in columns)
    notes = tuple(
        f"No row of the original fits the label {column.nobodys[0][0]!r} of {name!r}"
        + (f" and {len(column.nobodys) - 1:,} more of it." if len(column.nobodys) > 1 else ".")
        for name, column in read.items()
        if column.nobodys
    )
    passengers = frame.select(roles.sensitive) if roles.sensitive else pl.DataFrame()
    publication = Publication(known.quasi, cells, passengers, tuple(frame.columns), roles.sensitive)
    return Read(publication, tuple(column.ends for column in columns), notes)


def printed_means(frame: pl.DataFrame, known: Knowledge) -> dict[int, Floats]:
    """The numbers of columns whose labels are all numbers, by position; empty if all are original values."""
    found: dict[int, Floats] = {}
    has_means = False
    for place, column in enumerate(known.quasi):
        values = frame[column.name].cast(pl.Float64, strict=False)
        if column.domain.kind != "numeric" or values.null_count():
            continue
        found[place] = values.to_numpy()
        has_means |= not np.isin(found[place], column.domain.points).all()
    return found if has_means else {}


def read_published(frame: pl.DataFrame, known: Knowledge, roles: ReleaseRoles, original: pl.DataFrame) -> Read:
    """Read a release given together with its original; detects if the two were swapped.

    Raises:
        InputError: labels cannot be understood, or the two tables seem to be swapped.
    """
    try:
        return read_labels(frame, known, roles)
    except InputError:
        if not _reads_as_release(original, frame, replace(roles, sensitive=())):
            raise
    raise InputError(
        "The two tables seem to be swapped: the cells of the first can be read as generalized values of the second, "
        "and not the other way round. Give the original first, then the release."
    )


def _reads_as_release(release: pl.DataFrame, original: pl.DataFrame, roles: ReleaseRoles) -> bool:
    try:
        _, known = code_people(roles, [original])
        read_labels(release, known[0], roles)
    except InputError:
        return False
    return True


def code_values(roles: ReleaseRoles, name: str, frames: Sequence[pl.DataFrame | None]) -> list[SensitiveColumn | None]:
    """A sensitive column of several tables in one domain, each with its own counts; None for tables without it."""
    present = [frame[name] if frame is not None and name in frame.columns else None for frame in frames]
    some = [series for series in present if series is not None]
    if len({series.dtype for series in some}) > 1:
        some = [series.cast(pl.String) for series in some]
    hierarchy = roles.hierarchies.get(name)
    coded = encode_column(
        pl.concat(some).alias(name),
        roles.kinds.get(name),
        roles.orders.get(name),
        None if hierarchy is None else parse_hierarchy(hierarchy, roles.folder, name),
    )
    parts = iter(np.split(coded.codes, np.cumsum([len(series) for series in some])[:-1]))
    return [
        None
        if series is None
        else SensitiveColumn(recounted(coded.domain, codes := next(parts)), codes, coded.hierarchy)
        for series in present
    ]


def recode(column: SensitiveColumn, values: pl.Series) -> SensitiveColumn:
    """Other values coded in the domain of a sensitive column."""
    texts, ids, _ = distinct_texts(values + 0.0 if values.dtype.is_float() else values)
    places: dict[str | None, int] = {
        text: code for code, text in enumerate(column.domain.texts) if code != column.domain.missing
    }
    places[None] = -1 if column.domain.missing is None else column.domain.missing
    codes: Codes = np.array([places[text] for text in texts], np.int32)[ids]
    return SensitiveColumn(recounted(column.domain, codes), codes, column.hierarchy)


def own_shapes(release: Release, frame: pl.DataFrame, shapes: Codes) -> Codes:
    """The shape of each row's own record, −1 for suppressed rows; ``shapes`` numbers those of the printed records.

    Shapes are told apart by their labels, which are printed again here in the order of the release.
    """
    distinct, columns = np.unique(release.shapes), []
    for column, cells in zip(release.table.quasi, release.cells, strict=True):
        labels = cells.printed
        if labels is None:
            labels = pl.Series(
                [column.recoding.label(cells, cell) for cell in range(cells.n_distinct)], dtype=pl.String
            )
        own = labels.cast(pl.String).gather(cells.ids[distinct].astype(np.uint32))
        columns.append(own.alias(column.name))
    printed = pl.DataFrame(columns)
    both = pl.concat([printed, frame.select(pl.col(printed.columns).cast(pl.String))])
    ids, _ = number_rows(np.array([distinct_texts(texts)[1] for texts in both], np.int32))
    number = np.full(int(ids.max()) + 1, -1, np.int32)
    number[ids[printed.height :]] = shapes
    by_shape = np.full(int(release.shapes.max(initial=-1)) + 1, -1, np.int32)
    by_shape[distinct] = number[ids[: printed.height]]
    of_rows = np.full(release.table.n_rows, -1, np.int32)
    of_rows[release.owners] = by_shape[release.shapes]
    return of_rows


def recounted(domain: Domain, codes: Codes) -> Domain:
    """The domain with the counts of these codes."""
    return replace(domain, counts=np.bincount(codes, minlength=domain.n_leaves).astype(np.int64))


def published_as_they_are(
    frame: pl.DataFrame, roles: ReleaseRoles, values: pl.DataFrame | None = None, hidden: Collection[str | None] = ()
) -> list[str]:
    """The columns published unchanged: without the bucket that joins two tables, and without ``hidden`` columns."""
    bucket = [] if values is None else [frame.columns[-1]]
    return [name for name in frame.columns if name not in {*roles.quasi, *roles.sensitive, *bucket, *hidden}]


def refuse_more_records(what: str, n_records: int, n_rows: int) -> None:
    """Raise InputError if a release has more records than the original has rows: another table was given."""
    if n_records > n_rows:
        raise InputError(
            f"The {what} has {n_records:,} records and the original only {n_rows:,} rows; give as original the table "
            "that the release was made from."
        )
