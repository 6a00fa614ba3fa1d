"""Writing the subset of TOML that job files need."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping


def to_toml(said: Mapping[str, object]) -> str:
    """Write texts, numbers, Booleans, lists and nested mappings as TOML.

    >>> print(to_toml({"k": 5, "groups": {"a b": ["x", "y"]}}), end="")
    k = 5
    <BLANKLINE>
    [groups]
    "a b" = ["x", "y"]
    """
    return "\n".join(_lines(said, ())) + "\n"


def _lines(said: Mapping[str, object], above: tuple[str, ...]) -> Iterator[str]:
    """Plain values first, then a section for each mapping."""
    for key, value in said.items():
        if not isinstance(value, Mapping):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in said.items():
        if isinstance(value, Mapping):
            yield ""
            yield f"[{'.'.join(map(_key, (*above, key)))}]"
            yield from _lines(value, (*above, key))


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: object) -> str:
    """JSON writes texts, numbers and Booleans as TOML does, except for one character."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
