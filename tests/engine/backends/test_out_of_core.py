"""What Spark has no use for is refused, not passed over."""

from __future__ import annotations

from typing import Any

import pytest

from shoal.engine.backends.out_of_core import refuse_words
from shoal.errors import InputError


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"seed": 0}, "'seed' cannot be used"),
        ({"population": "people.csv"}, "'population' cannot be used"),
        ({"audit": "thorough"}, "run shoal audit on it"),
        ({"budget": "10s"}, "'budget' cannot be used"),
        ({"roles": "suggested"}, "roles cannot be suggested"),
    ],
)
def test_words_that_would_be_ignored_are_refused(words: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        refuse_words(words)


def test_defaults_are_taken_out_and_the_rest_stays() -> None:
    words = {"seed": None, "audit": "quick", "certify": False, "delimiter": ";", "metric": "lm"}
    words["roles"] = "given"
    refuse_words(words)
    assert words == {"delimiter": ";", "metric": "lm"}
