"""The published values of a group: one per column for all its records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError

Aggregate = Literal["mean", "median", "mode", "geometric"]
_MICROSECONDS = 86_400_000_000
_OFTEN = "number of rows"


def aggregated(table: Table, groups: Groups, aggregate: Aggregate) -> Release:
    """The release in which every record has the aggregates of its group. O(rows · columns · log rows).

    Groups with the same aggregate in a column have the same cell there, the smallest permitted one around all their
    values: nobody can tell these groups apart, so nothing more is known about a record.
    """
    cells = tuple(
        _cells(column, codes, groups, aggregate) for column, codes in zip(table.quasi, table.codes, strict=True)
    )
    shapes = np.repeat(np.arange(len(groups), dtype=np.int32), groups.sizes)
    return Release(table, groups.members, shapes, cells)


def refuse_aggregate(column: QuasiColumn, aggregate: Aggregate) -> None:
    """Raise InputError if a column has no geometric mean."""
    domain = column.domain
    present = domain.occurs & (np.arange(domain.n_leaves) != domain.missing)
    if aggregate == "geometric" and domain.kind == "numeric" and (domain.points[present] <= 0).any():
        raise InputError(
            f"The column {column.name!r} has values that are not above 0, so it has no geometric mean; use mean."
        )


def _cells(column: QuasiColumn, codes: Codes, groups: Groups, aggregate: Aggregate) -> Cells:
    """One cell for each group, numbered by the published value."""
    values = _values(column, codes, groups, aggregate)
    distinct = values.unique().sort(nulls_last=True)
    numbers = pl.DataFrame({"value": distinct}).with_row_index("number")
    ids = pl.DataFrame({"value": values}).join(numbers, "value", "left", nulls_equal=True, maintain_order="left")
    of_group = ids["number"].to_numpy().astype(np.int32)
    rows = np.full(codes.size, -1, np.int32)
    rows[groups.members] = np.repeat(of_group, groups.sizes)
    around = column.recoding.enclose(Groups.from_ids(rows, distinct.len()), codes)
    return around.printed_as(distinct.alias(column.name)).take(of_group)


def _values(column: QuasiColumn, codes: Codes, groups: Groups, aggregate: Aggregate) -> pl.Series:
    """The aggregate of each group; missing if all its values are."""
    numbers = np.repeat(np.arange(len(groups)), groups.sizes)
    own = codes[groups.members]
    is_there = own != (-1 if column.domain.missing is None else column.domain.missing)
    order = np.lexsort((own[is_there], numbers[is_there]))
    numbers, own = numbers[is_there][order], own[is_there][order]
    sizes = np.bincount(numbers, minlength=len(groups))
    kind = column.domain.kind
    if kind == "nominal" or aggregate == "mode":
        return _leaves(column, _modes(numbers, own, len(groups)))
    starts = np.cumsum(sizes) - sizes
    if kind == "ordinal":
        middles = np.full(len(groups), -1, np.int64)
        middles[sizes > 0] = own[(starts + (sizes - 1) // 2)[sizes > 0]]
        return _leaves(column, middles)
    points = _LINES[aggregate](column.domain.points[own], numbers, starts, sizes)
    return _as_kind(column, points, sizes > 0)


def _mean(points: Floats, numbers: Offsets, starts: Offsets, sizes: Offsets) -> Floats:
    return np.asarray(np.bincount(numbers, points, sizes.size) / np.maximum(1, sizes))


def _geometric(points: Floats, numbers: Offsets, starts: Offsets, sizes: Offsets) -> Floats:
    return np.exp(_mean(np.log(points), numbers, starts, sizes))


def _median(points: Floats, numbers: Offsets, starts: Offsets, sizes: Offsets) -> Floats:
    middles = np.zeros(sizes.size)
    some = sizes > 0
    low, high = (starts + (sizes - 1) // 2)[some], (starts + sizes // 2)[some]
    middles[some] = (points[low] + points[high]) / 2
    return middles


_LINES: Mapping[Aggregate, Callable[[Floats, Offsets, Offsets, Offsets], Floats]] = {
    "mean": _mean,
    "median": _median,
    "geometric": _geometric,
}
"""Functions from numbers in groups, ascending within each, to one number per group."""


def _modes(numbers: Offsets, own: Codes, n_groups: int) -> Offsets:
    """The most frequent code of each group, the first on ties; −1 if it has none."""
    counted = pl.DataFrame({"group": numbers, "code": own}).group_by("group", "code").agg(pl.len().alias(_OFTEN))
    first = counted.sort("group", _OFTEN, "code", descending=[False, True, False]).unique("group", keep="first")
    modes = np.full(n_groups, -1, np.int64)
    modes[first["group"].to_numpy()] = first["code"].to_numpy()
    return modes


def _leaves(column: QuasiColumn, codes: Offsets) -> pl.Series:
    """Values of the column itself."""
    return column.domain.values.gather(pl.Series(codes).replace(-1, None).cast(pl.UInt32))


def _as_kind(column: QuasiColumn, points: Floats, is_there: Flags) -> pl.Series:
    """Positions on the line as numbers, or as dates of the column's own type, in whole days if it has no others."""
    known = pl.Series(column.name, points).set(pl.Series(~is_there), None)
    if column.domain.kind == "numeric":
        return known
    dtype, all_days = column.domain.values.dtype, column.domain.points[~np.isnan(column.domain.points)]
    is_whole = bool((all_days == np.floor(all_days)).all())
    moments = ((known.round() if is_whole else known) * _MICROSECONDS).round().cast(pl.Int64).cast(pl.Datetime("us"))
    if dtype == pl.String:
        return moments.dt.strftime("%Y-%m-%d" if is_whole else "%Y-%m-%d %H:%M:%S%.f")
    return moments.cast(dtype)
