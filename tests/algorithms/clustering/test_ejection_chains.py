"""Ejection chains: each gains, none touches another, and short searches do without."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import clustering as naive
from shoal.algorithms.clustering import Search, ejection_chains, neighbourhoods, refine
from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.ejection_chains import chained, steps_for_chains
from shoal.algorithms.clustering.improvement_rounds import Leaf, improved
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.kernels.clustering_chains import chains, closed_clusters, nearest
from shoal.metrics import GCP, LM
from shoal.models import KAnonymity, LDiversity
from support.tables import coded, groups_of, lists_of, sets_of_rows

METRICS = st.sampled_from([LM(), GCP()])


def grid(n_rows: int, seed: int = 0, n_values: int = 12) -> Table:
    """Rows on a grid, in no order."""
    values = np.random.default_rng(seed).integers(0, n_values, (3, n_rows)).tolist()
    columns = {"a": values[0], "b": [f"b{value}" for value in values[1]], "c": values[2]}
    return coded({**columns, "ill": [str(v % 5) for v in values[2]]}, ["a", "b", "c"], sensitive=["ill"])


def in_order(n_rows: int, k: int) -> Groups:
    """Groups of k rows as they come, the last a little larger."""
    starts = np.arange(0, n_rows - k + 1, k)
    return Groups(np.append(starts, n_rows).astype(np.int64), np.arange(n_rows, dtype=np.int32))


def by_row(coding: Coding) -> np.ndarray:
    return np.ascontiguousarray(coding.cells[:, coding.row].T)


def price_of(coding: Coding) -> naive.Price:
    def price(rows: Sequence[int]) -> int:
        return int(coding.closed(groups_of([list(rows)]))[1][0])

    return price


def first_drawn(seed: int, n: int) -> int:
    """The first number below n of the kernels' stream."""
    x = seed
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    return (x * n) >> 32


@given(st.integers(8, 40), st.integers(2, 5), st.integers(0, 9), METRICS)
def test_clusters_are_known_with_and_without_each_row(n_rows: int, k: int, seed: int, metric: LM | GCP) -> None:
    coding, groups = Coding.of(grid(n_rows, seed), metric), in_order(n_rows, k)
    known, price = closed_clusters(coding.space, by_row(coding), groups.offsets), price_of(coding)
    for cluster, rows in enumerate(lists_of(groups)):
        assert known.own[cluster] == price(rows)
        assert known.homes[rows].tolist() == [cluster] * len(rows)
        assert known.rest_prices[rows].tolist() == [price([other for other in rows if other != row]) for row in rows]


@given(st.integers(2, 30), st.integers(1, 8), st.integers(0, 9))
def test_the_nearest_rows_are_the_cheapest_to_join(n_rows: int, n_near: int, seed: int) -> None:
    coding = Coding.of(grid(n_rows, seed), LM())
    near, price = nearest(coding.space, np.ascontiguousarray(coding.cells[:, coding.row]), n_near), price_of(coding)
    for row in range(n_rows):
        others = sorted(price([row, other]) for other in range(n_rows) if other != row)[:n_near]
        assert [price([row, other]) for other in near[row][: len(others)]] == others
        assert (near[row][len(others) :] == row).all()


@given(st.integers(9, 16), st.integers(2, 4), st.integers(1, 4), st.integers(1, 2**31), METRICS)
def test_a_chain_is_the_best_of_all(n_rows: int, k: int, most: int, seed: int, metric: LM | GCP) -> None:
    coding, groups = Coding.of(grid(n_rows, seed % 97, 6), metric), in_order(n_rows, k)
    known = closed_clusters(coding.space, by_row(coding), groups.offsets)
    everywhere, each = np.tile(np.arange(n_rows), (n_rows, 1)), np.arange(n_rows)
    first = first_drawn(seed, n_rows)
    homes, changes = chains(coding.space, known, everywhere, each, k, 1, most, n_rows, np.array([seed]))
    gained = coding.cost(Groups.from_ids(homes, len(groups))) - coding.cost(groups)
    assert gained == naive.best_chain(lists_of(groups), first, price_of(coding), k, most)
    assert (changes.max() >= 0) == (gained < 0)


