"""What is wrong with a table, and the words that put it right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Advice:
    """One thing that was found: what it is, in a sentence, and the words of ``anonymize`` that put it right.

    Where only a person can decide, ``question`` says what; the words are then the likelier answer, or none.
    """

    columns: tuple[str, ...]
    what: str
    words: Mapping[str, Any] = field(default_factory=dict)
    question: str = ""


def merged(words: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Several sets of words in one: mappings and lists are joined, of single values the first stays.

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
