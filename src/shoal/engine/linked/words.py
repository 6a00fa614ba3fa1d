"""The settings for several tables that belong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.core.schema import Schema
from shoal.engine.plan import schema_from
from shoal.engine.vocabulary import (
    COLUMNS,
    OUTPUT,
    ByPolicy,
    Coarsening,
    Data,
    Reading,
    Recodings,
    RoleWords,
    Searched,
    Unrecoded,
)
from shoal.engine.words import word
from shoal.errors import InputError, did_you_mean


class TableWords(Unrecoded, RoleWords, Recodings, Coarsening, Reading):
    """The settings of one of several tables."""

    input: Data = word("The table: a file, the address of a database table, or a frame.", OUTPUT, names_inputs=True)
    output: str | None = word("Where its release goes: .csv, .tsv, .parquet, .arrow, .feather or .xlsx.", OUTPUT, None)
    key: str | None = word(
        "The column by which other tables name its rows; it is published with fresh random keys.", COLUMNS, None
    )
    links: Mapping[str, str] = word(
        "The column that names rows of another table by their key, and that table: {patient_id = 'patients'}.",
        COLUMNS, {}, form="pairs",
    )  # fmt: skip

    @property
    def link(self) -> tuple[str, str] | None:
        """The column that refers to another table, and that table; None if the rows are people."""
        return next(iter(self.links.items()), None)

    def key_columns(self) -> tuple[str, ...]:
        """The columns that get fresh keys, the table's own first."""
        return tuple(dict.fromkeys(name for name in (self.key, *self.links) if name is not None))

    def role_of(self, column: str) -> str | None:
        """The setting that gives a column a role besides being a key, if any."""
        roles = ("quasi_identifiers", "sensitive", "others", "masked")
        return next((role for role in roles if column in getattr(self, role)), None)

    def roles_of_columns(self, folder: Path) -> Schema:
        """The roles of its columns; keys are not published unchanged."""
        return replace(
            schema_from(self, folder), identifiers=tuple(dict.fromkeys((*self.identifiers, *self.key_columns())))
        )


class TablesWords(Searched, ByPolicy):
    """The settings of ``anonymize_tables``."""


class TablesJob(TablesWords):
    """The settings of a job file for several tables. Paths are relative to the file."""

    tables: Mapping[str, Any] = word("The tables by name, each with its words, as [tables.visits].", COLUMNS)


def tables_said(tables: Mapping[str, Any]) -> dict[str, TableWords]:
    """The settings of each table, people first and every table after the one it refers to.

    Raises:
        InputError: no table or several have people as rows, or a link leads nowhere or in a circle.
    """
    said = {name: TableWords.said(words, f"The table {name!r}") for name, words in tables.items()}
    roots = [name for name, words in said.items() if not words.links]
    if len(roots) != 1:
        raise InputError(
            "One table must have one row per person, and all others must link to it, directly or through another; "
            f"tables without links: {', '.join(map(repr, roots)) or 'none'}. Add links = {{ patient_id = 'patients' }} "
            "to the others."
        )
    for name, words in said.items():
        _check_links(name, words, said)
    placed = dict.fromkeys(roots)
    while len(placed) < len(said):
        ready = [name for name, words in said.items() if name not in placed and words.link and words.link[1] in placed]
        if not ready:
            raise InputError(f"The links of {', '.join(repr(n) for n in said if n not in placed)} go in a circle.")
        placed |= dict.fromkeys(ready)
    return {name: said[name] for name in placed}


def _check_links(name: str, words: TableWords, said: Mapping[str, TableWords]) -> None:
    if len(words.links) > 1:
        raise InputError(f"The table {name!r} links to {len(words.links)} tables; each may link to only one.")
    for column, other in words.links.items():
        if other not in said:
            raise InputError(f"The table {name!r} links to {other!r}, which does not exist.{did_you_mean(other, said)}")
        if said[other].key is None:
            raise InputError(f"The table {name!r} links to {other!r} by {column!r}, but {other!r} has no key; name it.")
