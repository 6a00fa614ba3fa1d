"""The kernels of the linear program over groups, each against a slow twin that tries everything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive import relaxation as naive
from naive.relaxation import Box, Cut, Group
from shoal.algorithms.relaxation.linear_program import dearest_first
from shoal.algorithms.relaxation.node_costs import UNIT, LevelCosts
from shoal.core.table import Table
from shoal.kernels.relaxation_boxes import Boxes, near_boxes
from shoal.kernels.relaxation_check import excess
from shoal.kernels.relaxation_cuts import Used, overfull
from shoal.kernels.relaxation_groups import dear_groups, lower
from shoal.kernels.relaxation_prices import Groups, count_tolls, covered, use
from shoal.kernels.relaxation_rounding import cheapest_homes, fitting_together
from shoal.metrics import LM
from support.effort import examples
from support.relaxation import (
    NESTED,
    boxes_of,
    drawn_cuts,
    drawn_groups,
    listed_boxes,
    listed_cuts,
    listed_groups,
    priced,
    starred,
)
from support.strategies import tables

ALL = 10**6
"""More groups or rows than any box has."""

SIXTEENTHS = st.integers(0, 32).map(lambda n: n / 16)
"""Numbers whose sums are exact."""

WEIGHTS = st.lists(st.integers(1, 3), min_size=3, max_size=7)


def levels_of(table: Table) -> LevelCosts:
    return LevelCosts.of(table, LM())


@given(tables(14, 3, NESTED), st.integers(2, 5), st.sampled_from([0.0, 0.125, 0.3]), st.data())
def test_all_boxes_that_are_near_are_listed(table: Table, k: int, slack: float, data: st.DataObject) -> None:
    levels = levels_of(table)
    n = levels.weights.size
    prices = np.array(data.draw(st.lists(SIXTEENTHS, min_size=n, max_size=n)))
    listed = []
    room = Boxes(np.zeros(100_001, np.int64), np.empty(1_000_000, np.int32), np.empty(100_000))
    for top in levels.tops:
        order = dearest_first(prices)
        n_boxes, _ = near_boxes(levels.lattice, levels.weights, prices, order, k, slack, top, 50, room)
        for box in range(n_boxes):
            rows = room.members[room.offsets[box] : room.offsets[box + 1]]
            assert (np.diff(prices[rows]) <= 0).all()
            listed.append((sorted(rows.tolist()), room.costs[box]))
    weights = levels.weights.tolist()
    near = [
        (rows, cost)
        for rows, cost in boxes_of(levels.lattice)
        if naive.dearest(rows, weights, prices.tolist(), k) > k * (cost - slack)
    ]
    assert sorted(listed) == sorted(near)


def test_boxes_list_their_dearest_rows() -> None:
    levels = levels_of(starred([f"{row}" for row in range(9)]))
    prices = np.linspace(0.5, 0.9, 9)
    room = Boxes(np.zeros(10, np.int64), np.empty(10, np.int32), np.empty(9))
    order = dearest_first(prices)
    found = [near_boxes(levels.lattice, levels.weights, prices, order, 2, 1.0, top, 3, room) for top in levels.tops]
    assert found == [(0, 0), (1, 3)]
    assert room.members[:3].tolist() == [8, 7, 6]


@pytest.mark.parametrize("room", [Boxes(np.zeros(2, np.int64), np.empty(100, np.int32), np.empty(1)),
                                  Boxes(np.zeros(50, np.int64), np.empty(3, np.int32), np.empty(49))])  # fmt: skip
def test_too_little_room_is_told(room: Boxes) -> None:
    levels = levels_of(starred(["x", "y"] * 8, ["u", "v", "w", "w"] * 4))
    prices = np.full(levels.weights.size, 0.4)
    order = dearest_first(prices)
    found = [near_boxes(levels.lattice, levels.weights, prices, order, 2, 9.0, top, 9, room)[0] for top in levels.tops]
    assert -1 in found


@st.composite
def checked(draw: st.DrawFn) -> tuple[LevelCosts, list[int], list[Cut]]:
    """A lattice, prices of its distinct rows, and cuts, in the integers that the check reads."""
    levels = levels_of(draw(tables(9, 3, NESTED)))
    n = levels.weights.size
    prices = draw(st.lists(st.integers(0, UNIT), min_size=n, max_size=n))
    return levels, prices, draw(drawn_cuts(n, st.integers(0, UNIT // 3)))


def worst_on(levels: LevelCosts, prices: Sequence[int], k: int, cuts: Sequence[Cut], most: int, limit: int) -> float:
    n, given_prices = len(prices), np.array(prices, np.int64)
    order, listed = dearest_first(given_prices), listed_cuts(cuts, n, np.int64)
    found = (
        excess(levels.whole, levels.weights, given_prices, order, k, listed, top, most, limit) for top in levels.tops
    )
    return max(found)


@settings(max_examples=examples(3))
@given(checked(), st.integers(1, 4))
def test_the_check_tries_every_group_of_every_box(drawn: tuple[LevelCosts, list[int], list[Cut]], k: int) -> None:
    levels, prices, cuts = drawn
    worst = naive.too_dear(boxes_of(levels.whole), levels.weights.tolist(), prices, k, cuts)
    assert worst_on(levels, prices, k, cuts, ALL, ALL) == worst


@settings(max_examples=examples(3))
@given(checked(), st.integers(1, 4), st.sampled_from([(ALL, 1), (ALL, 5), (1, ALL), (3, ALL), (3, 2)]))
def test_a_check_that_is_cut_short_is_never_too_kind(
    drawn: tuple[LevelCosts, list[int], list[Cut]], k: int, effort: tuple[int, int]
) -> None:
    """Nor is it stricter than if no group paid a toll."""
    (levels, prices, cuts), boxes = drawn, boxes_of(drawn[0].whole)
    weights = levels.weights.tolist()
    found = worst_on(levels, prices, k, cuts, *effort)
    assert found >= naive.least_scaling(boxes, weights, prices, k, cuts) * (1 - 1e-15)
    assert found <= naive.too_dear(boxes, weights, prices, k)


def test_the_check_knows_tolls_that_no_group_avoids() -> None:
    """All 12 rows are in the cut, so each group of 3 pays; a single try has to know that, or prices of 4/3 fail."""
    levels, prices = levels_of(starred([f"{row}" for row in range(12)])), [4 * UNIT // 3] * 12
    cut = Cut({*range(12)}, 1, UNIT // 3)
    assert worst_on(levels, prices, 3, [cut], ALL, 1) <= 1 + 2 / 9
    assert worst_on(levels, prices, 3, [cut], 11, ALL) == pytest.approx(4 / 3)  # boxes of more rows pay no toll


@st.composite
def priced_boxes(draw: st.DrawFn) -> tuple[list[Box], list[int], list[float], list[Cut]]:
    """Boxes of rows, weights, prices and cuts."""
    weights = draw(WEIGHTS)
    n = len(weights)
    some = st.tuples(st.sets(st.integers(0, n - 1), min_size=1).map(sorted), SIXTEENTHS)
    prices = draw(st.lists(SIXTEENTHS, min_size=n, max_size=n))
    return draw(st.lists(some, min_size=1, max_size=4)), weights, prices, draw(drawn_cuts(n, SIXTEENTHS))


def dear_in(
    drawn: tuple[list[Box], list[int], list[float], list[Cut]], whole: Sequence[bool], k: int, least: float, limit: int
) -> list[Group]:
    """The group of each box that is found; an empty one where there is none."""
    boxes, weights, prices, cuts = drawn
    n = len(boxes)
    rows, counts = np.empty((n, 2 * k - 1), np.int32), np.empty((n, 2 * k - 1), np.int32)
    lengths = dear_groups(
        *(listed_boxes(boxes), 0, n, np.array(whole), np.array(weights), np.array(prices)),
        *(listed_cuts(cuts, len(weights), np.float64), k, least, limit, rows, counts),
    )
    return [tuple(np.repeat(rows[box, :m], counts[box, :m]).tolist()) for box, m in enumerate(lengths)]


@settings(max_examples=examples(10))
@given(priced_boxes(), st.integers(2, 4), st.sampled_from([0.0, 0.5]), st.data())
def test_the_dearest_group_of_each_box_is_found(
    drawn: tuple[list[Box], list[int], list[float], list[Cut]], k: int, least: float, data: st.DataObject
) -> None:
    """Where not all rows of a box are listed, tolls are unknown, so it is that of the k dearest without any."""
    boxes, weights, prices, cuts = drawn
    whole = data.draw(st.lists(st.booleans(), min_size=len(boxes), max_size=len(boxes)))
    for (rows, cost), is_whole, group in zip(boxes, whole, dear_in(drawn, whole, k, least, ALL), strict=True):
        due = cuts if is_whole else ()
        wanted = naive.worst_excess((rows, cost), weights, prices, k, due)
        if not is_whole:
            wanted = naive.dearest(rows, weights, prices, k) - k * cost
            assert len(group) in (0, k)
        if wanted <= least:
            assert not group
        else:
            assert tuple(sorted(group)) in naive.groups_in(rows, weights, k)
            assert naive.excess(group, cost, prices, due) == wanted


@settings(max_examples=examples(5))
@given(priced_boxes(), st.integers(2, 4), st.integers(1, 6))
def test_few_tries_find_dear_groups_or_none(
    drawn: tuple[list[Box], list[int], list[float], list[Cut]], k: int, limit: int
) -> None:
    boxes, weights, prices, cuts = drawn
    for (rows, cost), group in zip(boxes, dear_in(drawn, [True] * len(boxes), k, 0.25, limit), strict=True):
        assert not group or tuple(sorted(group)) in naive.groups_in(rows, weights, k)
        assert not group or naive.excess(group, cost, prices, cuts) > 0.25


def test_boxes_are_searched_from_first_to_last() -> None:
    boxes = listed_boxes([([0, 1], 0.25), ([1, 2], 0.5), ([2, 3], 0.25)])
    rows, counts = np.zeros((1, 3), np.int32), np.zeros((1, 3), np.int32)
    prices, cuts = np.array([1.0, 1.0, 1.0, 1.0]), listed_cuts([], 4, np.float64)
    lengths = dear_groups(boxes, 1, 2, np.ones(3, bool), np.ones(4, np.int64), prices, cuts, 2, 0.0, 99, rows, counts)
    assert (lengths.tolist(), rows[0, :2].tolist(), counts[0, :2].tolist()) == ([2], [1, 2], [1, 1])


@settings(max_examples=examples(10))
@given(priced_boxes(), st.integers(2, 3), st.sampled_from([1, 3, ALL]), st.data())
def test_lowered_prices_are_not_too_high(
    drawn: tuple[list[Box], list[int], list[float], list[Cut]], k: int, limit: int, data: st.DataObject
) -> None:
    """However few groups are tried, no listed box has one above its cost and tolls, and no price rises."""
    boxes, weights, before, cuts = drawn
    whole = data.draw(st.lists(st.booleans(), min_size=len(boxes), max_size=len(boxes)))
    prices = np.array(before)
    listed = listed_cuts(cuts, len(weights), np.float64)
    by = lower(listed_boxes(boxes), np.array(whole), np.array(weights), prices, listed, k, limit)
    assert (prices >= 0).all()
    assert (prices <= before).all()
    assert by * (1 + 1e-6) >= (np.array(before) - prices) @ weights
    worst = max(
        naive.worst_excess(box, weights, prices.tolist(), k, cuts if is_whole else ())
        for box, is_whole in zip(boxes, whole, strict=True)
    )
    assert worst <= 1e-9
    if limit == ALL:
        was_fine = all(
            naive.worst_excess(box, weights, before, k, cuts if is_whole else ()) <= 0
            for box, is_whole in zip(boxes, whole, strict=True)
        )
        assert (by == 0) == was_fine


def tolled(groups: Sequence[Group], costs: Sequence[float], cuts: Sequence[Cut], n_rows: int) -> Groups:
    """The groups as ``use`` reads them."""
    listed, rows = listed_cuts(cuts, n_rows, np.float64), listed_groups(groups)
    paid = count_tolls(*rows, np.ones(len(groups), bool), listed.at, listed.cuts, listed.divisors)
    return Groups(*rows, np.array(costs, np.float64), *paid)


@settings(max_examples=examples(5))
@given(WEIGHTS, st.integers(2, 4), st.data())
def test_groups_pay_for_every_divisor_rows_in_a_cut(weights: list[int], k: int, data: st.DataObject) -> None:
    assume(sum(weights) >= k)
    groups, cuts = data.draw(drawn_groups(weights, k)), data.draw(drawn_cuts(len(weights), st.just(1.0)))
    pays = data.draw(st.lists(st.booleans(), min_size=len(groups), max_size=len(groups)))
    listed = listed_cuts(cuts, len(weights), np.float64)
    rows = listed_groups(groups)
    offsets, paid, often = count_tolls(*rows, np.array(pays), listed.at, listed.cuts, listed.divisors)
    for at, group in enumerate(groups):
        inside = slice(offsets[at], offsets[at + 1])
        wanted = {number: naive.times(group, cut) for number, cut in enumerate(cuts) if pays[at]}
        found = dict(zip(paid[inside].tolist(), often[inside].tolist(), strict=True))
        assert found == {number: n for number, n in wanted.items() if n}


@settings(max_examples=examples(5))
@given(WEIGHTS, st.integers(2, 4), st.data())
def test_one_sweep_sets_each_use_to_its_best_value(weights: list[int], k: int, data: st.DataObject) -> None:
    assume(sum(weights) >= k)
    groups, cuts = data.draw(drawn_groups(weights, k)), data.draw(drawn_cuts(len(weights), SIXTEENTHS))
    n, m = len(weights), len(groups)
    costs, uses = (data.draw(st.lists(SIXTEENTHS, min_size=m, max_size=m)) for _ in range(2))
    prices = data.draw(st.lists(st.floats(-2, 2), min_size=n, max_size=n))
    least, most = data.draw(st.lists(st.floats(-1, 0), min_size=n, max_size=n)), [1.0] * n
    wanted_uses, wanted_prices = [*uses], [*prices]
    wanted_tolls = naive.swept(groups, costs, wanted_uses, wanted_prices, (least, most), cuts, 0.25)
    found_uses, found_prices, found_tolls = np.array(uses), np.array(prices), np.array([cut.toll for cut in cuts])
    program = tolled(groups, costs, cuts, n)
    use(program, found_uses, found_prices, found_tolls, np.array(least), np.array(most), 0.25, 1)
    assert found_uses == pytest.approx(wanted_uses)
    assert found_prices == pytest.approx(wanted_prices)
    assert found_tolls == pytest.approx(wanted_tolls)
    rows, paid = covered(program, found_uses, n, len(cuts))
    held = range(m)
    assert rows == pytest.approx([sum(wanted_uses[g] * groups[g].count(row) for g in held) for row in range(n)])
    assert paid == pytest.approx([sum(wanted_uses[g] * naive.times(groups[g], cut) for g in held) for cut in cuts])


@given(WEIGHTS, st.integers(2, 3), st.data())
def test_after_many_sweeps_no_use_alone_can_be_better(weights: list[int], k: int, data: st.DataObject) -> None:
    """Groups that were idle at first are looked at again when prices have changed."""
    assume(sum(weights) >= k)
    groups, cuts = data.draw(drawn_groups(weights, k)), data.draw(drawn_cuts(len(weights), SIXTEENTHS))
    costs = data.draw(st.lists(SIXTEENTHS, min_size=len(groups), max_size=len(groups)))
    n, program = len(weights), tolled(groups, costs, cuts, len(weights))
    uses, prices, tolls = np.zeros(len(groups)), np.full(n, 1.0), np.array([cut.toll for cut in cuts])
    use(program, uses, prices, tolls, np.full(n, -1.0), np.full(n, 1.0), 0.25, 4000)
    bounded, due = np.clip(prices, -1.0, 1.0).tolist(), np.maximum(tolls, 0.0).tolist()
    for group, cost, used in zip(groups, costs, uses, strict=True):
        tolled_by = sum(naive.times(group, cut) * toll for cut, toll in zip(cuts, due, strict=True))
        over = sum(bounded[row] for row in group) - tolled_by - cost
        assert over <= 1e-6
        assert used == 0 or over >= -1e-6


@settings(max_examples=examples(2))
@given(WEIGHTS, st.integers(2, 3), st.data())
def test_uses_and_prices_approach_the_optimum(weights: list[int], k: int, data: st.DataObject) -> None:
    """As the linear program uses them: prices rise and fall with what is covered, and tolls with what is paid."""
    assume(sum(weights) >= k)
    groups, cuts = data.draw(drawn_groups(weights, k)), data.draw(drawn_cuts(len(weights), st.just(0.0)))
    costs = data.draw(st.lists(SIXTEENTHS, min_size=len(groups), max_size=len(groups)))
    n, program = len(weights), tolled(groups, costs, cuts, len(weights))
    most = [sum(weights[row] for row in cut.rows) // cut.divisor for cut in cuts]
    uses, prices, tolls = np.zeros(len(groups)), np.zeros(n), np.zeros(len(cuts))
    for _ in range(400):
        rows, paid = covered(program, uses, n, len(cuts))
        prices, tolls = prices + 0.25 * (weights - rows), tolls + 0.25 * (paid - most)
        use(program, uses, prices, tolls, np.full(n, -1.0), np.full(n, 1.0), 0.25, 10)
        prices, tolls = np.clip(prices, -1.0, 1.0), np.maximum(tolls, 0.0)
    best = naive.best_dual(groups, costs, weights, cuts, most)
    assert prices @ weights - tolls @ most == pytest.approx(best, abs=1e-3)
    due = [naive.Cut(cut.rows, cut.divisor, toll) for cut, toll in zip(cuts, tolls, strict=True)]
    priced_at = prices.tolist()
    assert all(naive.excess(g, c / len(g), priced_at, due) < 1e-3 for g, c in zip(groups, costs, strict=True))


def used_of(groups: Sequence[Group], uses: Sequence[float], n_rows: int) -> Used:
    starts, rows, counts = listed_groups(groups)
    by_row = [[(at, group.count(row)) for at, group in enumerate(groups) if row in group] for row in range(n_rows)]
    flat = [pair for some in by_row for pair in some]
    at = np.cumsum([0, *map(len, by_row)])
    of_row = np.array([n for _, n in flat], np.int32)
    return Used(starts, rows, counts, np.array(uses), at, np.array([g for g, _ in flat], np.int64), of_row)


def overfull_sets(
    groups: Sequence[Group],
    uses: Sequence[float],
    weights: Sequence[int],
    may: Sequence[bool],
    divisor: int,
    limit: int,
    bend: float = 0.5,
    least: float = 0.01,
) -> list[tuple[list[int], float]]:
    """The sets that grow from all groups, and by how much they are overfull."""
    out = np.empty((limit * len(groups), (limit + 1) * divisor), np.int32)
    sizes, over = overfull(
        *(np.arange(len(groups)), divisor, limit, bend, used_of(groups, uses, len(weights))),
        *(np.array(weights), np.array(may), least, out),
    )
    return [(out[at, :size].tolist(), by) for at, (size, by) in enumerate(zip(sizes, over.tolist(), strict=True))]


@settings(max_examples=examples(10))
@given(WEIGHTS, st.integers(2, 4), st.integers(1, 4), st.sampled_from([0.25, 0.8]), st.data())
def test_sets_are_as_overfull_as_is_claimed(
    weights: list[int], k: int, limit: int, bend: float, data: st.DataObject
) -> None:
    assume(sum(weights) >= k)
    groups, divisor = data.draw(drawn_groups(weights, k)), data.draw(st.integers(2, k))
    uses = data.draw(st.lists(st.floats(0, 1), min_size=len(groups), max_size=len(groups)))
    may = data.draw(st.lists(st.booleans(), min_size=len(weights), max_size=len(weights)))
    for rows, by in overfull_sets(groups, uses, weights, may, divisor, limit, bend):
        assert by > 0.01
        assert by == pytest.approx(naive.overfull_by(groups, uses, Cut({*rows}, divisor, 0.0), weights))
        assert len({*rows}) == len(rows)
        assert all(may[row] for row in rows)
        assert sum(weights[row] for row in rows) <= (limit + 1) * divisor - 1


CYCLE = [(row, (row + 1) % 5) for row in range(5)]
FANO = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]


@pytest.mark.parametrize(
    ("groups", "share", "weights", "divisor", "limit"),
    [
        pytest.param([(0, 1), (0, 2), (1, 2)], 1 / 2, [1, 1, 1], 2, 1, id="three pairs of three rows"),
        pytest.param([tuple(sorted(pair)) for pair in CYCLE], 1 / 2, [1] * 5, 2, 2, id="a ring of five pairs"),
        pytest.param([(0, 0), (0, 1), (0, 1)], 1 / 2, [2, 1], 2, 1, id="equal rows"),
        pytest.param(FANO, 1 / 3, [1] * 7, 3, 2, id="seven triples of seven rows"),
        pytest.param([(0, 1, 2, 3), (0, 1, 4, 5), (2, 3, 4, 5)], 1 / 2, [1] * 6, 4, 1, id="three halves of six rows"),
    ],
)
def test_the_most_overfull_set_is_found(
    groups: list[Group], share: float, weights: list[int], divisor: int, limit: int
) -> None:
    uses = [share] * len(groups)
    found = overfull_sets(groups, uses, weights, [True] * len(weights), divisor, limit)
    best = naive.most_overfull(groups, uses, divisor, limit, weights)
    assert best > 0.1
    assert max((by for _, by in found), default=0) == pytest.approx(best)


@settings(max_examples=examples(5))
@given(WEIGHTS, st.integers(2, 4), st.data())
def test_groups_that_fit_are_taken_in_order(weights: list[int], k: int, data: st.DataObject) -> None:
    assume(sum(weights) >= k)
    groups = data.draw(drawn_groups(weights, k))
    uses = data.draw(st.lists(SIXTEENTHS, min_size=len(groups), max_size=len(groups)))
    order = data.draw(st.lists(st.sampled_from(range(len(groups))), unique=True))
    sure, enough = data.draw(SIXTEENTHS), data.draw(st.integers(0, 8))
    starts, rows, counts = listed_groups(groups)
    left = np.array(weights)
    taken = fitting_together(starts, rows, counts, np.array(uses), np.array(order, np.int64), left, sure, enough)
    assert taken.tolist() == naive.fitting(groups, uses, order, weights, sure, enough)
    assert left.tolist() == weights


@settings(max_examples=examples(3))
@given(tables(12, 3, NESTED), st.data())
def test_each_row_joins_where_it_costs_least(table: Table, data: st.DataObject) -> None:
    levels, price = levels_of(table), priced(table, LM())
    homes = data.draw(st.lists(st.integers(-1, 2), min_size=table.n_rows, max_size=table.n_rows))
    firsts, ids = table.distinct.firsts, table.distinct.ids.tolist()
    groups = [[row for row, home in enumerate(homes) if home == g] for g in range(3)]
    groups = [group for group in groups if group]
    assume(groups)
    stray = [row for row, home in enumerate(homes) if home < 0]
    members = np.array([(g, ids[row]) for g, group in enumerate(groups) for row in group], np.int64)
    joined = cheapest_homes(levels.lattice, members, len(groups), np.array([ids[row] for row in stray], np.int64))
    assert joined.size == len(stray)
    for row, home in zip(stray, joined.tolist(), strict=True):
        added = [naive.added_cost(tuple(group), row, price) for group in groups]
        assert added[home] == pytest.approx(min(added), abs=1e-9)
        groups[home].append(row)
    assert firsts.size == levels.weights.size
