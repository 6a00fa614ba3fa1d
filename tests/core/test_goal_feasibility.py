"""Goals that no release of a table can meet are refused with what all rows in one class would reach."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal

PEOPLE = pl.DataFrame(
    {"age": list(range(40)), "ill": ["flu", "gout"] * 20, "pay": [1000 + i for i in range(40)]},
)
ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill", "pay"]}
LOCAL = ["mondrian", "hilbert", "lexicographic", "agglomerative", "clustering", "forest", "microaggregation"]


@pytest.mark.parametrize("algorithm", LOCAL)
def test_the_promise_and_what_is_reached_are_named_and_how_to_ask_for_less(algorithm: str) -> None:
    promises = [shoal.KAnonymity(2), shoal.TCloseness(0.4, of="ill")]
    with pytest.raises(shoal.GoalNotMet) as refused:
        shoal.anonymize(PEOPLE, **ROLES, privacy=promises, algorithm=algorithm, quick=True)
    assert str(refused.value) == (
        "0.4-closeness of ill is more than this table can give: all rows in one class reach 0.5; ask for nothing "
        "stricter than that. With others=ignore, sensitive columns are judged one by one, not among rows that agree on "
        "the others."
    )


def test_what_it_says_helps() -> None:
    promises = [shoal.KAnonymity(2), shoal.TCloseness(0.4, of="ill", others="ignore")]
    assert shoal.anonymize(PEOPLE, **ROLES, privacy=promises, quick=True).verdicts[1].holds
