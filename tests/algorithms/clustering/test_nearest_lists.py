"""Clustering along lists of near clusters: kernels against their slow twins, and what is lost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import clustering as naive
from shoal.algorithms import Agglomerative
from shoal.algorithms.clustering.agglomeration import LINKAGES, agglomerated
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.merge_rounds import MergeRounds
from shoal.core.arrays import Whole
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.clustering_graph import (
    NEW,
    NONE,
    SCORE,
    Clusters,
    link_block,
    link_further,
    look_again,
    merge_along,
    split_leaves,
    turned,
)
from shoal.kernels.clustering_space import closures
from shoal.metrics import LM
from support.strategies import tables
from support.tables import coded, groups_of, sets_of_rows

linkages = st.sampled_from(sorted(LINKAGES))


def empty(n: int, most: int) -> Whole:
    return np.full((n, most), NONE)


class Case:
    """The distinct rows of a table, each a cluster with those equal to it, for a kernel and for its twin."""

    def __init__(self, table: Table, linkage: str) -> None:
        self.coding, self.linkage = Coding.of(table, LM()), linkage
        n = self.coding.cells.shape[1]
        self.items = [np.flatnonzero(self.coding.row == i).tolist() for i in range(n)]
        _, own = closures(self.coding.space, self.coding.cells, np.arange(n + 1), np.arange(n))
        sizes = np.array([len(rows) for rows in self.items])
        self.clusters = Clusters(np.ascontiguousarray(self.coding.cells.T), sizes, own, LINKAGES[linkage])

    def price(self, rows: Sequence[int]) -> int:
        @cache
        def paid(some: tuple[int, ...]) -> int:
            return self.coding.cost(groups_of([some])) // len(some)

        return paid(tuple(sorted(rows)))

    def linked(self, most: int, width: int = 0) -> Whole:
        """All look at all."""
        links = empty(len(self.items), most)
        link_block(self.coding.space, self.clusters, np.arange(len(self.items)), links, width or most)
        return links


def lists_of(links: Whole) -> naive.Lists:
    return [[(link & 0xFFFFFFFF) >> 1 for link in row.tolist() if link != NONE] for row in links]


def scores_of(links: Whole, i: int) -> list[float]:
    return (links[i][links[i] != NONE] >> SCORE).astype(np.int32).view(np.float32).tolist()


@given(tables(20, 3), linkages, st.integers(1, 6))
def test_the_nearest_of_a_block_are_listed(table: Table, linkage: str, most: int) -> None:
    case = Case(table, linkage)
    items, everyone = dict(enumerate(case.items)), range(len(case.items))
    expected = [naive.nearest(i, everyone, items, case.price, linkage, most) for i in everyone]
    links = case.linked(most)
    assert lists_of(links) == expected
    assert (links[links != NONE] & NEW).all()


@given(tables(20, 3), linkages, st.integers(1, 6), st.data())
def test_those_that_are_not_near_enough_do_not_get_into_a_list_but_may_stay_there(
    table: Table, linkage: str, most: int, data: st.DataObject
) -> None:
    case, width = Case(table, linkage), data.draw(st.integers(1, most))
    all_of, first = lists_of(case.linked(most)), lists_of(case.linked(most, width))
    assert [near[:width] for near in first] == [near[:width] for near in all_of]
    assert all(len(near) <= most for near in first)
    again = case.linked(most, width)
    link_block(case.coding.space, case.clusters, np.arange(len(case.items)), again, width)
    assert lists_of(again) == first


@given(tables(24, 3), linkages, st.integers(1, 4), st.integers(0, 2))
def test_neighbours_of_neighbours_are_looked_at_either_way(
    table: Table, linkage: str, breadth: int, longer: int
) -> None:
    case = Case(table, linkage)
    n, most = len(case.items), breadth + longer
    links = empty(n, most)
    for block in np.array_split(np.random.default_rng(1).permutation(n), max(1, n // 5)):
        link_block(case.coding.space, case.clusters, block, links, most)
    held, before = lists_of(links), links[:, :breadth].copy()
    back = turned(before, breadth)
    link_further(case.coding.space, case.clusters, 0, n, before, back, links, most)
    items, lists = dict(enumerate(case.items)), lists_of(before)
    for i in range(n):
        some = sorted(naive.seen_further(i, lists, lists_of(back)))
        expected = naive.nearest(i, [*held[i], *some], items, case.price, linkage, most)
        assert scores_of(links, i) == [np.float32(_score(case, i, j)) for j in expected]
        assert set(lists_of(links)[i]) <= {*held[i], *some}


def _score(case: Case, i: int, j: int) -> float:
    a, b = case.items[i], case.items[j]
    return naive.score(case.linkage, case.price(a + b), len(a), case.price(a), len(b), case.price(b))


@given(tables(16, 3), st.integers(1, 5))
def test_lists_are_turned_round(table: Table, most: int) -> None:
    links = Case(table, "size").linked(most)
    lists, back = lists_of(links), lists_of(turned(links, most))
    owners = [
        [i for t in range(most) for i, near in enumerate(lists) if near[t : t + 1] == [j]] for j in range(len(back))
    ]
    assert back == [some[:most] for some in owners]


@given(tables(30, 3), st.integers(1, 8), st.integers(1, 2**32 - 1))
def test_leaves_hold_every_cluster_once_and_similar_ones_together(table: Table, most: int, seed: int) -> None:
    case = Case(table, "size")
    order, borders = split_leaves(case.coding.space, case.clusters.cells, most, np.array([seed]))
    expected = naive.split_leaves([*range(len(case.items))], case.items, case.price, most, seed)
    assert [part.tolist() for part in np.split(order, np.flatnonzero(borders)[1:-1])] == expected


@given(tables(24, 3), st.integers(2, 7), linkages, st.integers(1, 5), st.sampled_from([0.2, 0.5, 1.0]))
def test_the_nearest_pairs_of_all_lists_are_merged(table: Table, k: int, linkage: str, most: int, share: float) -> None:
    case = Case(table, linkage)
    links, n = case.linked(most), len(case.items)
    offers = np.sort(links[:, 0][links[:, 0] != NONE] >> SCORE)
    limit = int(offers[int(share * (offers.size - 1))]) if offers.size else 0
    dearest = float(np.array([limit], np.int32).view(np.float32)[0])
    into, lists = naive.merge_along(case.items, lists_of(links), case.price, k, linkage, dearest)
    found = merge_along(case.coding.space, case.clusters, links, k, limit)
    assert found.tolist() == into
    is_open = (found == np.arange(n)) & (case.clusters.sizes < k)
    look_again(case.coding.space, case.clusters, 0, n, found, is_open, links)
    for i in range(n):
        rows = [row for j in range(n) if into[j] == i for row in case.items[j]]
        if rows:
            assert (case.clusters.sizes[i], case.clusters.own[i]) == (len(rows), case.price(rows))
        if 0 < len(rows) < k:
            assert lists_of(links)[i] == lists[i]


def scattered(n_rows: int) -> Coding:
    drawn = np.random.default_rng(5).integers(0, 20, (4, n_rows))
    columns: dict[str, list[object]] = {f"c{i}": values.tolist() for i, values in enumerate(drawn)}
    return Coding.of(coded(columns, [*columns]), LM())


def test_clusters_along_lists_lose_hardly_more_than_those_of_all_pairs_and_less_than_those_of_blocks() -> None:
    coding = scattered(2000)
    ways = {"whole": (10**6, 0), "lists": (100, 25), "blocks": (100, 0)}
    costs = {}
    for way, (block, n_near) in ways.items():
        groups = agglomerated(coding, 4, "size", Randomness(1), Silent(), block, n_near)
        assert groups.sizes.min() >= 4
        assert np.sort(groups.members).tolist() == list(range(2000))
        costs[way] = coding.cost(groups)
    assert costs["lists"] < 1.02 * costs["whole"]
    assert costs["lists"] < costs["blocks"]


def test_lists_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for n_cores in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda n=n_cores: n)
        found.append(agglomerated(scattered(1000), 5, "size", Randomness(1), Silent(), 100, 6))
    assert sets_of_rows(found[0]) == sets_of_rows(found[1])


@given(tables(40, 3), st.integers(1, 6), st.integers(2, 5))
def test_any_table_can_be_clustered_along_lists(table: Table, n_near: int, k: int) -> None:
    coding = Coding.of(table, LM())
    rounds = MergeRounds(coding, k, LINKAGES["size"], False, n_near)
    rounds.run(1, Randomness(1), Silent())
    sizes = np.bincount(rounds.homes[coding.row])
    assert (sizes[sizes > 0] < k).sum() <= 1


def test_lists_are_not_negative() -> None:
    with pytest.raises(InputError, match="neighbours must be at least 0"):
        Agglomerative(neighbours=-1)
