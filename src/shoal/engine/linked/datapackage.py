"""Describes several published tables as one data package, with the keys that link them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal.core.contracts import Verdict
from shoal.engine.datapackage import package_text, resource, spelled
from shoal.engine.linked.table import PublishedTable
from shoal.io.text_types import types_as_read

_KEY = "A fresh random key, which stands for a row of this table and says nothing of the one it came from."
_LINK = "The fresh key of a row of the table {}."


def tables_package(
    tables: Mapping[str, PublishedTable], verdicts: Sequence[Verdict], files: Mapping[str, Path], package: Path
) -> str:
    """The JSON text: every table with its columns, key and link, and the models that hold for all together."""
    described = [
        resource(name, _schema(one, tables, files[name]), files[name], package) for name, one in tables.items()
    ]
    return package_text(package.name.partition(".")[0], described, verdicts)


def _schema(table: PublishedTable, tables: Mapping[str, PublishedTable], file: Path) -> dict[str, Any]:
    """The columns of a table, with its keys in the terms of Table Schema."""
    words = table.words
    told = {} if words.link is None else {words.link[0]: _LINK.format(repr(words.link[1]))}
    told |= {} if words.key is None else {words.key: _KEY}
    fields = [
        {**field, "description": told[field["name"]]} if field["name"] in told else field
        for field in table.described.fields(types_as_read(table.frame.lazy(), file))
    ]
    schema: dict[str, Any] = {"fields": fields}
    if words.key is not None:
        schema["primaryKey"] = [words.key]
    if words.link is not None:
        column, other = words.link
        reference = {"resource": spelled(other), "fields": [tables[other].words.key]}
        schema["foreignKeys"] = [{"fields": [column], "reference": reference}]
    return schema
