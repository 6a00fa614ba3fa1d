"""Suggesting roles: for one column by its values, then by its name; for similar columns together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shoal.core.schema import Role
from shoal.io.inspect import hints
from shoal.io.inspect.identifier_patterns import looks_like_a_person, mostly, recognise
from shoal.io.inspect.profile import Profile

NEARLY_UNIQUE = 0.95
"""Above this share of distinct among non-missing values, a column identifies its rows."""

SINGLED_OUT = 0.05
"""One row in twenty: the share from which columns count as singling people out."""

_ENOUGH_ROWS = 20
_MANY_VALUES = 0.3
_SOME_VALUES = 0.1
_MANY_CODES = 0.2

_NUMBERED = re.compile(r"(.*?)_?\d+_?(.*)")
_SMALL = re.compile(r"1?\d")
_FEWEST_ALIKE, _VERY_MANY, _MOST_VALUES, _FEWEST_ROWS = 4, 40, 24, 50
"""How many columns are alike if their names differ in a number, or just by small integers; how many values each may
have, and how many rows there must be."""


@dataclass(frozen=True)
class RoleSuggestion:
    """A role, and a short reason."""

    role: Role
    reason: str
    is_free_text: bool = False


def suggest(column: Profile) -> RoleSuggestion | None:
    """Suggest a role for a column by itself; None if other columns must be considered.

    In this order: by values and name (``suggest_by_content``); values that nearly all differ; values that single out
    rows by themselves.
    """
    return suggest_by_content(column) or _role_by_numbers(column)


def suggest_by_content(column: Profile) -> RoleSuggestion | None:
    """Suggest a role by a column's values and name, regardless of the number of rows.

    In this order: values in the format of an identifier; a constant column; a name that suggests an identifier,
    confirmed by the values; free text; a name that suggests sensitive or quasi-identifier; dates.
    """
    if column.n_distinct == 0:
        return RoleSuggestion("other", "every value is missing")
    if label := recognise(column.sample):
        return RoleSuggestion("identifier", f"the values look like {label}")
    if column.n_distinct == 1 and column.n_missing == 0:
        return RoleSuggestion("other", "constant")
    name = hints.normal(column.name)
    return _identifier_by_name(column, name) or _free_text(column, name) or _role_by_name(column, name)


def _identifier_by_name(column: Profile, name: str) -> RoleSuggestion | None:
    """Recognize a person's name, or another identifier's name over many different values."""
    is_a_name = hints.has(hints.PERSON_NAMES, name) or hints.is_any(hints.PEOPLE, name)
    names_people = is_a_name and not hints.has(hints.NOT_PEOPLE, name)
    if names_people and column.kind == "nominal" and mostly(looks_like_a_person, column.sample):
        return RoleSuggestion("identifier", "the name and the values suggest names of people")
    if names_people and column.kind == "nominal" and column.distinction > _MANY_VALUES:
        return RoleSuggestion("identifier", "the name suggests names of people")
    if column.kind == "date" or hints.starts_with(hints.FLAGS, name):
        return None
    label = hints.find(hints.IDENTIFIERS, name)
    if label and column.distinction > _MANY_VALUES:
        return RoleSuggestion("identifier", f"the name suggests {label}")
    if hints.has(hints.GENERIC_IDS, name) and not column.is_measured and column.distinction > _SOME_VALUES:
        return RoleSuggestion("identifier", "the name suggests an id, and its values are many")
    return None


def _free_text(column: Profile, name: str) -> RoleSuggestion | None:
    """Recognize free text, which may name anybody: it is neither generalized nor published unchanged.

    A column named like notes need not have a new value in most rows: a person with several rows may have the same note
    in each.
    """
    is_called_so = column.kind == "nominal" and hints.has(hints.NOTES, name)
    are_notes = is_called_so and 2 * sum(" " in text.strip() for text in column.sample) >= len(column.sample) > 0
    if not column.is_free_text and not (are_notes and column.distinction > _SOME_VALUES):
        return None
    return RoleSuggestion("identifier", "free text, which may name people; best dropped", is_free_text=True)


def _role_by_name(column: Profile, name: str) -> RoleSuggestion | None:
    """Sensitive or quasi-identifier by the lists of hints; ages and dates are never sensitive."""
    is_age_or_date = column.kind == "date" or hints.starts_with(hints.AGES_AND_DATES, name)
    if not is_age_or_date and (label := hints.find(hints.SENSITIVE, name)):
        return RoleSuggestion("sensitive", f"the name suggests {label}")
    if label := hints.find(hints.QUASI, name):
        return RoleSuggestion("quasi-identifier", f"the name suggests {label}")
    if is_age_or_date:
        return RoleSuggestion("quasi-identifier", "a date, which others may know")
    return None


def _role_by_numbers(column: Profile) -> RoleSuggestion | None:
    """Identifier or quasi-identifier by how well the values distinguish rows."""
    if column.n_present >= _ENOUGH_ROWS and column.distinction > NEARLY_UNIQUE and column.are_names:
        return RoleSuggestion("identifier", f"nearly unique: {column.distinction:.1%} of its values differ")
    if column.n_present >= _ENOUGH_ROWS and column.are_codes and column.distinction > _MANY_CODES:
        return RoleSuggestion("identifier", f"{column.n_distinct:,} different codes, as keys are written")
    if column.n_unique >= SINGLED_OUT * column.n_rows:
        share = column.n_unique / column.n_rows
        return RoleSuggestion("quasi-identifier", f"singles out {share:.0%} of rows on its own")
    return None


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
        name = hints.normal(column.name)
        if column.n_rows < _FEWEST_ROWS or not 1 < column.n_distinct <= _MOST_VALUES or _says_more(name):
            continue
        if part := _NUMBERED.fullmatch(name):
            groups[part[1], part[2], column.kind].append(column)
        if all(_SMALL.fullmatch(text) for text in column.sample):
            groups["small whole numbers",].append(column)
    return [group for key, group in groups.items() if len(group) >= (_FEWEST_ALIKE if len(key) > 1 else _VERY_MANY)]


def _says_more(name: str) -> bool:
    return any(hints.find(table, name) for table in (hints.IDENTIFIERS, hints.SENSITIVE, hints.QUASI))
