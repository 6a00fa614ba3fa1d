"""Fixes are tried out before anybody decides: the mildest that helps, and what it costs."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.engine.release_findings import ReleaseFinding, findings, fixes, try_fixes
from shoal.engine.verified_release import VerifiedRelease
from shoal.errors import InputError

LADDER = (("l", "2"), ("l", "3"), ("l", "4"))
N = 40
FRAME = pl.DataFrame(
    {
        "age": [30 + i // 4 for i in range(N)],
        "ill": ["x" if i < 4 else "abcd"[i % 4] for i in range(N)],
        "seen": [f"2020-01-{1 + i % 4:02}" for i in range(N)],
    }
)
WORDS: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "others": ["seen"], "privacy": {"k": 4}}


def run(words: dict[str, Any]) -> VerifiedRelease:
    return shoal.anonymize(FRAME, **words, quick=True, seed=1)


def found(words: dict[str, Any]) -> dict[str, ReleaseFinding]:
    return {one["key"]: ReleaseFinding.of(one) for one in findings(run(words))}


def test_only_what_is_stronger_than_now_is_tried() -> None:
    finding = ReleaseFinding("homogeneity:ill", "", promises=LADDER)
    assert [fix.words["privacy"] for fix in fixes(finding, {"privacy": {"k": 4}})] == [
        {"k": 4, "l": 2}, {"k": 4, "l": 3}, {"k": 4, "l": 4},
    ]  # fmt: skip
    assert [fix.words["privacy"]["l"] for fix in fixes(finding, {"privacy": {"l": "3:entropy"}})] == [4]
    by_form = {"l": {"l": 3.0, "kind": "entropy"}}
    assert [fix.words["privacy"]["l"] for fix in fixes(finding, {"privacy": by_form})] == [4]
    assert [fix.title for fix in fixes(finding, {"privacy": {"l": 3}})] == ["Ask for 4-diversity"]
    mixed = ReleaseFinding("skewness:ill", "", promises=(("l", "2.2:frequency"), ("t", "0.3"), ("t", "0.2")))
    assert [fix.title for fix in fixes(mixed, {"privacy": {"l": 3, "t": 0.3}})] == ["Ask for 0.2-closeness"]
    assert next(fixes(mixed, {"privacy": {"k": 2}})).title == "Ask for frequency 2.2-diversity"
    closer = ReleaseFinding("skewness:ill", "", promises=(("t", "0.3"), ("t", "0.2")))
    assert [fix.words["privacy"]["t"] for fix in fixes(closer, {"privacy": {"t": 0.25}})] == [0.2]


def test_the_words_that_were_said_are_left_as_they_are() -> None:
    words = {"others": ["seen"], "privacy": {"k": 4}}
    list(fixes(ReleaseFinding("dates:seen", "", promises=LADDER, columns=("seen",)), words))
    assert words == {"others": ["seen"], "privacy": {"k": 4}}


def test_the_mildest_fix_that_helps_is_found_with_its_cost() -> None:
    before = found(WORDS)
    tried = try_fixes([before["homogeneity:ill"]], WORDS, run)
    assert tried.is_gone
    assert tried.words["privacy"]["l"] == 2
    assert tried.after["loss"] > tried.before["loss"]
    assert "homogeneity:ill" not in found(tried.words)


def test_of_exact_dates_only_the_year_is_published() -> None:
    tried = try_fixes([found(WORDS)["dates:seen"]], WORDS, run)
    assert tried.is_gone
    assert tried.words["bands"] == {"seen": "year"}
    assert not run(tried.words).frame["seen"].cast(pl.String).str.contains("-").any()


def test_everything_is_fixed_one_after_the_other() -> None:
    tried = try_fixes([*found(WORDS).values()], WORDS, run)
    assert tried.is_gone
    assert tried.n_left == len(found(tried.words)) == 0


def test_what_no_privacy_model_stops_is_said() -> None:
    with pytest.raises(InputError, match="No privacy model stops this"):
        try_fixes([ReleaseFinding("definetti:ill", "")], WORDS, run)
