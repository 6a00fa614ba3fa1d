"""A recoding that is learned once and applied to new rows later: how it is saved and read, and takes new values."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from shoal import models
from shoal.core import builders
from shoal.core.contracts import PrivacyModel
from shoal.core.domain import Domain
from shoal.core.hierarchy import Hierarchy
from shoal.core.node import chosen_levels
from shoal.core.schema import HierarchyBuilder
from shoal.engine.file_formats import RECODING
from shoal.engine.verified_release import VerifiedRelease, options_of
from shoal.errors import InputError
from shoal.io.hierarchies import parse_hierarchy
from shoal.io.kinds import guess_kind
from shoal.io.location import check_regular


def recoding_text(result: VerifiedRelease) -> str:
    """The recoding of a full-domain release as JSON: roles, levels, hierarchies, models. For internal use only.

    Raises:
        InputError: the release does not have one level per column, so its recoding does not fit other rows.
    """
    levels = chosen_levels(result.release)
    if levels is None:
        raise InputError(
            "Only a full-domain release has a recoding that fits other rows; "
            "publish with the algorithm 'lattice', 'samarati' or 'incognito'."
        )
    if result.preparation.says_something:
        raise InputError(
            "A saved recoding is applied to rows as they are, and this run prepares them first (top, rounding, …); "
            "save the prepared table as a file and anonymize that, or leave out save_recoding."
        )
    table, schema = result.release.table, result.schema
    nested = {column.name: (column.domain, getattr(column.recoding, "hierarchy", None)) for column in table.quasi}
    nested |= {column.name: (column.domain, column.hierarchy) for column in table.sensitive}
    said = {
        "format": RECODING.mark,
        **{role: list(getattr(schema, role)) for role in ("identifiers", "quasi_identifiers", "sensitive")},
        "others": [n for n in table.passengers.columns if n not in (*schema.sensitive, *schema.masked)],
        "masked": list(schema.masked),
        "levels": list(levels),
        "hierarchies": {
            name: _rows(domain, tree) for name, (domain, tree) in nested.items() if name in schema.hierarchies and tree
        },
        "builders": {
            name: data for name, made in schema.hierarchies.items() if (data := builder_data(made)) is not None
        },
        "kinds": dict(schema.kinds),
        "orders": {name: list(order) for name, order in schema.orders.items()},
        "recodings": dict(schema.recodings),
        "missing": schema.missing,
        "person": schema.person,
        "sample_weight": schema.sample_weight,
        "adjust_weights": schema.adjust_weights,
        "privacy": [{"promise": one.as_said.name, **options_of(one.as_said)} for one in result.goal.promises],
        "suppression_limit": result.goal.suppression_limit,
        "metric": result.goal.metric.name,
    }
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def read_recoding(path: Path) -> dict[str, Any]:
    """Read a file written by ``recoding_text``.

    Raises:
        InputError: it is missing, cannot be read, or is not a recoding.
    """
    check_regular(path)
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"There is no recoding {str(path)!r}.") from None
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder; give the file that --save-recoding wrote.") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as problem:
        raise InputError(f"The recoding {str(path)!r} cannot be read: {problem}.") from None
    if not isinstance(said, dict):
        raise InputError(f"{str(path)!r} is not a recoding; make one with --save-recoding.")
    return RECODING.read(said, repr(str(path)))


def promise_of(entry: dict[str, Any]) -> PrivacyModel:
    """The saved privacy model."""
    values = dict(entry)
    made: PrivacyModel = models.ALL[values.pop("promise")](**values)
    return made


def _rows(domain: Domain, tree: Hierarchy) -> list[list[str]]:
    """The hierarchy without the missing value, which is added automatically."""
    return [row for leaf, row in enumerate(tree.to_rows()) if leaf != domain.missing]


_RANGE = re.compile(r"\[(?P<low>[^\[\]()]*?)\.\.(?P<high>[^\[\]()]*?)(?P<end>[\])])")


def builder_data(made: Hierarchy | HierarchyBuilder) -> dict[str, Any] | None:
    """The parameters of a builder, as in a job file; None for an explicit hierarchy."""
    name = next((name for name, builder in builders.BUILDERS.items() if isinstance(made, builder)), None)
    if name is None or not dataclasses.is_dataclass(made) or isinstance(made, type):
        return None
    said = {one.name: value for one in dataclasses.fields(made) if (value := getattr(made, one.name)) != one.default}
    return {"builder": name, **said}


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
