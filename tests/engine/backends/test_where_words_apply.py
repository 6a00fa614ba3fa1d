"""What a backend has no use for is refused, not passed over; the vocabulary says which words those are."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from shoal.engine.vocabulary import AnonymizeWords
from shoal.engine.words import EVERYWHERE, Where
from shoal.errors import InputError

SPARK: list[tuple[dict[str, Any], str]] = [
    ({"seed": 0}, "'seed' cannot be used.*tasks end in any order"),
    ({"population": "people.csv"}, "'population' cannot be used; give its number of people, leave it out, or run with"),
    ({"population": pl.DataFrame({"age": [1]})}, "'population' cannot be used"),
    ({"audit": "thorough"}, "run shoal audit on it"),
    ({"refine": "search"}, "'refine' cannot be used"),
    ({"roles": "suggested"}, "'roles' cannot be used; run shoal inspect on a sample"),
]
DISK: list[tuple[dict[str, Any], str]] = [
    ({"certify": True}, "With a memory limit 'certify' cannot be used, because it needs all rows at once"),
    ({"audit": "usual"}, "With a memory limit 'audit' cannot be used"),
    ({"query": "SELECT 1"}, "'query' cannot be used"),
]


@pytest.mark.parametrize(
    ("where", "words", "said"), [*(("spark", *case) for case in SPARK), *(("disk", *case) for case in DISK)]
)
def test_words_that_would_be_ignored_are_refused(where: Where, words: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        AnonymizeWords.said(words).refuse_outside(where)
    AnonymizeWords.said(words).refuse_outside("memory")


@pytest.mark.parametrize("where", EVERYWHERE)
def test_defaults_and_what_changes_nothing_may_be_said_everywhere(where: Where) -> None:
    everything = {name: word.default for name, word in AnonymizeWords.vocabulary().items()}
    AnonymizeWords.said(everything).refuse_outside(where)
    words = {
        "population": 1_000,
        "seed": None,
        "audit": "off",
        "certify": False,
        "delimiter": ";",
        "metric": "dm",
        "fold": ["ill"],
    }
    AnonymizeWords.said(words).refuse_outside(where)


def test_a_seed_is_for_this_machine() -> None:
    AnonymizeWords.said({"seed": 3, "roles": "suggested"}).refuse_outside("disk")
