"""Hints in the names of columns, held against one expression for each list of words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shoal.io.inspect import hints

LISTS = [
    words
    for name, value in vars(hints).items()
    if name.isupper() and not name.startswith("_") and isinstance(value, str | dict)
    for words in (value.values() if isinstance(value, dict) else [value])
]
PARTS = sorted({part for words in LISTS for part in re.findall("[a-z]+", words)})


def _expression(words: str) -> re.Pattern[str]:
    """All hints in one expression, as slow to compile as it is plain."""
    number = "(?:n|no|nr|num|number|nummer|numero)"
    each = [hint.strip().replace(" ", "_?").replace("*", "[a-z]*").replace("#", number) for hint in words.split(",")]
    return re.compile("_(?:" + "|".join(each) + ")_")


EXPRESSIONS = {words: _expression(words) for words in LISTS}


def _agree(words: str, name: str) -> None:
    expression = EXPRESSIONS[words]
    assert hints.has(words, name) == bool(expression.search(name)), (words, name)
    assert hints.is_any(words, name) == bool(expression.fullmatch(name)), (words, name)
    assert hints.starts_with(words, name) == bool(expression.match(name)), (words, name)


def test_there_are_lists() -> None:
    assert len(LISTS) > 20


@pytest.mark.parametrize("words", LISTS, ids=lambda words: words[:20])
def test_every_word_of_every_list_alone(words: str) -> None:
    for part in PARTS:
        _agree(words, hints.normal(part))
        _agree(words, hints.normal(f"{part} number"))


@given(
    some.lists(some.sampled_from([*PARTS, "no", "nr", "x", "7"]), min_size=1, max_size=4), some.sampled_from(["", "_"])
)
def test_names_of_several_words(parts: list[str], between: str) -> None:
    for words in LISTS:
        _agree(words, f"_{between.join(parts)}_")
