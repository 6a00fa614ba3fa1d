"""A problem of a table, and the settings that fix it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Advice:
    """One finding: the problem in a sentence, and the settings of ``anonymize`` that fix it (``words``).

    Where only a person can decide, ``question`` says what; the settings are then the likelier answer, or empty.
    """

    columns: tuple[str, ...]
    what: str
    words: Mapping[str, Any] = field(default_factory=dict)
    question: str = ""


def merged(words: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge several sets of settings: mappings and lists are joined; of single values the first is kept.

    >>> merged([{"dates": {"a": "iso"}, "fold": ["x"]}, {"dates": {"b": "iso"}, "fold": ["x", "y"]}])
    {'dates': {'a': 'iso', 'b': 'iso'}, 'fold': ['x', 'y']}
    """
    found: dict[str, Any] = {}
    for one in words:
        for word, value in one.items():
            if isinstance(value, Mapping):
                found[word] = merged([found.get(word, {}), value])
            elif isinstance(value, list):
                found[word] = list(dict.fromkeys([*found.get(word, []), *value]))
            else:
                found.setdefault(word, value)
    return found
