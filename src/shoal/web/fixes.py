"""Findings of the import doctor as buttons: what each would change, whether that was done, and doing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.engine.vocabulary import Reading
from shoal.io.inspect.column_values import merged
from shoal.web.column_words import ROLE_WORDS, SINGLE_ROLES
from shoal.web.receiving import read_again
from shoal.web.session import Session

_LABELS = {
    "dates": "Convert the dates",
    "missing_codes": "Read as missing",
    "missing_values": "Read as missing",
    "spellings": "Merge the spellings",
    "fold": "Merge the spellings",
    "units": "Drop the unit",
    "decimal": "Read as numbers",
    "thousands": "Read as numbers",
    "skip_rows": "Skip these rows",
    "header_rows": "Join the header rows",
    "identifiers": "Drop the column",
    "person": "Count people by this column",
    "sample_weight": "Use it as sample weight",
    "orders": "Use this order",
    "hierarchies": "Use this hierarchy",
    "others": "Publish as it is",
}
"""The label of a fix, by the setting it changes."""

_ROLES = {word: role for role, word in ROLE_WORDS.items()}
_SINGLE = {word: role for role, word in SINGLE_ROLES.items()}


def label_of(words: Mapping[str, Any]) -> str:
    """The label of the button for a fix; empty if only a person can decide."""
    return _LABELS.get(next(iter(words)), "Apply") if words else ""


def ready(session: Session) -> list[dict[str, Any]]:
    """Findings that are not fixed yet and can be fixed without a decision."""
    found = (session.table.inspection or {}).get("advice", ())
    return [one for one in found if one["words"] and not one["question"] and not is_done(session, one["words"])]


def with_those_before(session: Session, one: dict[str, Any]) -> dict[str, Any]:
    """The settings of a fix and of those it depends on: dates can be read only if their marks for missing are known."""
    known = ready(session)
    before = known[: known.index(one)] if one in known else []
    return merged([one["words"], *(other["words"] for other in before if {*other["columns"]} & {*one["columns"]})])


def is_done(session: Session, words: Mapping[str, Any]) -> bool:
    """Whether all settings of a fix have been applied."""
    return bool(words) and all(_is_said(session, word, value) for word, value in words.items())


def _is_said(session: Session, word: str, value: Any) -> bool:
    if word in _ROLES:
        return all(session.table.role(name) == _ROLES[word] for name in value)
    said = (session.words.get("reading", {}) if word in Reading.model_fields else session.words).get(word)
    if isinstance(value, Mapping):
        return all((said or {}).get(name) == one for name, one in value.items())
    return {*value} <= {*(said or [])} if isinstance(value, list) else said == value


async def fix(session: Session, words: Mapping[str, Any]) -> None:
    """Apply what the doctor advises; if that changes how the table is read, it is read again.

    Raises:
        InputError: the table cannot be read with these settings.
    """
    reading = {word: value for word, value in words.items() if word in Reading.model_fields}
    if reading:
        wanted = merged([reading, session.words.get("reading", {})])
        await read_again(session, wanted)
        session.reading.update(wanted)
    for word, value in words.items():
        if word in _ROLES:
            for name in value:
                session.set_role(name, _ROLES[word])
        elif word in _SINGLE:
            session.set_role(str(value), _SINGLE[word])
        elif word not in reading:
            session.change({**session.words, word: {**session.words.get(word, {}), **value}})
