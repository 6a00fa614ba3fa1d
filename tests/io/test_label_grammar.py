"""Labels taken apart: what is seen at once is what the patterns say."""

from __future__ import annotations

import itertools

import pytest

from shoal.core.hierarchy import MISSING
from shoal.io.label_grammar import _MEMBER, _RANGE, _VALUE, _unquoted, parse_label


def by_patterns(label: str) -> tuple[str, tuple[str | None, ...]]:
    """The same by the patterns alone."""
    if _VALUE.fullmatch(label):
        return "value", (_unquoted(label),)
    if ends := _RANGE.fullmatch(label):
        return "range", (_unquoted(ends[1]), _unquoted(ends[2]))
    found: list[str | None] = []
    at = 1
    while label[:1] == "{" and label[-1:] == "}" and at < len(label) - 1:
        member = _MEMBER.match(label, at)
        if member is None:
            return "value", (label,)
        found.append(None if member[1] == MISSING else _unquoted(member[1]))
        at = member.end()
    return ("set", tuple(found)) if found else ("value", (label,))


@pytest.mark.parametrize("around", ["[]", "{}", '""', "[}"])
def test_labels_are_taken_apart_as_the_patterns_say(around: str) -> None:
    for length in range(6):
        for inner in itertools.product('a.,] "}', repeat=length):
            label = around[0] + "".join(inner) + around[1]
            parsed = parse_label(label)
            assert (parsed.what, parsed.texts) == by_patterns(label), label


def test_the_patterns_tell_quoted_members_and_the_missing_value() -> None:
    assert by_patterns('{a, "b, c", (missing)}') == ("set", ("a", "b, c", None))
    assert parse_label("{a, (missing)}").texts == ("a", None)
