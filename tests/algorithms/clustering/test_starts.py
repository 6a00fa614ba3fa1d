"""Agglomerative, forest and Algorithm 8 against their slow twins, and the forest's guarantee against brute force."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive import clustering as naive
from shoal.algorithms import Agglomerative, Forest
from shoal.algorithms.clustering.agglomeration import (
    BLOCK,
    LINKAGES,
    Linkage,
    affordable,
    agglomerated,
    grouped,
    seconds_alone,
    with_remnants,
)
from shoal.algorithms.clustering.coded_rows import UNIT, Coding
from shoal.algorithms.clustering.forest import forest
from shoal.algorithms.clustering.initial_partition import WEIGHT, merged
from shoal.algorithms.clustering.merge_rounds import Merging, buckets
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.clustering_forest import link
from shoal.metrics import LM
from shoal.models import KAnonymity, LDiversity, TCloseness
from support.effort import examples
from support.strategies import partitions, tables
from support.tables import coded, goal_of, groups_of, lists_of, sets_of_rows


def priced(coding: Coding) -> naive.Price:
    """The price of the cells around some rows."""

    @cache
    def price(rows: tuple[int, ...]) -> int:
        return coding.cost(groups_of([rows])) // len(rows)

    return lambda rows: price(tuple(sorted(rows)))


def items_of(coding: Coding) -> tuple[np.ndarray, list[list[int]]]:
    """The distinct rows in the order the kernels use, and the rows equal to each."""
    order = np.lexsort(coding.cells[::-1])
    return order, [np.flatnonzero(coding.row == distinct).tolist() for distinct in order]


@given(tables(24, 3), st.integers(2, 7), st.sampled_from(sorted(LINKAGES)))
@pytest.mark.parametrize(("few", "by_last"), [(0, False), (6, True)])
def test_agglomerative_merges_the_closest_pair(few: int, by_last: bool, table: Table, k: int, linkage: Linkage) -> None:
    coding = Coding.of(table, LM())
    order = np.lexsort(coding.cells if by_last else coding.cells[::-1])
    items = [np.flatnonzero(coding.row == distinct).tolist() for distinct in order]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.algorithms.clustering.merge_rounds._FEW", few)
        merging = Merging(coding, coding.cells, np.bincount(coding.row), k, LINKAGES[linkage], by_last)
    assert sum(merging.slices()) == pytest.approx(1.0)
    into = merging.homes
    found = {frozenset(np.flatnonzero(into[coding.row] == c).tolist()) for c in set(into.tolist())}
    assert found == {frozenset(rows) for rows in naive.agglomerate(items, priced(coding), k, linkage)}


@given(tables(30, 3), st.data())
def test_agglomerated_groups_have_k_rows(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    groups = agglomerated(Coding.of(table, LM()), k, "size", Randomness(0), Silent(), block=3)
    assert sorted(groups.members.tolist()) == list(range(table.n_rows))
    assert groups.sizes.min() >= k


def test_blocks_change_the_groups_but_not_the_promise() -> None:
    rng = np.random.default_rng(3)
    table = coded({"a": rng.integers(0, 90, 2000).tolist(), "b": rng.integers(0, 90, 2000).tolist()}, ["a", "b"])
    coding = Coding.of(table, LM())
    whole, parts = (agglomerated(coding, 4, "size", Randomness(1), Silent(), block=b) for b in (10**6, 200))
    assert parts.sizes.min() >= 4
    assert coding.cost(whole) < coding.cost(parts) < 1.1 * coding.cost(whole)


def test_a_round_merges_what_is_close_and_leaves_the_rest_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.algorithms.clustering.merge_rounds._BETWEEN", 1)
    columns = {"a": [*"aabbccdefg"], "b": [*"xyxyxyuvwz"], "c": [*"1111112345"]}
    coding = Coding.of(coded(columns, [*columns], recodings=dict.fromkeys(columns, "suppress")), LM())
    merging = Merging(coding, coding.cells, np.bincount(coding.row), 3, LINKAGES["closure"])
    assert sum(merging.closest(0.5)) == 3
    together = sets_of_rows(grouped(merging.homes[coding.row]))
    assert together == {frozenset(rows) for rows in ([0, 1], [2, 3], [4, 5], [6], [7], [8], [9])}


def test_a_round_has_nothing_to_merge_in_a_cluster_by_itself() -> None:
    coding = Coding.of(coded({"a": [1]}, ["a"]), LM())
    merging = Merging(coding, coding.cells, np.array([1]), 2, LINKAGES["size"])
    assert sum(merging.closest(0.5)) == 0


def test_of_ties_everywhere_the_better_order_is_taken() -> None:
    rows = list(product(range(4), range(3), range(5), range(2)))
    columns = {name: [str(row[at]) for row in rows] for at, name in enumerate("abcd")}
    coding = Coding.of(coded(columns, [*columns], recodings=dict.fromkeys(columns, "suppress")), LM())
    for k in (3, 5, 7):
        costs = []
        for by_last in (False, True):
            merging = Merging(coding, coding.cells, np.bincount(coding.row), k, LINKAGES["size"], by_last)
            assert sum(merging.slices()) == pytest.approx(1.0)
            whole = grouped(merging.homes[coding.row])
            costs.append(coding.cost(with_remnants(coding, whole, k)))
        assert coding.cost(agglomerated(coding, k, "size", Randomness(1), Silent())) == min(costs)


def scattered(n_rows: int) -> Coding:
    rng = np.random.default_rng(3)
    columns = {name: rng.integers(0, 90, n_rows).tolist() for name in "ab"}
    return Coding.of(coded(columns, [*columns]), LM())


class Told:
    """Keeps what is told, and is interrupted after so many words."""

    def __init__(self, most: int = 10**9) -> None:
        self.total, self.words, self.most = 0.0, list[float](), most

    def stage(self, what: str, total: float | None = None) -> None:
        self.total = total or 0.0

    def advance(self, amount: float = 1.0) -> None:
        self.words.append(amount)
        if len(self.words) == self.most:
            raise KeyboardInterrupt


@pytest.mark.parametrize("block", [10**6, 500])
def test_progress_moves_within_a_block_and_ends_at_the_total(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.algorithms.clustering.merge_rounds._STEPS", 50)
    told = Told()
    agglomerated(scattered(1000), 4, "size", Randomness(1), told, block=block)
    assert len(told.words) > 20
    assert max(told.words) < 0.1 * told.total
    assert sum(told.words) == pytest.approx(told.total)


@pytest.mark.parametrize("block", [10**6, 500])
def test_an_interrupt_ends_the_work_between_two_slices(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.algorithms.clustering.merge_rounds._STEPS", 50)
    told = Told(most=2)
    with pytest.raises(KeyboardInterrupt):
        agglomerated(scattered(1000), 4, "size", Randomness(1), told, block=block)
    assert sum(told.words) < 0.3 * told.total


@pytest.mark.parametrize("n_steps", [1, 7, 10**6])
def test_the_size_of_slices_changes_nothing(n_steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    coding = scattered(300)
    whole = agglomerated(coding, 4, "size", Randomness(1), Silent())
    monkeypatch.setattr("shoal.algorithms.clustering.merge_rounds._STEPS", n_steps)
    assert sets_of_rows(agglomerated(coding, 4, "size", Randomness(1), Silent())) == sets_of_rows(whole)


def test_blocks_are_as_small_as_the_time_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.algorithms.clustering.agglomeration.LEAST_BLOCK", 100)
    monkeypatch.setattr("shoal.algorithms.clustering.agglomeration.seconds_alone", lambda *said: 64.0)
    monkeypatch.setattr("shoal.algorithms.clustering.agglomeration._GROWTH", 0.5)
    monkeypatch.setattr("shoal.algorithms.clustering.agglomeration._ROUNDS", 1.0)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    coding = scattered(1000)
    n = coding.cells.shape[1]
    assert [affordable(coding, 4, "size", seconds) for seconds in (64.0, 46.0, 33.0, 0.0)] == [
        BLOCK,
        -(-n // 2),
        -(-n // 4),
        -(-n // 8),
    ]


@pytest.mark.parametrize(("power", "taken_for"), [(1.4, 1.4), (1.6, 1.6), (1.0, 1.4), (2.5, 1.7)])
def test_the_time_of_a_single_block_grows_as_it_does_between_samples(
    power: float, taken_for: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A growth beyond what was ever seen, on either side, is taken for chance."""
    monkeypatch.setattr("shoal.algorithms.clustering.agglomeration._SPREAD", 100)
    monkeypatch.setattr(
        "shoal.algorithms.clustering.agglomeration._seconds", lambda coding, sizes, some, *said: some.size**power
    )
    coding = scattered(1000)
    n = coding.cells.shape[1]
    assert seconds_alone(coding, 4, "size", n) == pytest.approx(200**power * (n / 200) ** taken_for)


