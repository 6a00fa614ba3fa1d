"""Values that look the same and are not."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.io.lookalike_values import notes_on_variants

NFC, NFD = "caf\u00e9", "cafe\u0301"
FRAME = pl.DataFrame({"q": ["a"] * 4, "ill": [NFC, NFD, "flu", "flu "], "n": [1, 2, 3, 4]})
WORDS: dict[str, Any] = {"quasi_identifiers": ["q"], "sensitive": ["ill"], "privacy": [shoal.LDiversity(3)]}


def test_they_are_said_and_can_be_made_one() -> None:
    (note,) = notes_on_variants(FRAME, ["ill", "n"])
    assert "'flu' and 'flu '" in note
    assert "anonymize with fold = ['ill'] (--fold)" in note
    folded = shoal.fold(FRAME, ["ill", "n"])
    assert folded["ill"].to_list() == [NFC, NFC, "flu", "flu"]
    assert notes_on_variants(folded, ["ill"]) == []


def test_a_promise_that_rests_on_them_says_so() -> None:
    found = shoal.verify(FRAME, **WORDS)
    assert found.holds
    assert any("differ only in blanks" in note for note in found.notes)
    assert not shoal.verify(shoal.fold(FRAME, ["ill"]), **WORDS).holds
    made = shoal.anonymize(FRAME, others=["n"], seed=1, **WORDS)
    assert any("differ only in blanks" in note for note in made.notes)
    audit = shoal.audit_release(FRAME, FRAME, quasi_identifiers=["q"], sensitive=["ill"], attacks=["homogeneity"])
    assert any("differ only in blanks" in note for note in audit.notes)


def test_the_same_kind_of_frame_comes_back() -> None:
    folded = shoal.fold(pd.DataFrame({"ill": ["a ", "a", None]}), ["ill"])
    assert isinstance(folded, pd.DataFrame)
    assert folded["ill"].tolist()[:2] == ["a", "a"]
    with pytest.raises(shoal.InputError, match="Did you mean 'ill'"):
        shoal.fold(FRAME, ["il"])


def test_anonymize_folds_on_request() -> None:
    table = pl.DataFrame({"q": ["a", "a", "b", "b"], "ill": ["flu", "flu ", "gout", "flu"]})
    words: dict[str, Any] = {"quasi_identifiers": ["q"], "sensitive": ["ill"], "privacy": {"l": 2}, "quick": True}
    assert set(shoal.anonymize(table, **words).frame["q"]) == {"a", "b"}
    folded = shoal.anonymize(table, fold=["ill"], **words)
    assert set(folded.frame["q"]) == {"*"}
    assert sorted(folded.frame["ill"]) == ["flu", "flu", "flu", "gout"]
