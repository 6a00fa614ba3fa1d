"""Tables in memory: pandas, polars, pyarrow and anything else that narwhals supports."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping
from functools import partial
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.errors import InputError
from shoal.io.column_rules import check_names, fresh, settle

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

Restore = Callable[[pl.DataFrame], object]
"""Converts a polars frame to the type of the input."""

WHERE = "the frame"


def to_polars(native: object, levels: Collection[str] = (), **settling: bool) -> tuple[pl.DataFrame, Restore]:
    """Return the table as a polars frame, and a function that converts back to its own type.

    The index is ignored, except for its ``levels`` that a setting names, which become columns; a pandas frame comes
    back with the index 0, 1, 2, …. Columns named by integers are known by these as texts, and get their names back. A
    polars LazyFrame is collected and comes back lazy. An object that exports an Arrow stream, such as a DuckDB
    relation, is read without a copy and comes back as an Arrow table. Categories become text, and every kind of missing
    value, NaN included, becomes null. The input is not changed. ``settling`` is as for ``settle``. O(cells) at worst.

    Raises:
        InputError: this is not a frame, its columns are not named properly, or a column holds mixed types.
    """
    if isinstance(native, pl.DataFrame):
        return _usable(native, settling), fresh
    if isinstance(native, pl.LazyFrame):
        return _usable(native.collect(), settling), lambda frame: fresh(frame).lazy()
    return _through_narwhals(native, levels, settling)


def _as_arrow(frame: pl.DataFrame) -> pa.Table:
    return fresh(frame).to_arrow(compat_level=pl.CompatLevel.oldest())


def _usable(frame: pl.DataFrame, settling: dict[str, bool]) -> pl.DataFrame:
    check_names(frame.columns, WHERE)
    if not frame.width or not frame.height:
        raise InputError(f"The frame has {frame.width} columns and {frame.height} rows; a table needs both.")
    return settle(frame, **settling)


def _through_narwhals(native: Any, levels: Collection[str], settling: dict[str, bool]) -> tuple[pl.DataFrame, Restore]:
    import narwhals as nw

    try:
        frame = nw.from_native(native, eager_only=True)
    except TypeError:
        if hasattr(native, "__arrow_c_stream__") and not nw.dependencies.is_into_series(native):
            return _usable(pl.DataFrame(native), settling), _as_arrow
        kind = f"{type(native).__module__}.{type(native).__qualname__}"
        raise InputError(f"Give a path or a pandas, polars or pyarrow table, not a {kind}.") from None
    except nw.exceptions.DuplicateError:
        is_arrow = type(native).__module__.startswith("pyarrow")
        check_names(native.column_names if is_arrow else list(native.columns), WHERE)
        raise
    numbers: dict[str, Integral] = {}
    if frame.implementation.is_pandas_like():
        known = [name for name in native.index.names if name in levels and name not in native.columns]
        native = native.reset_index(level=known) if known else native
        numbers = {str(name): name for name in native.columns if isinstance(name, Integral)}
        native = native.rename(columns={name: text for text, name in numbers.items()}) if numbers else native
        check_names(list(native.columns), WHERE)
        _check_objects(native)
        frame = nw.from_native(native, eager_only=True)
    check_names(frame.columns, WHERE)
    return _usable(_convert(frame), settling), partial(_restore, backend=frame.implementation, numbers=numbers)


def _restore(frame: pl.DataFrame, backend: Any, numbers: Mapping[str, Integral]) -> object:
    import narwhals as nw

    native: Any = nw.DataFrame.from_arrow(_as_arrow(frame), backend=backend).to_native()
    return native.rename(columns=numbers) if numbers else native


def _convert(frame: nw.DataFrame[Any]) -> pl.DataFrame:
    """Convert to polars; if that fails, raise an error that names the column."""
    try:
        return frame.to_polars()
    except Exception as error:
        if frame.columns == [name := frame.columns[0]]:
            reason = str(error).split("\n")[0].rstrip(".")
            raise InputError(f"The column {name!r} cannot be read ({reason}); turn it into text or drop it.") from None
        for name in frame.columns:
            _convert(frame.select(name))
        raise


def _check_objects(native: Any) -> None:
    """Refuse columns of Python objects of more than one type; integers and floats may be mixed."""
    for name in native.columns:
        if native[name].dtype == object:
            kinds = sorted({_kind(each) for each in set(map(type, native[name].dropna()))})
            if len(kinds) > 1 and kinds != ["float", "int"]:
                raise InputError(
                    f"The column {name!r} holds values of type {kinds[0]} and of type {kinds[1]}; give it one type."
                )


def _kind(each: type) -> str:
    """The Python type that a type counts as: scalars of numpy and pandas count as Python's."""
    for plain in (bool, str, dt.datetime, dt.date):
        if issubclass(each, plain):
            return plain.__name__
    if issubclass(each, Integral):
        return "int"
    return "float" if issubclass(each, Real) else each.__name__


def declared_orders(native: Any) -> dict[str, list[str]]:
    """The categories of each column in order: polars Enum, pandas ordered Categorical, pyarrow ordered dictionaries.

    >>> declared_orders(pl.DataFrame({"size": pl.Series(["L"], dtype=pl.Enum(["S", "L"]))}))
    {'size': ['S', 'L']}
    """
    if isinstance(native, pl.LazyFrame):
        native = native.collect_schema().to_frame()
    if isinstance(native, pl.DataFrame):
        return {name: list(kind.categories) for name, kind in native.schema.items() if isinstance(kind, pl.Enum)}
    module = type(native).__module__.partition(".")[0]
    if module == "pandas":
        kinds = {str(name): kind for name, kind in native.dtypes.items() if getattr(kind, "ordered", False)}
        return {name: [*map(str, kind.categories)] for name, kind in kinds.items()}
    ordered = [one.name for one in native.schema if getattr(one.type, "ordered", False)] if module == "pyarrow" else []
    return {name: [*map(str, native[name].unify_dictionaries().chunk(0).dictionary)] for name in ordered}
