"""How models are written on the command line and in job files: ``3``, ``3:entropy:disease``, ``0.4,3:values=HIV``."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shoal.core.parameters import real_number
from shoal.errors import InputError


@dataclass(frozen=True)
class Spelled:
    """The parts of a text: the numbers, a word that the model knows, the column, and options."""

    numbers: str
    word: str | None
    of: str | None
    options: Mapping[str, str]


def take_apart(text: str, words: Collection[str] = (), options: Collection[str] = ()) -> Spelled:
    """Split at colons: numbers first, then in any order one of ``words``, ``option=value`` and the column.

    A column with the name of a word or an option is written as ``of=…``; a column name may contain colons.

    >>> take_apart("3:entropy:disease", words=("entropy",))
    Spelled(numbers='3', word='entropy', of='disease', options={})
    """
    numbers, *parts = text.split(":")
    word, column, said = None, [], {}
    for part in parts:
        key, is_option, value = part.partition("=")
        if is_option and key in (*options, "of", "others"):
            said[key] = value
        elif part in words and word is None:
            word = part
        else:
            column.append(part)
    of = said.pop("of", None) or ":".join(column) or None
    return Spelled(numbers, word, of, said)


def two_numbers(name: str, example: str, text: str) -> tuple[Any, Any]:
    """The two parts of ``0.4,3``, as texts."""
    first, comma, second = text.partition(",")
    if not (comma and first and second):
        raise InputError(f"{name} must be two numbers such as {example}, got {text!r}.")
    return first, second


def positive_number(name: str, value: object, most: float = math.inf) -> float:
    """``value`` as a number above 0 and at most ``most``."""
    number = real_number(name, value, least=-math.inf)
    if not 0 < number <= most:
        bounds = "above 0" if math.isinf(most) else f"above 0 and at most {most:g}"
        raise InputError(f"{name} must be {bounds}, got {number:g}.")
    return number


def one_of(name: str, value: str, known: Collection[str]) -> str:
    """``value``, after checking that it is known."""
    if value not in known:
        raise InputError(f"{name} must be one of {', '.join(known)}, got {value!r}.")
    return value


def words_of(name: str, value: str | Iterable[str]) -> tuple[str, ...]:
    """A tuple of one text or of several."""
    return (value,) if isinstance(value, str) else tuple(value)
