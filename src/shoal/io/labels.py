"""Turning a publication into the published frame."""

from __future__ import annotations

import polars as pl

from shoal.core.cells import Cells
from shoal.core.parallel_work import side_by_side
from shoal.core.release import Publication, free_name
from shoal.core.table import QuasiColumn
from shoal.io.cell_forms.taken_apart import CodedLabels


def to_frame(publication: Publication) -> pl.DataFrame:
    """The published table. O(records · columns + labels).

    For records in buckets this is the first of two tables: the bucket's number takes the place of the sensitive values.
    A column in which every cell is exact keeps its type and values; any other becomes text, with missing values still
    missing.
    """
    coded = coded_labels(publication)
    labels = side_by_side(lambda one: one.labels, coded.values(), publication.n_records)
    columns = dict(zip(coded, labels, strict=True))
    columns |= {series.name: series for series in publication.passengers}
    if publication.buckets is not None:
        columns[publication.order[-1]] = pl.Series(publication.order[-1], publication.buckets + 1)
    return pl.DataFrame([columns[name] for name in publication.order])


def to_sensitive_frame(publication: Publication) -> pl.DataFrame | None:
    """The second table for records in buckets: how often each sensitive value occurs in each bucket; otherwise None."""
    if publication.buckets is None:
        return None
    names, bucket = list(publication.sensitive), publication.order[-1]
    number = free_name("count", [bucket, *names])
    values = publication.passengers.select(pl.Series(bucket, publication.buckets + 1), *names)
    return values.group_by(bucket, *names).agg(pl.len().alias(number)).sort(bucket, *names, nulls_last=True)


def coded_labels(publication: Publication) -> dict[str, CodedLabels]:
    """The labels of each quasi-identifier, as distinct cells and ids. O(labels)."""
    columns = zip(publication.quasi, publication.cells, strict=True)
    return {column.name: CodedLabels(distinct_labels(column, cells), cells.ids) for column, cells in columns}


def distinct_labels(column: QuasiColumn, cells: Cells) -> pl.Series:
    """The label of each distinct cell of a column. O(labels)."""
    if cells.printed is not None:
        return cells.printed.alias(column.name)
    if (cells.sizes == 1).all() and cells.levels is None and column.recoding.prints_values:
        exact: pl.Series = column.domain.values[cells.low.tolist()].alias(column.name)
        return exact
    return pl.Series(column.name, column.recoding.labels(cells), dtype=pl.String)
