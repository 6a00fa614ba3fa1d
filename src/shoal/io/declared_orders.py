"""The orders that a table in memory declares for its categories."""

from __future__ import annotations

from typing import Any

import polars as pl


def declared_orders(native: Any) -> dict[str, list[str]]:
    """Per column the categories in order: polars Enum, pandas ordered Categorical, pyarrow ordered dictionaries.

    >>> declared_orders(pl.DataFrame({"size": pl.Series(["L"], dtype=pl.Enum(["S", "L"]))}))
    {'size': ['S', 'L']}
    """
    if isinstance(native, pl.LazyFrame):
        native = native.collect_schema().to_frame()
    if isinstance(native, pl.DataFrame):
        return {name: list(kind.categories) for name, kind in native.schema.items() if isinstance(kind, pl.Enum)}
    module = type(native).__module__.partition(".")[0]
    return {"pandas": _of_pandas, "pyarrow": _of_arrow}.get(module, lambda table: {})(native)


def _of_pandas(native: Any) -> dict[str, list[str]]:
    kinds = {str(name): kind for name, kind in native.dtypes.items() if getattr(kind, "ordered", False)}
    return {name: [str(one) for one in kind.categories] for name, kind in kinds.items()}


def _of_arrow(native: Any) -> dict[str, list[str]]:
    ordered = [one.name for one in native.schema if getattr(one.type, "ordered", False)]
    return {name: [str(one) for one in native[name].unify_dictionaries().chunk(0).dictionary] for name in ordered}
