"""Whether a printed cell holds an original value."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from redteam.case import Column, Value, as_text

Holds = Callable[[Value], bool]

_RANGE = re.compile(r'\[("(?:[^"\\]|\\.)*"|.*?)\.\.("(?:[^"\\]|\\.)*"|.*)\]', re.DOTALL)
_MEMBER = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$)', re.DOTALL)
_MISSING = "(missing)"


def holds(column: Column, cell: str | None) -> Holds:
    """The values that a cell of a column stands for, by how it is printed.

    A column in which no cell had to grow is printed as it was, so a cell always stands for the value it looks like.
    """
    read = _read(column, cell)
    return lambda value: same(column.type, value, cell) or read(value)


def _read(column: Column, cell: str | None) -> Holds:
    if cell is None:
        return lambda value: value is None or value == ""
    nodes = _nodes(column)
    if column.tree is not None and cell in nodes:
        leaves, is_root = nodes[cell]
        return lambda value: (is_root and value is None) or any(same(column.type, value, leaf) for leaf in leaves)
    if cell == "*":
        return lambda value: True
    if column.tree is None and cell.startswith("{") and cell.endswith("}"):
        members = [_plain(member) for member in _MEMBER.findall(cell[1:-1]) if member]
        return lambda value: any(_is_member(column.type, value, *member) for member in members)
    found = _RANGE.fullmatch(cell) if column.tree is None else None
    if found:
        low, high = (order(column.type, _plain(end)[0]) for end in found.groups())
        return lambda value: value is not None and _within(low, order(column.type, as_text(value)), high)
    if column.tree is None and cell.startswith('"') and cell.endswith('"') and len(cell) > 1:
        return lambda value: same(column.type, value, _plain(cell)[0])
    return lambda value: False


def _within(low: Any, value: Any, high: Any) -> bool:
    try:
        return bool(low <= value <= high)
    except TypeError:
        return False


def _is_member(kind: str, value: Value, member: str, is_quoted: bool) -> bool:
    if member == _MISSING and not is_quoted and value is None:
        return True
    return same(kind, value, member)


def _plain(said: str) -> tuple[str, bool]:
    """A text without its quotes, and whether it had any."""
    if len(said) > 1 and said[0] == said[-1] == '"':
        return re.sub(r"\\(.)", r"\1", said[1:-1], flags=re.DOTALL), True
    return said, False


def _nodes(column: Column) -> dict[str, tuple[set[str], bool]]:
    """The labels of a hierarchy, the leaves below each, and whether it is the root, which holds missing values too."""
    found: dict[str, tuple[set[str], bool]] = {}
    for row in column.tree or []:
        for label in row:
            leaves, is_root = found.get(label, (set(), False))
            found[label] = (leaves | {row[0]}, is_root or label == row[-1])
    return found


def same(kind: str, value: Value, said: str | None) -> bool:
    """Whether an original value and a printed one are the same value of that type."""
    if value is None or value == "" or said is None:
        return value in (None, "") and said in (None, "")
    if as_text(value) == said:
        return True
    return kind != "text" and order(kind, as_text(value)) == order(kind, said)


def normal(kind: str, said: str | None) -> str | None:
    """One text for each value of a type, however it is written."""
    if not said:
        return None
    found = said if kind == "text" else order(kind, said)
    return str(found + 0 if isinstance(found, Decimal) else found)


def order(kind: str, said: str) -> Any:
    """What values of a type are ordered by: exact numbers and moments; else the text."""
    try:
        if kind in ("date", "datetime"):
            return dt.datetime.fromisoformat(said)
        return Decimal(said).normalize()
    except (InvalidOperation, ValueError):
        return said
