"""Coding a frame into a table of integers, according to a schema."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.arrays import Offsets
from shoal.core.parallel_work import side_by_side
from shoal.core.recoding import choose
from shoal.core.schema import UNPUBLISHED, Schema
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError, did_you_mean
from shoal.io.column_rules import refuse_nested
from shoal.io.domains import CodedColumn, encode_column, sensitive_column
from shoal.io.masking import mask_frame
from shoal.io.people import code_people, people_of_population, read_weights


@dataclass(frozen=True, eq=False)
class Encoded:
    """A coded table, remarks on how it was made, and each row's person key if the schema names one.

    ``kept`` flags the rows of the frame that the table has, if some were dropped.
    """

    table: Table
    notes: tuple[str, ...]
    keys: pl.Series | None = None
    kept: pl.Series | None = None


def encode(frame: pl.DataFrame, schema: Schema, population: pl.DataFrame | None = None) -> Encoded:
    """Code the quasi-identifiers and sensitive columns; drop the identifiers. O(rows · columns).

    ``population`` holds at least the quasi-identifiers of the population that the rows were sampled from.

    Raises:
        InputError: the schema does not fit the frame.
    """
    schema.check_columns(frame.columns)
    if frame.is_empty():
        raise InputError("The table has no rows; there is nothing to publish.")
    refuse_nested(frame, schema.identifiers)
    frame, notes, rows = without_missing(frame, schema)
    coded_columns = side_by_side(
        lambda name: _encode(frame, schema, name, population if name in schema.quasi_identifiers else None),
        (*schema.quasi_identifiers, *schema.sensitive),
        frame.height,
    )
    quasi = dict(zip(schema.quasi_identifiers, coded_columns, strict=False))
    population_codes = None
    if population is not None:
        population_codes = np.array([coded.codes[frame.height :] for coded in quasi.values()], np.int32)
        heads = {name: np.ascontiguousarray(coded.codes[: frame.height]) for name, coded in quasi.items()}
        quasi = {name: coded.counted(heads[name]) for name, coded in quasi.items()}  # values of others count zero
    sensitive = coded_columns[len(quasi) :]
    masked = mask_frame(frame, schema)
    kept = [name for name in frame.columns if schema.role(name) in ("sensitive", "other")]
    table = Table(
        quasi=tuple(quasi_column(coded, schema) for coded in quasi.values()),
        codes=np.array([coded.codes for coded in quasi.values()], np.int32),
        sensitive=tuple(map(sensitive_column, sensitive)),
        passengers=masked.frame.select(kept),
        order=tuple(name for name in frame.columns if schema.role(name) not in UNPUBLISHED),
        population=population_codes,
        sample_weights=None if schema.sample_weight is None else read_weights(frame[schema.sample_weight]),
        adjusts_weights=schema.adjust_weights,
    )
    notes = (*notes, *masked.notes)
    if schema.person is None:
        return Encoded(table, notes, kept=rows)
    coded = code_people(frame[schema.person])
    everybody = None if population is None else people_of_population(population, schema.person)
    return Encoded(table.with_people(coded.codes, everybody), (*notes, *coded.notes), frame[schema.person], rows)


def _encode(frame: pl.DataFrame, schema: Schema, name: str, population: pl.DataFrame | None = None) -> CodedColumn:
    values = frame[name]
    if population is not None:
        values = values.append(_same_column(values, population))
    if values.dtype.is_float():
        values = values.fill_nan(None)
        if (n_infinite := int(values.is_infinite().sum())) > 0:
            raise InputError(f"The column {name!r} has {n_infinite:,} infinite values; replace them or leave it out.")
    if values.null_count() == len(values):
        raise InputError(f"The column {name!r} has nothing but missing values; leave it out.")
    uses_hierarchy = schema.recodings.get(name, "tree") == "tree"
    hierarchy = schema.hierarchies.get(name) if uses_hierarchy else None
    return encode_column(values, schema.kinds.get(name), schema.orders.get(name), hierarchy)


def encode_distinct(distinct: pl.Series, counts: Offsets, schema: Schema) -> CodedColumn:
    """Code a column given only as its distinct values, missing included, and the number of rows that have each."""
    coded = _encode(distinct.to_frame(), schema, distinct.name)
    return coded.counted(coded.codes, counts)


def quasi_column(coded: CodedColumn, schema: Schema) -> QuasiColumn:
    """The column with the recoding and weight that the schema gives it."""
    name = coded.domain.name
    recoding = choose(schema.recodings.get(name), coded.domain, coded.hierarchy)
    return QuasiColumn(coded.domain, recoding, float(schema.weights.get(name, 1.0)))


def _same_column(values: pl.Series, population: pl.DataFrame) -> pl.Series:
    """The population's column with the same name and type."""
    if values.name not in population.columns:
        hint = did_you_mean(values.name, population.columns)
        raise InputError(f"The population has no column {values.name!r}, which is a quasi-identifier.{hint}")
    try:
        return population[values.name].cast(values.dtype)
    except pl.exceptions.PolarsError:
        raise InputError(
            f"The column {values.name!r} is {values.dtype} in the table and {population[values.name].dtype} in the "
            "population; give both the same type."
        ) from None


def without_missing(frame: pl.DataFrame, schema: Schema) -> tuple[pl.DataFrame, tuple[str, ...], pl.Series | None]:
    """If the schema says so, drop rows with missing values; return the rest, a remark, and flags of the kept rows."""
    if schema.missing == "own":
        return frame, (), None
    needed = [*schema.quasi_identifiers, *schema.sensitive]
    values = [pl.col(name).fill_nan(None) if frame.schema[name].is_float() else pl.col(name) for name in needed]
    rows = frame.select(kept=pl.all_horizontal(value.is_not_null() for value in values)).to_series()
    kept = frame.filter(rows)
    if kept.is_empty():
        raise InputError("Every row has a missing value, so none is left; use missing = 'own' to keep them.")
    dropped = frame.height - kept.height
    return kept, (f"{dropped:,} of {frame.height:,} rows were dropped for missing values.",) if dropped else (), rows
