"""Edits of a hierarchy, taken and returned as rows: ``[value, level 1, …, root]``, one per value.

Every edit returns new rows; ``Hierarchy.from_rows`` checks whether they still form a hierarchy.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from shoal.core.hierarchy import STAR, Hierarchy
from shoal.errors import InputError

Rows = list[list[str]]


def flat(values: Sequence[str]) -> Rows:
    """Every value under the root, with one level in between for future groups."""
    return [[value, value, STAR] for value in values]


def move(rows: Rows, values: Collection[str], level: int, group: str) -> Rows:
    """Put values into a group of a level; a new group is created where the first of the values is now.

    Above the first level whole groups move: those of the level below that contain the values.

    Raises:
        InputError: the level is that of the values or of the root, or the group has no name.
    """
    _check(rows, level, group)
    moving = {row[level - 1] for row in rows if row[0] in set(values)}
    chosen = {row[0] for row in rows if row[level - 1] in moving}
    known = next((row for row in rows if row[level] == group and row[0] not in chosen), None)
    known = known or next((row for row in rows if row[0] in chosen), None)
    if known is None:
        raise InputError("No value was chosen; choose the values to move.")
    return [_under(row, level, group, known) if row[0] in chosen else list(row) for row in rows]


def rename(rows: Rows, level: int, old: str, new: str) -> Rows:
    """Rename a group of a level; if another group has that name already, the two are merged."""
    _check(rows, level, new)
    known = next((row for row in rows if row[level] == new), None)
    return [_under(row, level, new, known or row) if row[level] == old else list(row) for row in rows]


def add_level(rows: Rows) -> Rows:
    """Add a level below the root, initially with the groups of the level below it."""
    return [[*row[:-1], row[-2], row[-1]] for row in rows]


def remove_level(rows: Rows, level: int) -> Rows:
    """Remove a level between the values and the root."""
    _check(rows, level, "group")
    return [[label for at, label in enumerate(row) if at != level] for row in rows]


def cover(rows: Rows, values: Sequence[str]) -> Rows:
    """Add each value that is not covered yet, directly under the root."""
    known, root, depth = {row[0] for row in rows}, rows[0][-1], len(rows[0])
    return [*map(list, rows), *([value] * (depth - 1) + [root] for value in values if value not in known)]


def as_groups(hierarchy: Hierarchy) -> dict[str, Any] | None:
    """The hierarchy as nested groups, as in job files; None if they would not reproduce it exactly."""
    rows = hierarchy.to_rows()
    groups: dict[str, Any] = {}
    for row in rows:
        above = [label for label in row[1:-1] if label != row[0]] if row[0] in row[1:-1] else row[1:-1]
        if not _place(groups, [*reversed(above)], row[0]):
            return None
    spelled = _with_lists(groups)
    if "builder" in spelled or not all(isinstance(below, dict | list) for below in spelled.values()):
        return None
    return spelled if Hierarchy.from_dict(spelled).to_rows() == rows else None


def _place(groups: dict[str, Any], path: Sequence[str], value: str) -> bool:
    """Put a value at the end of a path of groups; a value without groups becomes a group of its own."""
    at = groups
    for name in path or [value]:
        at = at.setdefault(name, {})
        if at is None:
            return False
    at[value] = None
    return True


def _with_lists(groups: Mapping[str, Any]) -> dict[str, Any]:
    """Turn groups that contain only values into lists."""
    spelled: dict[str, Any] = {}
    for name, below in groups.items():
        if below is None:
            spelled[name] = [name]
        else:
            spelled[name] = [*below] if all(part is None for part in below.values()) else _with_lists(below)
    return spelled


def _under(row: Sequence[str], level: int, group: str, like: Sequence[str]) -> list[str]:
    """The row with the group on its level, and above it the labels of the row ``like``."""
    return [*row[:level], group, *like[level + 1 :]]


def _check(rows: Rows, level: int, group: str) -> None:
    if not 0 < level < len(rows[0]) - 1:
        raise InputError(f"Groups are on the levels 1 to {len(rows[0]) - 2}, got level {level}; add a level first.")
    if not group.strip():
        raise InputError("A group needs a name.")