def test_in_less_time_rows_are_clustered_in_smaller_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("agglomeration", "initial_partition"):
        monkeypatch.setattr(f"shoal.algorithms.clustering.{module}.LEAST_BLOCK", 20)
    seen = []

    def noted(
        coding: Coding, k: int, linkage: str, drawn: Randomness, told: Progress, block: int, n_near: int
    ) -> Groups:
        seen.append(block)
        return Groups.whole(coding.n_rows)

    monkeypatch.setattr("shoal.algorithms.clustering.initial_partition.agglomerated", noted)
    table = coded({"a": list(range(500)), "b": [row * 7 % 500 for row in range(500)]}, ["a", "b"])
    for seconds in (0.0, 1e-9, 1e9):
        Agglomerative(block=300, seconds=seconds).run(table, goal_of(KAnonymity(4)), Randomness(1), Silent())
    assert seen[0] == seen[2] == 300
    assert 20 <= seen[1] < 60


def test_in_less_time_larger_groups_are_tried_where_many_would_have_to_be_united(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failing = []

    def noted(table: Table, goal: Goal, groups: Groups, *said: Any) -> Groups:
        failing.append(int((~goal.accepts(table, groups)).sum()))
        return merged(table, goal, groups, *said)

    monkeypatch.setattr("shoal.algorithms.clustering.initial_partition.merged", noted)
    n = 1200  # all sensitive values differ, so only large groups come close to the whole table
    table = coded(
        {"a": [row * 7 % n for row in range(n)], "s": [f"{row}" for row in range(n)]}, ["a"], sensitive=("s",)
    )
    goal = goal_of(KAnonymity(4), TCloseness(0.9))
    for seconds, most in ((0.0, 300), (0.1, 20)):
        failing.clear()
        made = Agglomerative(block=2000, seconds=seconds).run(table, goal, Randomness(1), Silent())
        assert most / 2 < max(failing) <= most
        assert LM().score(made) < 0.5, "small groups that are united one by one all end in one class"


@given(tables(20, 3), st.integers(2, 6))
def test_links_go_to_the_nearest_row_outside(table: Table, k: int) -> None:
    assume(table.n_rows >= k)
    coding = Coding.of(table, LM())
    order, items = items_of(coding)
    cells = np.ascontiguousarray(coding.cells[:, order])
    n_keys, starts = buckets(cells)
    sizes = np.array([len(rows) for rows in items])
    wanted = naive.link(items, priced(coding), k)
    for n_first in {n_keys, cells.shape[0]}:
        assert link(coding.space, n_keys, n_first, cells, sizes, starts, k).tolist() == wanted


def suppressed(rows: Sequence[Sequence[int]]) -> Table:
    columns = {f"q{j}": [f"v{row[j]}" for row in rows] for j in range(len(rows[0]))}
    return coded(columns, [*columns], recodings=dict.fromkeys(columns, "suppress"))


boolean_rows = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=4, max_size=9)
)


