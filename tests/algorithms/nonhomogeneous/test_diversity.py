"""Promises about sensitive values hold whatever is drawn."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import assignment as naive
from shoal.algorithms import Freeform, NonHomogeneous
from shoal.core.claims import Promised
from shoal.core.contracts import Algorithm
from shoal.core.diverse_parts import cap, join_until, pieces_for
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.table import Table
from shoal.errors import GoalNotMet
from shoal.io.labels import to_frame
from shoal.kernels.rings import deal_part
from shoal.models import LDiversity, UniformMatching
from support.effort import examples
from support.tables import coded, goal_of, groups_of, lists_of


def sick(values: str, **schema: object) -> Table:
    """Rows with numbers and these sensitive values."""
    return coded({"q": list(range(len(values))), "s": list(values)}, ["q"], sensitive=("s",))


def pools_of_all_draws(release: Release) -> list[list[int]]:
    """For every assignment that the matches allow and every row, the owners of the records it may be."""
    assert release.matches is not None
    rows_of = [set(release.matches.of(int(shape)).tolist()) for shape in release.shapes]
    graph = [[record for record, rows in enumerate(rows_of) if row in rows] for row in range(len(rows_of))]
    pools = []
    for found in naive.assignments(graph):
        owner = {record: row for row, record in enumerate(found)}
        pools += [[owner[record] for record in records] for records in graph]
    return pools


def test_section_6_of_the_paper_would_not_do() -> None:
    """No three rows in a row share a value, so the rows of each record differ; the records of a person do not.

    If rows 0 and 3, both ``a``, get records 0 and 1, then two of the three records that may be row 2's say ``a``: a
    chance of 2/3 where 1/3 was promised.
    """
    values, graph = "abcabc", naive.ring(6, 3)
    rows_of = [[row for row in range(6) if record in graph[row]] for record in range(6)]
    assert all(len({values[row] for row in rows}) == 3 for rows in rows_of)
    shares = [
        Counter(values[found.index(record)] for record in graph[row]).most_common(1)[0][1]
        for found in naive.assignments(graph)
        for row in range(6)
    ]
    assert max(shares) >= 2


@pytest.mark.parametrize("algorithm", [NonHomogeneous(), Freeform(), Freeform("hungarian")], ids=str)
@pytest.mark.parametrize("values", ["abcabc", "aabbcc", "abcdeab", "aaabcd", "abababa"])
@pytest.mark.parametrize("promise", [LDiversity(2), LDiversity(2, "frequency"), LDiversity(1.8, "entropy")], ids=str)
def test_whatever_is_drawn(algorithm: Algorithm, values: str, promise: LDiversity) -> None:
    table = sick(values)
    try:
        release = algorithm.run(table, goal_of(promise, UniformMatching(3)), Randomness(1), Silent())
    except GoalNotMet:
        assert values in ("aaabcd", "abababa"), "the table as a whole is diverse enough"
        return
    assert promise.check(release).holds
    assert promise.accepts(table, groups_of(pools_of_all_draws(release))).all()


@pytest.mark.parametrize("algorithm", [NonHomogeneous(), Freeform()], ids=str)
def test_matches_that_nobody_asked_for_are_claimed(algorithm: Algorithm) -> None:
    """Three values need three records, each equally likely; where so many were asked for, they are a promise."""
    alone = algorithm.claims(sick("abcabc"), goal_of(LDiversity(3)))
    assert Promised(UniformMatching(3)) in alone
    assert Promised(UniformMatching(3)) not in algorithm.claims(
        sick("abcabc"), goal_of(LDiversity(3), UniformMatching(3))
    )
    release = algorithm.run(sick("abcabc"), goal_of(LDiversity(3)), Randomness(1), Silent())
    printed = to_frame(publish(release, Randomness(1)))
    assert all(claim.check(release, printed).holds for claim in alone)


@given(st.text("abcd", min_size=4, max_size=30), st.integers(2, 3), st.integers(2, 5))
def test_pieces_are_safe(values: str, l: int, k: int) -> None:  # noqa: E741
    """No k rows of a piece break the promise: neither those with the commonest values nor any others."""
    table, promise = sick(values), LDiversity(l, "frequency")
    k = max(k, l)
    if k > len(values) or not promise.accepts(table, groups_of([list(range(len(values)))])).all():
        return
    parts = groups_of([list(range(len(values)))])
    pieces = pieces_for(table, goal_of(promise), parts, k, table.sensitive[0])
    assert sorted(pieces.groups.members.tolist()) == list(range(len(values)))
    for rows, whole in zip(lists_of(pieces.groups), pieces.is_whole, strict=True):
        commonest = max(Counter(values[row] for row in rows).values())
        assert len(rows) >= k
        assert commonest <= len(rows) / l if whole else commonest <= k // l


@settings(max_examples=examples(2.5))
@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.integers(1, 6), st.integers(1, 6))
def test_rows_are_dealt_out(values: list[int], n_pieces: int, most: int) -> None:
    counts = np.bincount(values, minlength=5)
    n_pieces = max(n_pieces, -(-int(counts.max()) // most))
    if n_pieces > len(values):
        return
    pieces = deal_part(np.array(values, np.int32), 5, n_pieces, most).tolist()
    held = [[v for v, p in zip(values, pieces, strict=True) if p == piece] for piece in range(n_pieces)]
    assert all(max(Counter(piece).values()) <= most for piece in held)
    assert min(map(len, held)) >= len(values) // n_pieces


def test_neighbours_stay_together_where_they_may() -> None:
    assert deal_part(np.array([0, 1, 2, 0, 1, 2], np.int32), 3, 2, 1).tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("promise", "k", "most"),
    [
        (LDiversity(2, "frequency"), 4, 2),
        (LDiversity(2, "frequency"), 5, 2),
        (LDiversity(2), 4, 3),
        (LDiversity(3), 4, 1),
        (LDiversity(4), 3, 0),
    ],
    ids=str,
)
def test_how_often_k_rows_may_have_a_value(promise: LDiversity, k: int, most: int) -> None:
    table = sick("aaaabbbbccccdddd")
    assert cap(table, goal_of(promise), k, table.sensitive[0]) == most


def test_parts_are_joined_until_they_will_do() -> None:
    parts = groups_of([[0], [1], [2, 3], [4]])
    assert lists_of(join_until(lambda groups: groups.sizes >= 2, parts)) == [[0, 1], [2, 3, 4]]


def test_several_sensitive_columns_are_judged_together() -> None:
    columns: dict[str, list[Any]] = {"q": list(range(8)), "s": list("aabbaabb"), "t": list("xyxyxyxy")}
    table = coded(columns, ["q"], sensitive=("s", "t"))
    promise = LDiversity(2)
    release = NonHomogeneous().run(table, goal_of(promise, UniformMatching(2)), Randomness(1), Silent())
    assert promise.check(release).holds
