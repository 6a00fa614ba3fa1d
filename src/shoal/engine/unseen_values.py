"""Places values in a saved hierarchy that did not occur when it was saved."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core import builders
from shoal.core.hierarchy import Hierarchy
from shoal.core.schema import HierarchyBuilder
from shoal.errors import InputError
from shoal.io.hierarchies import parse_hierarchy
from shoal.io.kinds import guess_kind

_RANGE = re.compile(r"\[(?P<low>[^\[\]()]*?)\.\.(?P<high>[^\[\]()]*?)(?P<end>[\])])")


def builder_data(made: Hierarchy | HierarchyBuilder) -> dict[str, Any] | None:
    """The parameters of a builder, as in a job file; None for an explicit hierarchy."""
    name = next((name for name, builder in builders.BUILDERS.items() if isinstance(made, builder)), None)
    if name is None or not dataclasses.is_dataclass(made) or isinstance(made, type):
        return None
    said = {field.name: getattr(made, field.name) for field in dataclasses.fields(made)}
    return {"builder": name, **{key: value for key, value in said.items() if value != _default(made, key)}}


def covering(name: str, rows: Sequence[Sequence[str]], builder: dict[str, Any] | None, values: pl.Series) -> Hierarchy:
    """The saved hierarchy with the new values that it has a place for.

    First the builder that made it is run again, and its result used if every old value keeps its place. Otherwise a
    value goes into the lowest range that contains it, such as ``[90..]``. Other values stay unknown.
    """
    known = {row[0] for row in rows}
    new = [text for text in values.cast(pl.String).drop_nulls().unique(maintain_order=True) if text not in known]
    if new and builder is not None and (built := _built(name, rows, builder, new)) is not None:
        return built
    placed = [row for text in new if (row := _placed(text, rows)) is not None]
    return Hierarchy.from_rows([*rows, *placed], name)


def _built(name: str, rows: Sequence[Sequence[str]], builder: dict[str, Any], new: Sequence[str]) -> Hierarchy | None:
    """The hierarchy of old and new values; None if the builder would move old ones or cannot take new ones."""
    texts = [*(row[0] for row in rows), *new]
    made = parse_hierarchy(builder, Path(), name)
    try:
        tree = made if isinstance(made, Hierarchy) else made.build(name, texts, guess_kind(pl.Series(texts)))
    except InputError:
        return None
    found = {row[0]: row for row in tree.to_rows()}
    return tree if all(found.get(row[0]) == list(row) for row in rows) else None


def _placed(text: str, rows: Sequence[Sequence[str]]) -> list[str] | None:
    """The row of a value: itself up to the lowest range around it, then the labels above that range."""
    for level in range(1, len(rows[0]) - 1):
        for row in rows:
            if _holds(row[level], text):
                return [text] * level + list(row[level:])
    return None


def _holds(label: str, text: str) -> bool:
    """Whether a range of numbers or dates contains the value."""
    found = _RANGE.fullmatch(label)
    if found is None:
        return False
    ends = (found["low"], text, found["high"])
    if all(re.fullmatch(r"\d{4}-\d\d(-\d\d)?", end) for end in ends if end):
        low, value, high = ends[0], ends[1], ends[2] or "9"
        return low <= value and (value <= high or value.startswith(high))
    try:
        low_end, value_, high_end = (float(end) if end else None for end in ends)
    except ValueError:
        return False
    assert value_ is not None
    is_below = high_end is None or (value_ <= high_end if found["end"] == "]" else value_ < high_end)
    return is_below and (low_end is None or low_end <= value_)


def _default(made: Any, name: str) -> Any:
    return next(field.default for field in dataclasses.fields(made) if field.name == name)