@given(st.integers(30, 80), st.integers(2, 5), st.integers(1, 2**31))
def test_chains_are_independent_gains(n_rows: int, k: int, seed: int) -> None:
    coding, groups = Coding.of(grid(n_rows, seed % 7), LM()), in_order(n_rows, k)
    known = closed_clusters(coding.space, by_row(coding), groups.offsets)
    near = nearest(coding.space, np.ascontiguousarray(coding.cells[:, coding.row]), 8)
    homes, changes = chains(coding.space, known, near, np.arange(n_rows), k, 3 * n_rows, 5, 2, np.array([seed]))
    before = groups.ids(n_rows)
    assert (homes[changes < 0] == before[changes < 0]).all()
    for change in range(int(changes.max()) + 1):
        touched = np.flatnonzero(changes == change)
        old, new = (
            [np.flatnonzero(numbers == c).tolist() for c in set(numbers[touched].tolist())]
            for numbers in (before, homes)
        )
        assert sorted(chain(*old)) == sorted(chain(*new)) == touched.tolist(), "part of a cluster"
        assert min(map(len, new)) >= k
        assert coding.cost(groups_of(new)) < coding.cost(groups_of(old))


def test_a_round_may_suppress_a_whole_cluster_and_change_nothing_else() -> None:
    def work(leaf: Leaf) -> tuple[np.ndarray, np.ndarray]:
        homes, changes = leaf.unchanged
        homes[: leaf.offsets[1]], changes[: leaf.offsets[1]] = -1, 0
        return homes, changes

    def accepts(made: Groups) -> np.ndarray:
        return made.sizes >= 5

    coding, groups = Coding.of(grid(20), LM()), in_order(20, 5)
    assert sorted(improved(coding, groups, work, accepts, Randomness(1), most_dropped=5).sizes) == [5, 5, 5]
    assert improved(coding, groups, work, accepts, Randomness(1), most_dropped=4).sizes.tolist() == [5, 5, 5, 5]


def test_rounds_of_chains_gain_and_a_seed_gives_the_same() -> None:
    coding, groups = Coding.of(grid(600), LM()), in_order(600, 4)

    def after() -> Groups:
        found, randomness = groups, Randomness(3)
        for _ in range(5):
            found = improved(
                coding, found, lambda leaf: chained(coding, 4, leaf), lambda some: some.sizes >= 4, randomness
            )
        return found

    assert sets_of_rows(after()) == sets_of_rows(after())
    assert coding.cost(after()) < 0.9 * coding.cost(groups)


@pytest.mark.parametrize(
    ("seconds", "steps", "is_long"),
    [(2.0, None, False), (60.0, None, True), (2.0, 100_000, True), (60.0, 1_000, False)],
)
def test_short_searches_do_without(seconds: float, steps: int | None, is_long: bool) -> None:
    budget = Budget(seconds, steps)
    budget.count(1, 1e-6)
    assert (steps_for_chains(Coding.of(grid(600), LM()), budget) > 0) == is_long


def test_a_search_with_chains_keeps_promises_and_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def noted(coding: Coding, k: int, leaf: neighbourhoods.Leaf) -> object:
        tried.append(leaf.offsets.size - 1)
        return chained(coding, k, leaf)

    monkeypatch.setattr(ejection_chains, "_STEPS", 100)
    monkeypatch.setattr(neighbourhoods, "_CHAINS", 2)
    monkeypatch.setattr(neighbourhoods, "chained", noted)
    table, goal = grid(300), Goal((KAnonymity(4), LDiversity(3, of="ill")), LM())
    start = Groups(np.array([0, 150, 300]), np.arange(300, dtype=np.int32))
    found = refine(table, goal, start, Randomness(5), Silent(), methods=[Search(2_000)])
    assert tried
    assert goal.accepts(table, Release.from_groups(table, found).classes).all()
    again = refine(table, goal, start, Randomness(5), Silent(), methods=[Search(2_000)])
    assert sets_of_rows(found) == sets_of_rows(again)
