"""Cells that several share, and the matches they are given: rows are where they may be, and every promise is kept."""

from __future__ import annotations

from collections import Counter
from math import inf

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import sharing as naive
from naive.assignment import possible
from naive.concealment import COUNTABLE, fitting, likeliest
from shoal.algorithms import Concealment
from shoal.algorithms.concealment.component_merging import welded
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.requirements import Needs
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.algorithms.concealment.shared_cells import Shares, shared
from shoal.core.linkage import linkage_of
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.kernels.concealment_records import Records, costs
from shoal.kernels.concealment_share import move_in, partner, pull
from shoal.metrics import LM
from shoal.models import KK, KConcealment
from support.drafts import boxes, graph, laid
from support.effort import examples
from support.strategies import partitions, tables
from support.tables import coded, goal_of, groups_of, single

NODES = ("tree", "suppress")
MUCH = 10**9


def _inside(shares: Shares) -> list[set[int]]:
    offers = shares.offers
    return [
        {int(row) for t in offers.inside[start:stop] for row in offers.rows[offers.rows_at[t] : offers.rows_at[t + 1]]}
        for start, stop in zip(offers.starts[:-1], offers.starts[1:], strict=True)
    ]


@given(tables(25, 3, NODES), st.data())
def test_enough_rows_take_each_box(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    users = data.draw(st.integers(1, k))
    shares = shared(laid(table), k, users, MUCH)
    assert shares is not None
    assert min(Counter(boxes(shares.draft())).values()) >= users
    assert all(i in records for i, records in enumerate(graph(shares.draft())))
    assert min(fitting(graph(shares.draft()))[1]) >= k
    assert shares.loads.tolist() == [shares.homes.tolist().count(b) for b in range(shares.loads.size)]


def test_other_recodings_and_too_much_work_are_left_to_others() -> None:
    assert shared(laid(single([1, 2, 3, 4])), 2, 1, MUCH) is None
    trees = laid(single(list("abcdef"), recodings={"q": "suppress"}))
    assert shared(trees, 2, 1, MUCH) is not None
    assert shared(trees, 2, 1, 1) is None


def test_what_is_not_shared_and_welded_in_time_is_given_up() -> None:
    trees = laid(single(list("abcdef"), recodings={"q": "suppress"}))
    assert shared(trees, 2, 1, MUCH, until=-inf) is None
    field = laid(single(list("aabb"), recodings={"q": "suppress"}))
    pairs = Draft.of_groups(field, groups_of([[0, 1], [2, 3]]))
    shares = Shares.of(field, pairs.records, np.arange(4), 2)
    needs = Needs(4, 4, 4, 4, linkage=0.5)
    assert welded(shares, needs, until=-inf) is None
    assert welded(shares, needs) is not None


@st.composite
def offered(draw: st.DrawFn) -> Shares:
    """A table, and boxes around groups of its rows from two partitions, of which the first is taken."""
    table = draw(tables(15))
    field = laid(table)
    lists = draw(partitions(table.n_rows, may_suppress=False))
    users = min(map(len, lists))
    groups = [lists, draw(partitions(table.n_rows, may_suppress=False))]
    drafts = [Draft.of_groups(field, groups_of(some)) for some in groups]
    every = Records(*(np.concatenate(parts) for parts in zip(*(d.records for d in drafts), strict=True)))
    return Shares.of(field, every, np.arange(table.n_rows), users)


@given(offered(), st.data())
def test_moving_in(shares: Shares, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(shares.loads.size))))
    users, field = data.draw(st.integers(1, 4)), shares.field
    homes = np.full(field.n_types, -1, np.int64)
    move_in(order, shares.offers.starts, shares.offers.inside, field.people.copy(), users, homes)
    expected = naive.move_in(_inside(shares), order.tolist(), users)
    assert homes[field.types].tolist() == [expected.get(row, -1) for row in range(field.n_rows)]


@given(offered(), st.data())
def test_pulling(shares: Shares, data: st.DataObject) -> None:
    """Which of equally good rows move is left open, so what is paid is compared."""
    order = np.array(data.draw(st.permutations(range(shares.loads.size)))[:1])
    prices = shares.offers.costs.tolist()
    expected = naive.pull(_inside(shares), prices, order.tolist(), shares.users, shares.homes.tolist())
    before = shares.offers.costs[shares.homes].sum()
    saved = pull(order, shares.users, shares.offers, shares.homes, shares.loads)
    assert before - saved == shares.offers.costs[shares.homes].sum() == sum(prices[home] for home in expected)
    assert shares.loads.tolist() == [shares.homes.tolist().count(b) for b in range(shares.loads.size)]


