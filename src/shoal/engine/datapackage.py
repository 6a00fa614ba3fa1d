"""The release described for programs: a data package of Frictionless, with nothing in it of the original."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from shoal.engine.published_levels import chosen_levels
from shoal.engine.verified_release import VerifiedRelease
from shoal.io.masking import MASKING
from shoal.io.place import place_at
from shoal.io.places import Location

_LABELS = (
    "A value stands for itself, [a..b] for any value from a to b, {a, b} for one of those, * for any value at all."
)
_AGGREGATE = "Every value is the aggregate (a mean, unless another was asked for) of its group of records."
_FORMS: Mapping[str, str] = {
    "bounds": "The least and the greatest value that the cell allows.",
    "codes": "Codes of labels; the table of codes says which. " + _LABELS,
    "center": "The middle of the cell, or the smallest group of the hierarchy around it.",
    "sampled": "Drawn at random from inside the cell: no value need be anybody's own.",
}
_MASKED = f"Published with what names people in it replaced by marks such as [NAME]. {MASKING}"
_ROLES = {
    "quasi-identifier": "Recoded so that the promises hold.",
    "sensitive": "Published as it was, records shuffled.",
    "other": "Published as it was, records shuffled.",
}


def datapackage(result: VerifiedRelease, output: Location | None) -> str:
    """The JSON text: tables with the types of their columns, what was done to each, and what is promised.

    Everything comes from the printed tables and from what was asked for. Levels of hierarchies are those that the
    labels are printed on.
    """
    name = "release" if output is None else Path(str(place_at(output).name)).stem
    package = {
        "profile": "tabular-data-package",
        "name": "".join(c if c.isalnum() else "-" for c in name.lower()).strip("-") or "release",
        "resources": [_resource(result, output, table, frame) for table, frame in result.tables.items()],
        "promises": [verdict.title for verdict in result.verdicts],
        "algorithm": result.algorithm.name,
        **({"sampling": result.preparation.sampling} if result.preparation.sampling else {}),
        **({"caveats": list(result.preparation.caveats)} if result.preparation.caveats else {}),
    }
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def _resource(result: VerifiedRelease, output: Location | None, table: str, frame: pl.DataFrame) -> dict[str, Any]:
    """One table."""
    fields = [_field(result, series) if table != "codes" else _plain_field(series) for series in frame.iter_columns()]
    said: dict[str, Any] = {"name": table or "release", "profile": "tabular-data-resource"}
    file = None if output is None else place_at(output).path
    if file is not None:
        path = place_at(file).beside(table) if table else file
        said |= {"path": path.name, "format": path.suffix.lstrip(".").lower()}
    return {**said, "schema": {"fields": fields, "missingValues": [""]}}


def _field(result: VerifiedRelease, series: pl.Series) -> dict[str, Any]:
    """One column: its type, its role, what was done to it, and the level of its hierarchy where it has one."""
    columns = {} if result.printed is None else result.printed.columns
    own = next((name for name, printed in columns.items() if series.name in printed), series.name)
    field, role = _plain_field(series), result.schema.role(own)
    if own not in result.release.table.order:
        return field
    field |= {"role": role, "description": _MASKED if own in result.schema.masked else _ROLES[role]}
    if own in result.preparation.told:
        field["prepared"] = " ".join(result.preparation.told[own])
    quasi = {column.name: number for number, column in enumerate(result.release.table.quasi)}
    if own not in quasi:
        return field
    column, cells = result.release.table.quasi[quasi[own]], result.release.cells[quasi[own]]
    meaning = _AGGREGATE if cells.printed is not None else _FORMS.get(result.formed.get(own, ""), _LABELS)
    field |= {"description": f"{_ROLES[role]} {meaning}", "kind": column.domain.kind, "recoding": column.recoding.name}
    if column.recoding.has_labels:
        levels = chosen_levels(result.release)
        field["hierarchy_levels"] = column.recoding.nested.n_levels
        field |= {} if levels is None else {"published_level": levels[quasi[own]]}
    return field


def _plain_field(series: pl.Series) -> dict[str, Any]:
    return {"name": series.name, "type": _type(series.dtype)}


def _type(dtype: pl.DataType) -> str:
    """What Table Schema calls a type."""
    if dtype.is_integer():
        return "integer"
    if dtype.is_float():
        return "number"
    named = {pl.Boolean: "boolean", pl.Date: "date", pl.Datetime: "datetime"}
    return next((name for kind, name in named.items() if isinstance(dtype, kind)), "string")