def assert_guaranteed(table: Table, k: int) -> None:
    coding = Coding.of(table, LM())
    groups = forest(coding, k, Silent())
    assert sorted(groups.members.tolist()) == list(range(table.n_rows))
    assert groups.sizes.min() >= k
    assert coding.cost(groups) <= (3 * k - 3) * naive.least_cost(table.n_rows, priced(coding), k)


@settings(max_examples=examples(2.5))
@given(boolean_rows, st.integers(2, 4))
def test_forest_is_within_its_guarantee_for_suppression(rows: list[list[int]], k: int) -> None:
    assert_guaranteed(suppressed(rows), k)


@given(tables(8, 3), st.integers(2, 3))
def test_forest_is_within_its_guarantee_for_any_recoding(table: Table, k: int) -> None:
    assume(table.n_rows >= k)
    assert_guaranteed(table, k)


@given(tables(8, 3, forms=("tree", "suppress")), st.integers(2, 3))
def test_forest_is_within_its_guarantee_for_levels_of_hierarchies(table: Table, k: int) -> None:
    assume(table.n_rows >= k)
    total = sum(column.weight for column in table.quasi)

    def levels(rows: Sequence[int]) -> int:
        """Weight times h/l, added over the columns, in millionths of all of it."""
        prices = [
            column.weight * naive.level(column.recoding.nested, codes[list(rows)].tolist())
            for column, codes in zip(table.quasi, table.codes, strict=True)
        ]
        return round(sum(prices) / total * 10**6)

    release = Forest("levels").run(table, goal_of(KAnonymity(k)), Randomness(0), Silent())
    paid = sum(len(rows) * levels(rows) for rows in lists_of(release.classes))
    assert paid <= (3 * k - 3) * (naive.least_cost(table.n_rows, levels, k) + table.n_rows)


