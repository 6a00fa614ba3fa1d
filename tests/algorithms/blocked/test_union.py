"""What the union of releases of blocks keeps, and what it breaks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shoal.algorithms import ALL, Blocked
from shoal.core.block_union import block_of, join_releases, naming_all_fits
from shoal.core.contracts import Algorithm, Goal, PrivacyModel
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.engine.release_check import check_release
from shoal.errors import InputError
from shoal.metrics import LM
from shoal.models import ALL as MODELS
from shoal.models import KK, KAnonymity, LDiversity, LinkageBound, UniformMatching
from support.promises import POSSIBLE
from support.strategies import partitions, tables
from support.tables import coded, goal_of, groups_of, partitioned

CHECKED = ("linkage-bound", "delta-presence", "population-uniqueness", "household-risk")
"""Promises that do not survive a union: it is checked."""

SURVIVORS = [name for name in MODELS if name not in CHECKED]


@pytest.mark.parametrize("model", SURVIVORS)
@given(data=st.data())
def test_the_union_keeps_what_every_block_keeps(model: str, data: st.DataObject) -> None:
    table = data.draw(tables(16))
    lists = data.draw(partitions(table.n_rows, may_suppress=False))
    blocks = groups_of(lists)
    parts = [block_of(table, blocks.of(block)) for block in range(len(blocks))]
    releases = [partitioned(p, data.draw(partitions(p.n_rows, may_suppress=False))) for p in parts]
    promise = data.draw(st.sampled_from(_all(model, table)))
    assume(promise.survives_union)
    assume(all(promise.check(release).holds for release in releases))
    assert promise.check(join_releases(table, blocks, releases)).holds


def _all(model: str, table: Table) -> list[PrivacyModel]:
    """What may be asked of the table, the easiest first and only a few: most blocks keep those."""
    return POSSIBLE[model](table)[:3]


def test_a_model_says_so_or_the_union_is_checked() -> None:
    said = {name for name in MODELS if _survives(MODELS[name])}
    assert {"k-anonymity", "kk-anonymity", "k-concealment", "t-closeness", "uniform-matching"} <= said
    assert not said & {*CHECKED}
    assert not LDiversity(2, "grassberger").survives_union


def _survives(model: type[PrivacyModel]) -> bool:
    table = coded({"age": [1, 2], "ill": ["a", "b"]}, ["age"], sensitive=("ill",))
    return all(promise.survives_union for promise in POSSIBLE[model.name](table)[:1])


def test_a_linkage_bound_does_not_survive() -> None:
    """Two blocks in which every match has a chance of a half; a row of each also fits a record of the other."""
    table = coded({"x": ["p", "q", "r", "s"], "y": ["1", "1", "1", "1"]}, ["x", "y"])
    blocks = groups_of([[0, 1], [2, 3]])
    releases = [
        _with_cells(block_of(table, blocks.of(0)), [["p", "q", "r"], ["p", "q"]]),
        _with_cells(block_of(table, blocks.of(1)), [["r", "s", "p"], ["r", "s"]]),
    ]
    promise = LinkageBound(0.5)
    assert all(promise.check(release).holds for release in releases)
    verdict = promise.check(join_releases(table, blocks, releases))
    assert not verdict.holds
    assert verdict.achieved == pytest.approx(3 / 5)


def _with_cells(table: Table, sets: list[list[str]]) -> Release:
    """A release whose i-th record, of the i-th row, has this set in its first column."""
    from shoal.core.cells import Cells

    domain = table.quasi[0].domain
    leaves = groups_of([[domain.texts.index(text) for text in each] for each in sets])
    codes = np.arange(domain.n_leaves, dtype=np.int32)
    first = Cells.of_sets(leaves, codes, domain.n_leaves)
    second = table.quasi[1].recoding.exact(table.codes[1])
    rows = np.arange(table.n_rows, dtype=np.int32)
    return Release(table, rows, rows, (first, second))


class _Loose(Algorithm):
    """Publishes every row as it is, with one class for whatever table it gets; counts how often it is asked."""

    name, summary = "loose", "for tests"
    serves = (PrivacyModel,)

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: object) -> Release:
        self.sizes.append(table.n_rows)
        return Release.from_groups(table, groups_of([list(range(table.n_rows))]))


class _Grudging(KAnonymity):
    """Holds when the release has one class: no union keeps it."""

    is_monotone = False

    def check(self, release: Release) -> Any:
        from dataclasses import replace

        return replace(super().check(release), holds=len(release.classes) == 1)


def test_what_the_union_breaks_is_repaired_by_fewer_blocks() -> None:
    table = coded({"age": list(range(64))}, ["age"])
    inner = _Loose()
    release = Blocked(inner, rows=8).run(table, goal_of(_Grudging(2)), Randomness(0), Silent())
    assert len(release.classes) == 1
    assert sorted(set(inner.sizes)) == [8, 16, 32, 64]


@pytest.mark.parametrize(
    "inner", [name for name in ALL if name not in ("blocked", "column-generation", "microaggregation")]
)
def test_any_algorithm_may_be_the_inner_one(inner: str) -> None:
    ages = [20 + (row * 7) % 40 for row in range(60)]
    table = coded(
        {"age": ages, "sex": ["f", "m", "f"] * 20, "ill": ["a", "b", "c"] * 20}, ["age", "sex"], sensitive=("ill",)
    )
    searching = inner in ("clustering", "concealment")
    options = {"name": inner, "steps": 5, **({"linkage": 1} if inner == "concealment" else {})}
    blocked = Blocked(options if searching else inner, rows=20)
    promises = [promise for promise in (KAnonymity(3), LDiversity(2)) if isinstance(promise, blocked.serves)]
    others = {"nonhomogeneous": [UniformMatching(3)], "freeform": [UniformMatching(3)], "concealment": [KK(3)]}
    goal = goal_of(*others.get(inner, []), *promises)
    release = blocked.run(table, goal, Randomness(0), Silent())
    assert all(verdict.holds for verdict in check_release(release, goal.promises))
    assert sorted(release.owners.tolist()) == list(range(60))


def test_what_cannot_be_judged_block_by_block_is_refused() -> None:
    table = coded({"age": list(range(60))}, ["age"])
    with pytest.raises(InputError, match="all rows in memory"):
        Blocked("microaggregation", rows=20).run(table, goal_of(KAnonymity(3)), Randomness(0), Silent())


def test_suppression_stays_within_the_limit() -> None:
    ages = [1] * 20 + [2] * 20 + [3] * 20 + [50, 60, 70]
    table = coded({"age": ages}, ["age"])
    goal = Goal((KAnonymity(10),), LM(), suppression_limit=0.1)
    release = Blocked("lattice", rows=21).run(table, goal, Randomness(0), Silent())
    assert release.n_suppressed <= 0.1 * table.n_rows
    assert KAnonymity(10).check(release).holds


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = coded({"age": [(row * 13) % 50 for row in range(200)]}, ["age"])
    made = []
    for cores in (1, 4):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        release = Blocked("nonhomogeneous", rows=40).run(table, goal_of(UniformMatching(3)), Randomness(3), Silent())
        made.append((release.owners.tolist(), release.shapes.tolist(), [c.ids.tolist() for c in release.cells]))
    assert made[0] == made[1]


def test_matches_that_are_all_fits_are_named_across_blocks() -> None:
    table = coded({"x": ["p", "q", "r", "s"], "y": ["1", "1", "1", "1"]}, ["x", "y"])
    blocks = groups_of([[0, 1], [2, 3]])
    releases = [
        _with_cells(block_of(table, blocks.of(0)), [["p", "q", "r"], ["p", "q"]]),
        _with_cells(block_of(table, blocks.of(1)), [["r", "s"], ["r", "s"]]),
    ]
    union = naming_all_fits(join_releases(table, blocks, releases))
    assert union.matches is not None
    assert [sorted(union.matches.of(int(shape)).tolist()) for shape in union.shapes] == [
        [0, 1, 2], [0, 1], [2, 3], [2, 3]
    ]  # fmt: skip


@given(tables(24), st.integers(2, 3))
def test_concealment_in_blocks_keeps_its_promises_across_them(table: Table, k: int) -> None:
    assume(table.n_rows >= k)
    goal = goal_of(KK(k), LDiversity(1, others="ignore"))
    release = Blocked({"name": "concealment", "steps": 5, "linkage": 1}, rows=8).run(
        table, goal, Randomness(0), Silent()
    )
    assert all(verdict.holds for verdict in check_release(release, goal.promises))


@pytest.mark.parametrize(
    ("linkage", "promises", "most"),
    [(0, [KK(4)], "0.5"), (0.3, [KK(4)], "0.3"), (1, [KK(4), LinkageBound(0.4)], "0.4")],
)
def test_a_bound_that_a_union_may_break_is_refused_before_any_work(
    linkage: float, promises: list[Any], most: str
) -> None:
    table = coded({"age": list(range(40))}, ["age"])
    blocked = Blocked({"name": "concealment", "steps": 5, "linkage": linkage}, rows=10)
    for refuse in (
        lambda: blocked.refuse(table, goal_of(*promises)),
        lambda: blocked.run(table, goal_of(*promises), Randomness(0), Silent()),
    ):
        with pytest.raises(InputError, match=f"by {most}, and a union of blocks may break"):
            refuse()


def test_other_algorithms_may_be_asked_for_the_bound_in_blocks() -> None:
    table = coded({"age": list(range(40))}, ["age"])
    Blocked({"name": "concealment", "linkage": 1}, rows=10).refuse(table, goal_of(KK(4)))
    Blocked("mondrian", rows=10).refuse(table, goal_of(KAnonymity(4)))


@pytest.mark.parametrize(
    ("promise", "is_kept"),
    [
        (LDiversity(2), True),
        (LDiversity(2, "frequency", matches="named"), True),
        (LDiversity(2, "frequency"), False),
        (LDiversity(1.5, "entropy"), False),
        (UniformMatching(2), True),
    ],
    ids=str,
)
@pytest.mark.parametrize("inner", ["nonhomogeneous", "freeform"])
def test_printed_matches_may_lie_in_other_blocks(inner: str, promise: PrivacyModel, *, is_kept: bool) -> None:
    """So promises that they may break are looked at again in the union; classes stay what they are."""
    assert ALL[inner]().looks_across(promise) != is_kept
    assert not ALL["mondrian"]().looks_across(promise)
