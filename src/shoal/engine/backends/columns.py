"""Columns known by their distinct values alone, and the codes of rows that come in pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.arrays import Codes
from shoal.core.schema import UNPUBLISHED, Schema
from shoal.core.table import QuasiColumn, SensitiveColumn, Table
from shoal.errors import InputError
from shoal.io.column_rules import settle
from shoal.io.domains import CodedColumn
from shoal.io.encode import encode_distinct, quasi_column
from shoal.io.table_file import COUNT, VALUE

CODE = "code"
"""The column of codes beside one of values (``VALUE``): the user's own names never stand beside ours."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The quasi-identifiers and sensitive columns of a table whose rows are elsewhere.

    ``known[name]`` holds the distinct values of a column (``VALUE``) beside their codes (``CODE``). ``order`` is the
    order of all published columns, ``passengers`` are those published as they are.
    """

    quasi: tuple[QuasiColumn, ...]
    sensitive: tuple[SensitiveColumn, ...]
    known: Mapping[str, pl.DataFrame]
    order: tuple[str, ...]
    passengers: tuple[str, ...]
    n_rows: int

    def codes(self, rows: pl.DataFrame, name: str) -> Codes:
        """The codes of a column of some rows. O(rows)."""
        return self.codes_of(rows[name], name)

    def codes_of(self, values: pl.Series, name: str) -> Codes:
        """The codes of some values of a column, whatever they are called."""
        found = values.alias(VALUE).to_frame()
        codes = found.join(self.known[name], on=VALUE, how="left", nulls_equal=True, maintain_order="left")[CODE]
        if codes.null_count():
            raise InputError(f"The column {name!r} changed while it was read; run again when nobody writes to it.")
        return codes.to_numpy().astype(np.int32)

    def table(self, rows: pl.DataFrame) -> Table:
        """Some rows as a table; its domains count the rows of the whole."""
        return Table(
            quasi=self.quasi,
            codes=np.array([self.codes(rows, column.name) for column in self.quasi], np.int32),
            sensitive=tuple(
                SensitiveColumn(column.domain, self.codes(rows, column.name), column.hierarchy)
                for column in self.sensitive
            ),
            passengers=rows.select(self.passengers),
            order=self.order,
        )


def learn_columns(values: Mapping[str, pl.DataFrame], schema: Schema, names: list[str], n_rows: int) -> Columns:
    """Number the values of all columns that are coded.

    Args:
        values: for each quasi-identifier and sensitive column its distinct values (``VALUE``) and how many rows have
            each (``COUNT``).
        schema: what is said about the columns.
        names: all columns of the table.
        n_rows: the number of its rows.
    """
    coded: dict[str, CodedColumn] = {}
    known: dict[str, pl.DataFrame] = {}
    for name in (*schema.quasi_identifiers, *schema.sensitive):
        distinct = settle(values[name].select(VALUE))
        coded[name] = encode_distinct(distinct[VALUE].alias(name), values[name][COUNT].to_numpy(), schema)
        known[name] = distinct.with_columns(pl.Series(CODE, coded[name].codes))
    kept = [name for name in names if schema.role(name) not in UNPUBLISHED]
    nothing = np.empty(0, np.int32)
    return Columns(
        quasi=tuple(quasi_column(coded[name], schema) for name in schema.quasi_identifiers),
        sensitive=tuple(SensitiveColumn(coded[n].domain, nothing, coded[n].hierarchy) for n in schema.sensitive),
        known=known,
        order=tuple(kept),
        passengers=tuple(name for name in kept if schema.role(name) in ("sensitive", "other")),
        n_rows=n_rows,
    )