@given(tables(40, 2), st.integers(2, 6))
def test_parts_of_a_tree_are_small_unless_their_rows_are_equal(table: Table, k: int) -> None:
    assume(table.n_rows >= k)
    coding = Coding.of(table, LM())
    for rows in lists_of(forest(coding, k, Silent())):
        assert len(rows) <= 3 * k - 3 or len({int(coding.row[row]) for row in rows}) == 1


def test_levels_count_the_columns_that_differ() -> None:
    table = suppressed([[0, 0], [0, 1], [1, 1], [1, 1]])
    release = Forest("levels").run(table, goal_of(KAnonymity(2)), Randomness(0), Silent())
    assert sets_of_rows(release.classes) == {frozenset({0, 1}), frozenset({2, 3})}


@given(tables(16, 2), st.data())
def test_algorithm_8_by_hand(table: Table, data: st.DataObject) -> None:
    model = LDiversity(data.draw(st.integers(1, 3)))
    goal = goal_of(KAnonymity(2), model)
    assume(goal.accepts(table, Groups.whole(table.n_rows)).all())
    lists = data.draw(partitions(table.n_rows, may_suppress=False))
    coding = Coding.of(table, LM())

    def gap(rows: list[int]) -> float:
        group = groups_of([rows])
        return sum(max(0.0, float(m.threshold - m.measure(table, group)[0])) for m in goal.group_models)

    whole = UNIT * table.n_rows
    wanted = naive.merged(lists, lambda rows: coding.cost(groups_of([rows])), gap, WEIGHT, whole)
    found = merged(table, goal, groups_of(lists), coding, Silent())
    assert sets_of_rows(found) == {frozenset(rows) for rows in wanted}


@given(tables(30, 2), st.sampled_from([LDiversity(2), TCloseness(0.4), LDiversity(1.5, "entropy")]), st.data())
def test_algorithm_8_only_unites_and_leaves_no_group_that_breaks_a_promise(
    table: Table, model: LDiversity | TCloseness, data: st.DataObject
) -> None:
    goal = goal_of(model)
    assume(goal.accepts(table, Groups.whole(table.n_rows)).all())
    before = groups_of(data.draw(partitions(table.n_rows, may_suppress=False)))
    after = merged(table, goal, before, Coding.of(table, LM()), Silent())
    assert goal.accepts(table, after).all()
    coarse = sets_of_rows(after)
    assert all(any(rows <= union for union in coarse) for rows in sets_of_rows(before))
    assert sorted(after.members.tolist()) == list(range(table.n_rows))


@pytest.mark.parametrize("made", [lambda: Agglomerative("sise"), lambda: Forest("level")])  # type: ignore[arg-type]
def test_misspelt_options_are_named(made: object) -> None:
    with pytest.raises(InputError, match="Did you mean"):
        made()  # type: ignore[operator]
