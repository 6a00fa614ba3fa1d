"""Words of the vocabulary as forms have them: which page draws each, what fields call it, what was typed as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.engine.job import Job
from shoal.engine.vocabulary import Coarsening, Reading
from shoal.engine.words import Word
from shoal.errors import InputError
from shoal.web.job_words import ELSEWHERE, OWN

OWN_FORMS: dict[str, tuple[str, ...]] = {
    "upload": ("query",),
    "doctor": ("missing_codes", "dates", "units", "spellings", "fold", "orders"),
    "column_list": (
        "quasi_identifiers", "sensitive", "identifiers", "others", "masked", "person", "sample_weight", "kinds",
        "roles", "auto",  # suggestions are shown there instead
    ),
    "hierarchies": ("hierarchies",),
    "preparation": (*Coarsening.model_fields, "sample_share"),
    "protections": ("privacy",),
    "presets": ("policy",),
    "cost_settings": ("suppression_limit", "metric", "missing", "cells", "population", "weights", "recodings"),
    "search_settings": ("algorithm", "seed", "refine", "budget", "certify", "certify_budget", "audit", "memory"),
    "lattice": ("levels",),
}  # fmt: skip
"""Words with a form made for them, by the page that has it. All others have plain fields, a new word at once."""

_MADE = {name for names in OWN_FORMS.values() for name in names}


def label(name: str) -> str:
    """What a field calls a word."""
    return Job.vocabulary()[name].label


def reading_words() -> list[Word]:
    """The words on how a table is read that have plain fields."""
    return [one for name, one in Reading.vocabulary().items() if name not in _MADE]


def other_words() -> list[Word]:
    """The words of a job that have plain fields, but for those on reading."""
    apart = {*_MADE, *OWN, *ELSEWHERE, *Reading.model_fields}
    return [one for name, one in Job.vocabulary().items() if name not in apart]


def value_of(known: Word, typed: str | Sequence[str] | bool) -> Any:
    """What was typed as a job file would say it; None where nothing was.

    Raises:
        InputError: something per column, or per field, without a ``=``.
    """
    if isinstance(typed, bool):
        return typed or None
    if isinstance(typed, str):
        return _number(typed) if known.form == "number" else typed or None
    if known.form in ("names", "several", "algorithms"):
        return list(typed) or None
    return dict(_pair(known, one) for one in typed) or None


def texts_of(said: Any) -> list[str]:
    """What was said, as a list of fields shows it."""
    return [f"{name}={value}" for name, value in said.items()] if isinstance(said, Mapping) else list(said or ())


def is_list(known: Word) -> bool:
    """Whether several values can be said."""
    return known.form not in ("text", "number", "flag")


def _number(typed: str) -> int | float | str | None:
    """The number that was typed; anything else is left to the job, which refuses it in a sentence or takes a text."""
    try:
        return int(typed) if typed.strip().isdecimal() else float(typed)
    except ValueError:
        return typed or None


def _pair(known: Word, typed: str) -> tuple[str, str]:
    name, equals, value = typed.partition("=")
    if not equals:
        raise InputError(f"{known.label}: write each as {known.metavar or 'NAME=VALUE'}, got {typed!r}.")
    return name.strip(), value.strip()
