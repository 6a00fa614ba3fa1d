"""Columns known by their distinct values alone, and the codes of rows that come in pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Offsets
from shoal.core.schema import UNPUBLISHED, Schema
from shoal.core.table import CountedTable, QuasiColumn, SensitiveColumn, Table, ValueHolders
from shoal.errors import InputError
from shoal.io.column_rules import settle
from shoal.io.domains import CodedColumn, sensitive_column
from shoal.io.encode import encode_distinct, quasi_column
from shoal.io.people import code_people
from shoal.io.table_file import COUNT, VALUE

CODE = "code"
"""The column of codes beside the one of values (``VALUE``), so that user column names never clash with ours."""


@dataclass(frozen=True, eq=False)
class CountedPeople:
    """The number of people, and for each sensitive column the number of people with each value, by its code.

    ``n_unnamed`` rows have no key; each is a person of its own. ``by_length[m]``, if counted, is the number of people
    with m rows.
    """

    n_people: int
    n_unnamed: int
    held: tuple[Offsets, ...]
    by_length: Offsets = field(default_factory=lambda: np.empty(0, np.int64))


@dataclass(frozen=True, eq=False)
class CodedColumns:
    """The quasi-identifiers and sensitive columns of a table whose rows are elsewhere.

    ``known[name]`` has the distinct values of a column (``VALUE``) beside their codes (``CODE``). ``order`` is the
    order of all published columns, ``passengers`` are those published unchanged. ``person``, if given, is the column
    with the person of each row.
    """

    quasi: tuple[QuasiColumn, ...]
    sensitive: tuple[SensitiveColumn, ...]
    known: Mapping[str, pl.DataFrame]
    order: tuple[str, ...]
    passengers: tuple[str, ...]
    n_rows: int
    person: str | None = None
    n_people: int | None = None

    def over_people(self, counted: CountedPeople) -> CodedColumns:
        """The same columns with the number of people with each sensitive value."""
        sensitive = tuple(
            replace(column, held=ValueHolders(held, counted.n_people))
            for column, held in zip(self.sensitive, counted.held, strict=True)
        )
        return replace(self, sensitive=sensitive, n_people=counted.n_people)

    @property
    def coded(self) -> dict[str, QuasiColumn | SensitiveColumn]:
        """The columns that have codes, quasi-identifiers first."""
        both: tuple[QuasiColumn | SensitiveColumn, ...] = (*self.quasi, *self.sensitive)
        return {column.name: column for column in both}

    def codes(self, rows: pl.DataFrame, names: Sequence[str]) -> Codes:
        """``codes[column, row]`` of some rows. O(rows · columns)."""
        return np.array([self.codes_of(rows[name], name) for name in names], np.int32).reshape(len(names), rows.height)

    def codes_of(self, values: pl.Series, name: str) -> Codes:
        """The codes of some values of a column, whatever the name of the series."""
        found = values.alias(VALUE).to_frame()
        codes = found.join(self.known[name], on=VALUE, how="left", nulls_equal=True, maintain_order="left")[CODE]
        if codes.null_count():
            raise InputError(f"The column {name!r} changed while it was read; run again when nobody writes to it.")
        return codes.to_numpy().astype(np.int32)

    def table(self, rows: pl.DataFrame) -> Table:
        """Some rows as a table; its domains have the counts of the whole table."""
        table = Table(
            quasi=self.quasi,
            codes=self.codes(rows, [column.name for column in self.quasi]),
            sensitive=tuple(replace(c, codes=self.codes_of(rows[c.name], c.name)) for c in self.sensitive),
            passengers=rows.select(self.passengers),
            order=self.order,
        )
        return table if self.person is None else replace(table, people=code_people(rows[self.person]).codes)

    def counted(self, codes: Codes, counts: Offsets, people: Codes | None = None) -> CountedTable:
        """Distinct rows with their counts as a table; with ``people``, each is of one person.

        ``codes`` has the quasi-identifiers first, then the sensitive columns.
        """
        n = len(self.quasi)
        return CountedTable(
            quasi=self.quasi,
            codes=np.ascontiguousarray(codes[:n]),
            sensitive=tuple(
                replace(column, codes=np.ascontiguousarray(own))
                for column, own in zip(self.sensitive, codes[n:], strict=True)
            ),
            people=people,
            counts=counts,
            persons=self.n_people,
        )


def learn_columns(
    values: Mapping[str, pl.DataFrame], schema: Schema, names: Sequence[str], n_rows: int
) -> CodedColumns:
    """Number the values of all coded columns of a table with columns of these ``names``.

    ``values`` has for each quasi-identifier and sensitive column its distinct values (``VALUE``) and how many rows have
    each (``COUNT``).
    """
    coded: dict[str, CodedColumn] = {}
    known: dict[str, pl.DataFrame] = {}
    for name in (*schema.quasi_identifiers, *schema.sensitive):
        distinct = settle(values[name].select(VALUE))
        counts = values[name][COUNT].to_numpy()
        found = encode_distinct(distinct[VALUE].alias(name), counts, schema)
        if name in schema.sensitive:  # as in memory, equal numbers such as 0 and 0.0 are one value
            found = found.counted(sensitive_column(found).codes, counts)
        coded[name] = found
        known[name] = distinct.with_columns(pl.Series(CODE, coded[name].codes))
    kept = [name for name in names if schema.role(name) not in UNPUBLISHED]
    nothing = np.empty(0, np.int32)
    return CodedColumns(
        quasi=tuple(quasi_column(coded[name], schema) for name in schema.quasi_identifiers),
        sensitive=tuple(SensitiveColumn(coded[n].domain, nothing, coded[n].hierarchy) for n in schema.sensitive),
        known=known,
        order=tuple(kept),
        passengers=tuple(name for name in kept if schema.role(name) in ("sensitive", "other")),
        n_rows=n_rows,
        person=schema.person,
    )
