"""From a publication to the frame that people get."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.core.cells import Cells
from shoal.core.release import Publication, free_name
from shoal.core.table import QuasiColumn


def to_frame(publication: Publication) -> pl.DataFrame:
    """The published table. O(records · columns + labels).

    Where records have buckets this is the first of two tables: the bucket's number stands for the sensitive values.
    A column in which every cell is exact keeps its type and values; any other becomes text, with missing values
    still missing.
    """
    columns = {
        column.name: _publish_column(column, cells)
        for column, cells in zip(publication.quasi, publication.cells, strict=True)
    }
    columns |= {series.name: series for series in publication.passengers}
    if publication.buckets is not None:
        columns[publication.order[-1]] = pl.Series(publication.order[-1], publication.buckets + 1)
    return pl.DataFrame([columns[name] for name in publication.order])


def to_sensitive_frame(publication: Publication) -> pl.DataFrame | None:
    """The second table where records have buckets: how often each sensitive value occurs in each; else None."""
    if publication.buckets is None:
        return None
    names, bucket = list(publication.sensitive), publication.order[-1]
    number = free_name("count", [bucket, *names])
    values = publication.passengers.select(pl.Series(bucket, publication.buckets + 1), *names)
    return values.group_by(bucket, *names).agg(pl.len().alias(number)).sort(bucket, *names, nulls_last=True)


def _publish_column(column: QuasiColumn, cells: Cells) -> pl.Series:
    if cells.printed is not None:
        distinct = cells.printed
    elif (cells.sizes == 1).all() and cells.levels is None and column.recoding.prints_values:
        distinct = column.domain.values[cells.low.tolist()]
    else:
        texts = [column.recoding.label(cells, cell) for cell in range(cells.n_distinct)]
        distinct = pl.Series(column.name, texts, dtype=pl.String)
    published: pl.Series = distinct.gather(cells.ids.astype(np.uint32)).alias(column.name)
    return published
