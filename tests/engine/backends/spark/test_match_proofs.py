"""What tasks say about who fits what is true, and enough; needs no Spark."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shoal.algorithms import Concealment, Mondrian, NonHomogeneous
from shoal.core.contracts import Algorithm, CountedMatches, PrivacyModel, Verdict
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.engine.backends.spark.match_proofs import ARROW, is_wanted, tells_ways, witnesses
from shoal.models import KK, KConcealment, KOne, OneK, UniformMatching
from support.effort import examples
from support.strategies import partitions, tables
from support.tables import coded, goal_of, partitioned

CONCEALMENT = Concealment(linkage=1, steps=2)


def _fits(release: Release, row: int, record: int) -> bool:
    shape = release.shapes[record]
    return all(
        release.table.codes[j, row] in cells.leaves(int(cells.ids[shape])) for j, cells in enumerate(release.cells)
    )


def _pairs(release: Release, seen: list[dict[str, Any]]) -> set[tuple[int, int]]:
    """Every pair that is named or on a way, once it is sure that it fits; records called by their owners."""
    record_of = {int(owner): record for record, owner in enumerate(release.owners)}
    pairs = {(row, each["row"]) for each in seen for row in each["rows"]}
    pairs |= {(each["row"], each["up"]) for each in seen if each["up"] is not None}
    pairs |= {(each["down"], each["row"]) for each in seen if each["down"] is not None}
    assert all(_fits(release, row, record_of[record]) for row, record in pairs)
    return pairs


def _check_ways(seen: list[dict[str, Any]]) -> None:
    rows = {each["row"]: each for each in seen}
    for part in {each["part"] for each in seen}:
        members = [each for each in seen if each["part"] == part]
        assert [each["row"] for each in members if each["up"] == each["row"]] == [
            each["row"] for each in members if each["down"] == each["row"]
        ]
        assert sum(each["up"] == each["row"] for each in members) == 1
    for each in seen:
        for way in ("up", "down"):
            following = rows[each[way]]
            assert following["part"] == each["part"]
            assert following is each or following[f"{way}_rank"] < each[f"{way}_rank"]


def _seen(release: Release, goal: Any, algorithm: Algorithm) -> list[dict[str, Any]]:
    frame = witnesses(release, goal, algorithm, 7)
    made = frame.to_struct("x").to_arrow(compat_level=None).cast(ARROW)
    return list(made.to_pylist())


@given(st.data())
@settings(max_examples=examples(2.5))
def test_pairs_and_ways_of_any_release(data: st.DataObject) -> None:
    table: Table = data.draw(tables(14))
    k = data.draw(st.integers(1, 4))
    if data.draw(st.booleans()):
        release = partitioned(table, data.draw(partitions(table.n_rows, may_suppress=True)))
        assume(release.n_records > 0)
    else:
        assume(table.n_rows >= k)
        release = CONCEALMENT.run(table, goal_of(KConcealment(k), KK(k)), Randomness(1), Silent())
    promises = [KConcealment(k), KK(k), OneK(k), KOne(k), KConcealment(k, "rows")]
    for promise in promises:
        seen = _seen(release, goal_of(promise), CONCEALMENT)
        pairs = _pairs(release, seen)
        if isinstance(promise, KConcealment):
            _check_ways(seen)
            parts = {each["row"]: each["part"] for each in seen}
            pairs = {(row, record) for row, record in pairs if parts[row] == parts[record]}
        of_rows = min(sum(row == each["row"] for row, _ in pairs) for each in seen)
        of_records = min(sum(record == each["row"] for _, record in pairs) for each in seen)
        sides = {"one-k-anonymity": [of_rows], "k-one-anonymity": [of_records]}.get(promise.name, [of_rows, of_records])
        if getattr(promise, "side", "both") == "rows":
            sides = [of_rows]
        assert (min(sides) >= k) == promise.check(release).holds


@given(tables(20), st.integers(2, 4))
@settings(max_examples=examples(1))
def test_named_matches(table: Table, k: int) -> None:
    assume(table.n_rows >= k)
    goal = goal_of(UniformMatching(k))
    release = NonHomogeneous().run(table, goal, Randomness(1), Silent())
    pairs = _pairs(release, _seen(release, goal, NonHomogeneous()))
    for each in release.owners.tolist():
        assert sum(row == each for row, _ in pairs) == sum(record == each for _, record in pairs) >= k


def test_who_needs_witnesses() -> None:
    assert is_wanted(NonHomogeneous())
    assert is_wanted(CONCEALMENT)
    assert not is_wanted(Mondrian())


class Foreign(PrivacyModel):
    """A model of another package that requires the matches of one of ours."""

    name = flag = summary = "foreign"

    def __init__(self, own: PrivacyModel) -> None:
        self._own = own

    @property
    def counted_matches(self) -> CountedMatches | None:
        """Those of our model."""
        return self._own.counted_matches

    def check(self, release: Release) -> Verdict:
        """Judge by our model."""
        return self._own.check(release)

    @classmethod
    def parse(cls, text: str) -> PrivacyModel:
        """Not needed here."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "foreign"


@pytest.mark.parametrize("own", [KConcealment(2), KConcealment(2, "records"), KK(2), OneK(2), KOne(2)])
def test_models_are_asked_what_they_count_not_what_they_are(own: PrivacyModel) -> None:
    release = partitioned(coded({"a": [1, 1, 2, 2, 3, 3]}, ["a"]), [[0, 1, 2], [3, 4, 5]])
    assert tells_ways(goal_of(Foreign(own))) == isinstance(own, KConcealment)
    seen, wanted = (_seen(release, goal_of(model), CONCEALMENT) for model in (Foreign(own), own))
    assert seen == wanted
    assert sum(len(each["rows"]) for each in seen) >= 2 * release.n_records
