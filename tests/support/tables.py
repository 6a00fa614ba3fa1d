"""Small tables from plain columns, and what can be done to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from shoal.core.contracts import Goal, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import SensitiveColumn, Table
from shoal.io.encode import encode
from shoal.metrics import LM


def coded(columns: Mapping[str, Sequence[object]], quasi: Sequence[str], **schema: Any) -> Table:
    """The table with these columns; ``schema`` takes what Schema takes."""
    frame = pl.DataFrame({name: pl.Series(name, list(values)) for name, values in columns.items()})
    return encode(frame, Schema(quasi_identifiers=tuple(quasi), **schema)).table


def single(values: Sequence[object], name: str = "q", **schema: Any) -> Table:
    """A table of one quasi-identifier."""
    return coded({name: values}, [name], **schema)


def groups_of(lists: Sequence[Sequence[int]]) -> Groups:
    """Groups from lists of rows."""
    offsets = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return Groups(offsets, np.array([row for rows in lists for row in rows], np.int32))


def lists_of(groups: Groups) -> list[list[int]]:
    """Groups as lists of rows."""
    return [groups.of(group).tolist() for group in range(len(groups))]


def sets_of_rows(groups: Groups) -> set[frozenset[int]]:
    """A partition as a set of sets, whatever the order in which it was found."""
    return {frozenset(rows) for rows in lists_of(groups)}


def partitioned(table: Table, lists: Sequence[Sequence[int]]) -> Release:
    """The release in which each list of rows shares its cells; rows in no list are suppressed."""
    return Release.from_groups(table, groups_of(lists))


def goal_of(*promises: PrivacyModel) -> Goal:
    """A goal with these promises."""
    return Goal(promises, LM())


def reordered(table: Table, rows: Sequence[int], columns: Sequence[int]) -> Table:
    """The same table with rows and quasi-identifiers in another order."""
    picked = np.array(rows, np.int32)
    return replace(
        table,
        quasi=tuple(table.quasi[column] for column in columns),
        codes=np.ascontiguousarray(table.codes[list(columns)][:, picked]),
        sensitive=tuple(SensitiveColumn(c.domain, c.codes[picked], c.hierarchy) for c in table.sensitive),
        passengers=table.passengers[picked] if table.passengers.width else table.passengers,
    )
