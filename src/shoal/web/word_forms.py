"""Forms for settings of the vocabulary: which page has each, its label, and conversion of typed values."""

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
    "protect": ("policy",),
    "cost_settings": ("suppression_limit", "metric", "missing", "cells", "population", "weights", "recodings"),
    "search_settings": ("algorithm", "seed", "refine", "budget", "certify", "certify_budget", "audit", "memory"),
    "lattice": ("levels",),
}  # fmt: skip
"""Settings with a special form, by page. All others, including new ones, get generic fields."""

_MADE = {name for names in OWN_FORMS.values() for name in names}


def label(name: str) -> str:
    """The label of a setting."""
    return Job.vocabulary()[name].label


def reading_words() -> list[Word]:
    """The import options with generic fields."""
    return [one for name, one in Reading.vocabulary().items() if name not in _MADE]


def other_words() -> list[Word]:
    """The settings of a job with generic fields, other than import options."""
    apart = {*_MADE, *OWN, *ELSEWHERE, *Reading.model_fields}
    return [one for name, one in Job.vocabulary().items() if name not in apart]


def value_of(known: Word, typed: str | Sequence[str] | bool) -> Any:
    """Convert typed input to the value in a job file; None if it is empty."""
    if isinstance(typed, bool):
        return typed or None
    if isinstance(typed, str):
        return _number(typed) if known.form == "number" else typed or None
    if known.form in ("names", "several", "algorithms"):
        return list(typed) or None
    return dict(_pair(known, one) for one in typed) or None


def texts_of(said: Any) -> list[str]:
    """The values of a setting as texts for a list of fields."""
    return [f"{name}={value}" for name, value in said.items()] if isinstance(said, Mapping) else list(said or ())


def is_list(known: Word) -> bool:
    """Whether a setting takes several values."""
    return known.form not in ("text", "number", "flag")


def _number(typed: str) -> int | float | str | None:
    """Convert to a number if possible; anything else is left to the job, which accepts or refuses it."""
    try:
        return int(typed) if typed.strip().isdecimal() else float(typed)
    except ValueError:
        return typed or None


def _pair(known: Word, typed: str) -> tuple[str, str]:
    name, equals, value = typed.partition("=")
    if not equals:
        raise InputError(f"{known.label}: write each as {known.metavar or 'NAME=VALUE'}, got {typed!r}.")
    return name.strip(), value.strip()
