"""Completes the settings of a run by what an inspection suggests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from shoal.engine.inspecting import Examined, examined
from shoal.engine.vocabulary import AnonymizeWords
from shoal.errors import InputError

_ROLES = ("identifiers", "quasi_identifiers", "sensitive", "others")
_SAID = (*_ROLES, "masked")


def with_suggestions(
    words: AnonymizeWords, data: Any, suggest: Callable[[Examined], dict[str, Any]] = attrgetter("words")
) -> tuple[AnonymizeWords, tuple[str, ...]]:
    """The settings completed by suggestions, and what was found, for the notes.

    Settings that were given stay: a role, a column's date format, a privacy model. ``suggest`` chooses the suggestions
    for an inspected table; by default those of the inspection.

    Raises:
        InputError: a person has to decide something, or no column is a quasi-identifier.
    """
    seen = examined(data, words)
    said = {name: getattr(words, name) for name in words.model_fields_set}
    said = {name: value for name, value in said.items() if value != AnonymizeWords.model_fields[name].default}
    open_questions = [
        one.question for one in seen.found.advice if one.question and not _is_answered(one.columns, words)
    ]
    if open_questions:
        raise InputError(
            f"You have to decide: {' '.join(open_questions)} Or let shoal inspect --write-job write a job file, "
            "and change it."
        )
    suggested = suggest(seen)
    named = {name for role in _SAID for name in said.get(role, ())}
    named |= {said.get("person"), said.get("sample_weight")}
    for role in _ROLES:
        kept = [name for name in suggested.get(role, []) if name not in named]
        suggested[role] = (*said.get(role, ()), *kept)
    if suggested.get("person") in named:
        suggested.pop("person", None)
    together = {name: _joined(value, said.get(name)) for name, value in suggested.items()}
    asked = AnonymizeWords.said({**said, **together, "auto": False})
    if not asked.quasi_identifiers:
        raise InputError(
            "You have to decide: no column looks like a quasi-identifier; name those that others may know."
        )
    return asked, tuple(one.what for one in seen.found.advice)


def _is_answered(columns: tuple[str, ...], words: AnonymizeWords) -> bool:
    """Whether a setting answers the question: a date format, unit or spelling, or that the columns are dropped."""
    settled = {*words.dates, *words.units, *words.spellings, *words.identifiers}
    return all(name in settled for name in columns)


def _joined(suggested: Any, said: Any) -> Any:
    """Merge a suggestion with a given value, which wins; column by column if they are mappings."""
    if said is None or not said:
        return suggested
    if isinstance(said, Mapping) and isinstance(suggested, Mapping) and "k" not in suggested:
        return {**suggested, **said}
    return suggested if isinstance(suggested, tuple) else said
