r"""Parsing the labels that shoal prints: the inverse of ``Recoding.label``.

A label is a single value, ``[first..last]``, ``{a, b}`` or a star. A value that could be mistaken for something else,
or whose end would be ambiguous, is in double quotes, with a backslash before quotes and backslashes inside.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from shoal.core.hierarchy import MISSING, STAR

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_BARE_END = r'(?!")(?:(?!\.\.).)*?[^.\]]'
_VALUE = re.compile(_QUOTED, re.S)
_RANGE = re.compile(rf"\[({_QUOTED}|{_BARE_END})\.\.({_QUOTED}|{_BARE_END})\]", re.S)
_MEMBER = re.compile(rf'({_QUOTED}|[^,"{{}}]+)(?:, |(?=\}}$))', re.S)
_NO_END = ("", ".", "]")


class Parsed(NamedTuple):
    """A label's parts: the value, the two ends, the members (None for the missing value) or nothing for a star."""

    what: Literal["value", "range", "set", "any"]
    texts: tuple[str | None, ...] = ()


def parse_label(label: str) -> Parsed:
    """Parse a label that shoal printed without a hierarchy.

    >>> parse_label('{a, "b, c"}').texts, parse_label("[17..30]").texts, parse_label('"*"').texts
    (('a', 'b, c'), ('17', '30'), ('*',))
    """
    if label == STAR:
        return Parsed("any")
    if label[:1] == '"' and _VALUE.fullmatch(label):
        return Parsed("value", (_unquoted(label),))
    if label[:1] == "[" and (ends := _ends(label)):
        return Parsed("range", ends)
    if label[:1] == "{" and label[-1:] == "}" and (members := _members(label)):
        return Parsed("set", members)
    return Parsed("value", (label,))


def _ends(label: str) -> tuple[str, ...]:
    """The ends of a range; empty if it cannot be parsed. Without quotes they can be split directly."""
    low, _, high = label[1:-1].partition("..")
    if (
        '"' not in label
        and label[-1] == "]"
        and ".." not in high
        and low[-1:] not in _NO_END
        and high[-1:] not in _NO_END
    ):
        return low, high
    ends = _RANGE.fullmatch(label)
    return (_unquoted(ends[1]), _unquoted(ends[2])) if ends else ()


def _members(label: str) -> tuple[str | None, ...]:
    """The members of a set; empty if it cannot be parsed. Without quotes they can be split directly."""
    inner = label[1:-1]
    plain = inner.split(", ")
    if '"' not in inner and "{" not in inner and "}" not in inner and inner.count(",") < len(plain) and "" not in plain:
        return tuple(plain) if MISSING not in plain else tuple(None if text == MISSING else text for text in plain)
    found: list[str | None] = []
    at = 1
    while at < len(label) - 1:
        member = _MEMBER.match(label, at)
        if member is None:
            return ()
        found.append(None if member[1] == MISSING else _unquoted(member[1]))
        at = member.end()
    return tuple(found)


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.S) if text[:1] == '"' else text