@given(offered())
def test_improving_loses_less_and_keeps_what_is_kept(shares: Shares) -> None:
    before = shares.draft().loss
    done = shares.improved()
    assert done.draft().loss <= before
    assert min(Counter(done.homes.tolist()).values()) >= done.users
    assert all(row in _inside(done)[home] for row, home in enumerate(done.homes.tolist()))


@given(offered(), st.data())
def test_the_cheapest_partner(shares: Shares, data: st.DataObject) -> None:
    """One box around two: by trying all, each closed around the rows that both hold or take."""
    used = [*np.flatnonzero(shares.loads)]
    b = data.draw(st.sampled_from(used))
    joined = Records(*(part[:1].copy() for part in shares.boxes))
    other = partner(shares.field.tariff, shares.boxes, shares.loads, b, joined)
    if len(used) == 1:
        assert other == -1
        return
    price = int(costs(shares.field.tariff, joined)[0])
    rises = {o: _rise(shares, b, o) for o in used if o != b}
    assert shares.loads[b] * (price - shares.offers.costs[b]) + shares.loads[other] * (
        price - shares.offers.costs[other]
    ) == min(rises.values())
    assert rises[other] == min(rises.values())


def _rise(shares: Shares, b: int, other: int) -> int:
    """Boxes are closures of the rows inside, so the box around two is the closure of the rows inside either."""
    rows = sorted(_inside(shares)[b] | _inside(shares)[other])
    price = int(Draft.of_groups(shares.field, groups_of([rows])).costs()[rows[0]])
    return int(sum(shares.loads[x] * (price - shares.offers.costs[x]) for x in (b, other)))


@given(tables(25, 3, NODES), st.data())
def test_welded_shares_keep_fits_and_matches(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    users = data.draw(st.integers(1, k))
    shares = shared(laid(table), k, users, MUCH)
    assert shares is not None
    wanted = [data.draw(st.sampled_from([1, k])) for _ in range(4)]
    done = welded(shares, Needs(*wanted, linkage=1 / users))
    assert done is not None
    fits, matches = fitting(graph(done)), fitting(possible(graph(done)))
    numbers = min(fits[0]), min(fits[1]), min(matches[0]), min(matches[1])
    assert all(there >= least for there, least in zip(numbers, wanted, strict=True))
    assert min(Counter(boxes(done)).values()) >= users, "cells are still shared"
    assert all(i in records for i, records in enumerate(graph(done)))


@settings(max_examples=examples(1.5))
@given(tables(COUNTABLE, 2, NODES), st.data())
def test_shared_cells_bound_chances(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    users = data.draw(st.integers(1, k))
    shares = shared(laid(table), k, users, MUCH)
    assert shares is not None
    done = welded(shares, Needs(1, 1, k, k, 1 / users))
    assert done is not None
    assert float(likeliest(possible(graph(done)))) <= 1 / users + 1e-9


def _people() -> Table:
    codes = [f"{row * row % 97:02}" for row in range(300)]
    towns = ["north" if row % 3 else "south" for row in range(300)]
    return coded({"code": codes, "town": towns}, ["code", "town"], recodings={"code": "suppress", "town": "suppress"})


def test_the_pipeline_takes_what_loses_less() -> None:
    """Under (k,k) and the default bound half the class size is enough, and that is less loss than groups of k."""
    table, goal = _people(), goal_of(KK(6))
    with_sharing = Concealment(steps=50).run(table, goal, Randomness(1), Silent())
    groups = Concealment(steps=50, shrink=False).run(table, goal, Randomness(1), Silent())
    assert LM().score(with_sharing) <= LM().score(groups)
    assert linkage_of(with_sharing).largest <= 1 / 3 + 1e-9
    assert KK(6).check(with_sharing).holds
    field = RowTree.of(table, LM())
    shares = shared(field, 6, 3, MUCH)
    assert shares is not None
    assert LM().score(with_sharing) <= welded(shares, Needs(6, 6, 1, 1, 1 / 3)).loss + 1e-6  # type: ignore[union-attr]
    assert KConcealment(6).check(groups).holds
