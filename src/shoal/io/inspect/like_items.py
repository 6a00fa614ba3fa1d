"""Groups of similar columns: answers to a list of questions, or the same amount month by month."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from shoal.io.inspect.hints import IDENTIFIERS, QUASI, SENSITIVE, find, normal
from shoal.io.inspect.profile import Profile
from shoal.io.inspect.roles import RoleSuggestion

_FEWEST = 4
_NUMBERED = re.compile(r"(.*?)_?\d+_?(.*)")
_SMALL = re.compile(r"1?\d")
_MOST_VALUES = 24
_VERY_MANY = 40
_FEWEST_ROWS = 50


def alike(columns: Sequence[Profile], suggestions: Mapping[str, RoleSuggestion]) -> dict[str, RoleSuggestion]:
    """Suggest one role for similar columns, each of which by itself might be a quasi-identifier only by chance.

    All get the role found if at least half of them have one; otherwise none does, since nobody knows another's answers
    to a list of questions. Columns with a telling name are left out, and so are tables with few rows.
    """
    found: dict[str, RoleSuggestion] = {}
    for group in _groups(columns):
        telling = [suggestions[c.name] for c in group if c.name in suggestions]
        if 2 * len(telling) >= len(group):
            said = telling[0]
        else:
            said = RoleSuggestion("other", f"one of {len(group)} like items, which others hardly know")
        found |= {column.name: said for column in group if column.name not in found}
    return found


def _groups(columns: Sequence[Profile]) -> list[list[Profile]]:
    """Group columns whose names differ only in a number, and, if very many, those of few small integers."""
    groups: dict[tuple[str, ...], list[Profile]] = defaultdict(list)
    for column in columns:
        name = normal(column.name)
        if column.n_rows < _FEWEST_ROWS or not 1 < column.n_distinct <= _MOST_VALUES or _says_more(name):
            continue
        if part := _NUMBERED.fullmatch(name):
            groups[part[1], part[2], column.kind].append(column)
        if all(_SMALL.fullmatch(text) for text in column.sample):
            groups["small whole numbers",].append(column)
    return [group for key, group in groups.items() if len(group) >= (_FEWEST if len(key) > 1 else _VERY_MANY)]


def _says_more(name: str) -> bool:
    return any(find(table, name) for table in (IDENTIFIERS, SENSITIVE, QUASI))
