"""Describes a release for programs as a Frictionless data package, without any original data."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from shoal.core.contracts import Algorithm, Verdict
from shoal.core.hierarchy import Hierarchy
from shoal.core.schema import Schema
from shoal.core.table import QuasiColumn
from shoal.io.location import Location
from shoal.io.masking import MASKING
from shoal.io.place import place_at
from shoal.io.preparation import Preparation
from shoal.io.text_layout import TextLayout, types_as_read

_LABELS = (
    "A value stands for itself, [a..b] for any value from a to b, {a, b} for one of those, * for any value at all."
)
_AGGREGATE = "Every value is the aggregate (a mean, unless another was asked for) of its group of records."
_FORMS: Mapping[str, str] = {
    "bounds": "The least and the greatest value that the cell allows.",
    "codes": "Codes of labels; the table of codes says which. " + _LABELS,
    "center": "The middle of the cell, or the smallest group of the hierarchy around it.",
    "sampled": "Drawn at random from inside the cell: it need not be the value of any person.",
}
_MASKED = f"Published with what names people in it replaced by marks such as [NAME]. {MASKING}"
_ROLES = {
    "quasi-identifier": "Recoded so that the promises hold.",
    "sensitive": "Published unchanged; the records are shuffled.",
    "other": "Published unchanged; the records are shuffled.",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Described:
    """The facts about the columns of a release besides their printed values.

    ``published`` are the columns that were coded or passed on. ``printed`` maps each quasi-identifier to its printed
    columns if cells are not labels, ``forms`` to their form. ``levels`` has the hierarchy level of each
    quasi-identifier if it is the same for all records; ``aggregated`` are columns whose cells are means of groups.
    """

    schema: Schema
    quasi: Sequence[QuasiColumn]
    published: Collection[str]
    preparation: Preparation = field(default_factory=Preparation)
    printed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)
    levels: Sequence[int] | None = None
    aggregated: Collection[str] = ()

    def fields(self, columns: Mapping[str, pl.DataType]) -> list[dict[str, Any]]:
        """The fields of a printed table: type, role, treatment, and the hierarchy level if there is one."""
        owners = {one: own for own, names in self.printed.items() for one in names}
        return [
            {"name": name, "type": _type(dtype), **self._told(owners.get(name, name))}
            for name, dtype in columns.items()
        ]

    def _told(self, name: str) -> dict[str, Any]:
        if name not in self.published:
            return {}
        role = self.schema.role(name)
        told: dict[str, Any] = {"role": role, "description": _MASKED if name in self.schema.masked else _ROLES[role]}
        if name in self.preparation.told:
            told["prepared"] = " ".join(self.preparation.told[name])
        places = {column.name: place for place, column in enumerate(self.quasi)}
        return told | (self._recoded(places[name]) if name in places else {})

    def _recoded(self, place: int) -> dict[str, Any]:
        """The meaning of a quasi-identifier's cells; levels of a builder are left out, as they depend on the values."""
        column, name = self.quasi[place], self.quasi[place].name
        meaning = _AGGREGATE if name in self.aggregated else _FORMS.get(self.forms.get(name, ""), _LABELS)
        told: dict[str, Any] = {
            "description": f"{_ROLES['quasi-identifier']} {meaning}",
            "kind": column.domain.kind,
            "recoding": column.recoding.name,
        }
        given = self.schema.hierarchies.get(name)
        if isinstance(given, Hierarchy):
            told["hierarchy_levels"] = given.n_levels
        if column.recoding.has_labels and self.levels is not None:
            told["published_level"] = self.levels[place]
        return told


class Packaged(Protocol):
    """What a package needs to know about a run on any backend."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts of the privacy models."""

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm that made the release."""

    @property
    def described(self) -> Described:
        """The columns."""


def datapackage(
    ran: Packaged,
    tables: Mapping[str, pl.LazyFrame],
    output: Location | None,
    package: Path | None = None,
    layout: TextLayout | None = None,
) -> str:
    """The JSON text: tables with the types of their columns, the treatment of each, and the privacy models.

    Everything comes from the printed tables and the settings. ``tables`` are named by the suffix of their files; that
    of the first is empty. Paths of files are relative to the folder of the ``package``.
    """
    place, described = None if output is None else place_at(output), ran.described
    file = None if place is None else place.path
    resources = []
    for name, rows in tables.items():
        own = None if file is None else place_at(file).beside(name) if name else file
        columns = types_as_read(rows, own, layout)
        about = described if name != "codes" else replace(described, published=(), printed={})
        resources.append(resource(name or "release", {"fields": about.fields(columns)}, own, package, layout))
    preparation = described.preparation
    return package_text(
        "release" if place is None else Path(place.name).stem,
        resources,
        ran.verdicts,
        algorithm=ran.algorithm.name,
        **({"sampling": preparation.sampling} if preparation.sampling else {}),
        **({"caveats": list(preparation.caveats)} if preparation.caveats else {}),
    )


def package_text(name: str, resources: Sequence[Mapping[str, Any]], verdicts: Sequence[Verdict], **more: Any) -> str:
    """A package of these resources as JSON, with the privacy models that hold for them together."""
    package = {
        "profile": "tabular-data-package",
        "name": spelled(name),
        "resources": list(resources),
        "promises": [verdict.title for verdict in verdicts],
        **more,
    }
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def resource(
    name: str, schema: Mapping[str, Any], file: Path | None, package: Path | None, layout: TextLayout | None = None
) -> dict[str, Any]:
    """One table: its file relative to the package, the layout of the file, and the schema."""
    said: dict[str, Any] = {"name": spelled(name), "profile": "tabular-data-resource"}
    schema = {**schema, "missingValues": [""]}
    if file is not None:
        ending, laid_out = file.suffix.lower(), layout or TextLayout()
        said |= {"path": _path(file, package), "format": ending.lstrip(".")}
        if ending in (".csv", ".tsv"):
            said |= {"encoding": laid_out.encoding or "utf-8", "dialect": {"delimiter": laid_out.mark(ending)}}
        if laid_out.decimal:
            mark = {"decimalChar": laid_out.decimal}
            schema["fields"] = [one | (mark if one["type"] == "number" else {}) for one in schema["fields"]]
    return {**said, "schema": schema}


def _path(file: Path, package: Path | None) -> str | list[str]:
    """A path relative to the package's folder; only the name if the file is elsewhere. A folder has several parts."""
    if file.is_dir():
        return [f"{file.name}/{part.name}" for part in sorted(file.glob("*.parquet"))]
    folder = file.parent if package is None else package.parent
    try:
        return file.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        return file.name


def spelled(name: str) -> str:
    """A name with only the characters that Frictionless allows."""
    letters = (c if c.isascii() and (c.isalnum() or c in "._") else "-" for c in name.lower())
    return "".join(letters).strip("-") or "release"


def _type(dtype: pl.DataType) -> str:
    """The Table Schema name of a type."""
    if dtype.is_integer():
        return "integer"
    if dtype.is_float():
        return "number"
    named = {pl.Boolean: "boolean", pl.Date: "date", pl.Datetime: "datetime"}
    return next((name for kind, name in named.items() if isinstance(dtype, kind)), "string")
