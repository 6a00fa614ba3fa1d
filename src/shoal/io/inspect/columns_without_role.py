"""Columns to which no role was assigned and that should not be published by oversight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from shoal.core.schema import Role, Schema
from shoal.errors import InputError
from shoal.io.inspect.inspection import suggest_roles
from shoal.io.inspect.partition import NumberedColumn, as_frame
from shoal.io.inspect.profile import profile_of
from shoal.io.inspect.roles import RoleSuggestion, suggest_by_content

MOST_LOOKED_AT = 200_000
"""Number of rows examined at most; fewer rows make columns look more identifying, hardly ever less."""

_FEWEST_ROWS = 10
_MOST_NAMED = 40
_LOOKS: Mapping[Role, str] = {
    "identifier": "which looks like an identifier",
    "quasi-identifier": "which looks like a quasi-identifier",
    "sensitive": "which looks sensitive",
}


def unspoken(frame: pl.DataFrame, schema: Schema) -> dict[str, RoleSuggestion]:
    """Suggest roles for the columns without one, as ``inspect`` would; harmless columns are left out.

    The suggestion depends on the values, the name, and the share of rows that the column singles out by itself or
    together with the quasi-identifiers and similar columns, whatever their roles. With fewer than ten rows nearly
    everything is unique, so only values and names count. A large table is sampled. O(columns without a role, and
    quasi-identifiers).
    """
    names = unnamed(frame.columns, schema)
    if not names:
        return {}
    if frame.height > MOST_LOOKED_AT:
        frame = frame.gather_every(-(-frame.height // MOST_LOOKED_AT))
    numbered = {name: NumberedColumn.of(frame.get_column(name)) for name in names}
    profiles = [profile_of(column) for column in numbered.values()]
    if frame.height < _FEWEST_ROWS:
        found = {column.name: said for column in profiles if (said := suggest_by_content(column))}
    else:
        known = [NumberedColumn.of(frame.get_column(name)) for name in schema.quasi_identifiers]
        together = as_frame([*numbered.values(), *known])
        found, undecided = suggest_roles(together, profiles, schema.quasi_identifiers)
        if any(column.name not in found for column in undecided):
            as_inspected, _ = suggest_roles(together, [*profiles, *map(profile_of, known)])
            found = as_inspected | found
    names = [column.name for column in profiles if column.name in found]
    return {name: found[name] for name in names if found[name].role != "other"}


def unnamed(names: Sequence[str], schema: Schema) -> list[str]:
    """The columns to which no role was assigned."""
    return [name for name in names if not schema.names(name)]


def refuse_unspoken(frame: pl.DataFrame, schema: Schema) -> None:
    """Refuse to publish a column that has no role but looks as if it should have one.

    Raises:
        InputError: names each such column, what it looks like, and what to do.
    """
    found = unspoken(frame, schema)
    if not found:
        return
    shown = [f"{name!r}, {_LOOKS[said.role]} ({said.reason})" for name, said in list(found.items())[:_MOST_NAMED]]
    if len(found) > _MOST_NAMED:
        shown.append(f"and {len(found) - _MOST_NAMED:,} more")
    subject = "1 column has" if len(found) == 1 else f"{len(found):,} columns have"
    raise InputError(
        f"{subject} no role and may identify people: {'; '.join(shown)}. Give {'it' if len(found) == 1 else 'each'} a "
        "role; 'other' publishes it unchanged (others, --others). Or accept the suggested roles "
        '(roles = "suggested", --roles suggested).'
    )
