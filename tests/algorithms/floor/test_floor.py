"""The floor: below every release, near the linear program, and checked by code that did not find it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive import floor as naive
from naive.clustering import least_cost
from shoal.algorithms import Agglomerative, Mondrian
from shoal.algorithms.floor import Floor, find_floor, require_certifiable
from shoal.algorithms.floor.certificate import proven
from shoal.algorithms.floor.dual_ascent import Ascent, dearest_first
from shoal.algorithms.floor.node_costs import UNIT, LevelCosts
from shoal.algorithms.floor.packing_cuts import PackingCuts
from shoal.core.contracts import CellMetric, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.floor_boxes import Boxes, near_boxes
from shoal.kernels.floor_check import excess
from shoal.metrics import DM, GCP, LM
from shoal.models import KAnonymity, KConcealment, LDiversity, UniformMatching
from support.effort import examples
from support.strategies import tables
from support.tables import coded, partitioned

NESTED = ("tree", "suppress")
SECONDS = 5.0


def floor_of(table: Table, k: int, metric: CellMetric | None = None, limit: float = 0.0) -> Floor:
    goal = Goal((KAnonymity(k),), metric or LM(), limit)
    release = Mondrian().run(table, goal, Randomness(1), Silent())
    return find_floor(release, goal, Randomness(1), Silent(), SECONDS)


def priced(table: Table, metric: CellMetric) -> naive.Price:
    """The cost of the cells around some rows, for each of them."""

    def price(rows: Sequence[int]) -> float:
        lost = partitioned(table, [list(rows)])
        return float((metric.score(lost) * table.n_rows - (table.n_rows - len(rows))) / len(rows))

    return price


@settings(max_examples=examples(1.5))
@given(tables(8, 3, NESTED), st.integers(2, 4), st.sampled_from([LM(), GCP()]))
def test_no_partition_loses_less(table: Table, k: int, metric: CellMetric) -> None:
    assume(table.n_rows >= k)
    floor, price = floor_of(table, k, metric), priced(table, metric)
    scaled = least_cost(table.n_rows, lambda rows: round(price(rows) * 2**40), k) / 2**40
    assert floor.value * table.n_rows <= scaled + 1e-6
    assert floor.value <= floor.loss + 1e-9


@settings(max_examples=examples(1.5))
@given(tables(9, 3, NESTED), st.integers(2, 3))
def test_the_floor_is_near_the_best_that_prices_can_do(table: Table, k: int) -> None:
    """The ascent may stop beside the best: of 1,757 tables drawn like these, 5 are below 0.97 and none below 0.94.

    If releases need not be groups, no cut raises the floor above what prices can do.
    """
    assume(table.n_rows >= k)
    best = naive.best_bound(table.n_rows, priced(table, LM()), k)
    release = partitioned(table, [list(range(table.n_rows))])
    matched = find_floor(release, Goal((UniformMatching(k),), LM()), Randomness(1), Silent(), SECONDS)
    assert 0.9 * best - 1e-6 <= matched.value * table.n_rows <= best + 1e-6
    assert floor_of(table, k).value * table.n_rows >= 0.9 * best - 1e-6


def test_cuts_prove_what_prices_cannot() -> None:
    """Any two of these rows share one value and all three share none, so three halves of a pair cost 2, and a group 3.

    Prices of 1, the most that a row may cost, and a toll of 2/3 for pairs prove 3 - 2/3.
    """
    columns = {"a": ["1", "1", "2"], "b": ["1", "2", "1"], "c": ["2", "1", "1"]}
    table = coded(columns, [*columns], recodings=dict.fromkeys(columns, "suppress"))
    assert naive.best_bound(3, priced(table, LM()), 2) == pytest.approx(2)
    assert floor_of(table, 2).value * 3 == pytest.approx(3 - 2 / 3, rel=0.02)
    whole = partitioned(table, [[0, 1, 2]])
    matched = find_floor(whole, Goal((UniformMatching(2),), LM()), Randomness(1), Silent(), SECONDS)
    assert matched.value * 3 == pytest.approx(2, rel=0.02)  # records with two matches need not be groups


def test_a_toll_is_paid_only_by_boxes_inside_the_cut() -> None:
    """Prices of 1.2 need a toll of 1; a cut that leaves out one of twelve rows does not contain their box."""
    table = coded({"a": [f"{row}" for row in range(12)]}, ["a"], recodings={"a": "suppress"})
    levels = LevelCosts.of(table, LM())
    prices = np.full(12, int(1.2 * UNIT))
    worst = []
    for rows in (range(12), range(11)):
        cutting = PackingCuts(levels.weights, 3, [np.array(rows, np.int32)])
        cuts = cutting.cuts(np.array([UNIT], np.int64))
        found = (
            excess(levels.whole, levels.weights, prices, dearest_first(prices), 3, cuts, top) for top in levels.tops
        )
        worst.append(max(found))
    assert worst == [0, pytest.approx(1.2)]


@given(tables(7, 2, NESTED), st.integers(2, 3), st.sampled_from([0.2, 0.5, 1.0]))
def test_no_partition_with_suppressed_rows_loses_less(table: Table, k: int, limit: float) -> None:
    assume(table.n_rows >= k)
    floor, metric = floor_of(table, k, limit=limit), LM()
    for kept in range(table.n_rows + 1):
        rows = list(range(kept))
        if kept >= k and table.n_rows - kept <= limit * table.n_rows:
            assert floor.value <= metric.score(partitioned(table, [rows])) + 1e-9
    if limit == 1.0:
        assert floor.value <= 1.0


def as_lists(levels: LevelCosts) -> tuple[list[list[list[int]]], list[list[list[int]]]]:
    whole = levels.whole
    columns = [range(start, stop) for start, stop in pairwise(whole.first.tolist())]
    nodes = [[whole.nodes[level].tolist() for level in column] for column in columns]
    ends = [*whole.at.tolist(), whole.costs.size]
    costs = [[whole.costs[ends[level] : ends[level + 1]].tolist() for level in column] for column in columns]
    return nodes, costs


@given(tables(14, 3, NESTED), st.integers(1, 5), st.data())
def test_the_check_looks_at_every_box(table: Table, k: int, data: st.DataObject) -> None:
    levels = LevelCosts.of(table, LM())
    n = levels.weights.size
    prices = np.array(data.draw(st.lists(st.integers(0, UNIT // 2), min_size=n, max_size=n)))
    order = dearest_first(prices)
    sets = data.draw(st.lists(st.sets(st.integers(0, n - 1), min_size=1), max_size=4))
    tolls = np.array(data.draw(st.lists(st.integers(0, UNIT // 8), min_size=len(sets), max_size=len(sets))), np.int64)
    cutting = PackingCuts(levels.weights, k, [np.array(sorted(rows), np.int32) for rows in sets])
    cuts = cutting.cuts(tolls)
    found = max(excess(levels.whole, levels.weights, prices, order, k, cuts, top) for top in levels.tops)
    rows = np.repeat(np.arange(n), levels.weights)
    copies = [
        ({at for at, row in enumerate(rows) if row in some}, int(toll)) for some, toll in zip(sets, tolls, strict=True)
    ]
    assert cuts.most.tolist() == [len(some) // k for some, _ in copies]
    nodes, costs = as_lists(levels)
    by_row = [[[level[row] for row in rows] for level in column] for column in nodes]
    assert found == pytest.approx(naive.too_dear(by_row, costs, prices[rows].tolist(), k, copies))


@given(tables(14, 3, NESTED), st.integers(2, 5), st.floats(0, 0.3), st.data())
def test_all_boxes_that_are_near_are_listed(table: Table, k: int, slack: float, data: st.DataObject) -> None:
    levels = LevelCosts.of(table, LM())
    n = levels.weights.size
    prices = np.array(data.draw(st.lists(st.floats(0, 0.5), min_size=n, max_size=n)))
    order, found = dearest_first(prices), 0
    room = Boxes(np.zeros(100_001, np.int64), np.empty(1_000_000, np.int32), np.empty(100_000))
    for top in levels.tops:
        n_boxes, _ = near_boxes(levels.lattice, levels.weights, prices, order, k, slack, top, 50, room)
        found += n_boxes
        for box in range(n_boxes):
            rows = room.members[room.offsets[box] : room.offsets[box + 1]]
            dear = np.repeat(prices[rows], levels.weights[rows])
            assert (np.diff(dear) <= 0).all()
            assert dear.size >= k
            assert dear[:k].sum() > k * (room.costs[box] - slack) - 1e-9
    assert found == count_near(levels, prices, k, slack)


@given(st.data(), st.integers(2, 4))
def test_cuts_that_are_found_hold_too_much(data: st.DataObject, k: int) -> None:
    """Each set is used by as much more than groups fit as is claimed, is not too wide, and begins with its box."""
    n = data.draw(st.integers(k, 9))
    weights = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)))
    boxes = data.draw(st.lists(st.sets(st.integers(0, n - 1), min_size=1, max_size=5), min_size=1, max_size=9))
    uses = data.draw(st.lists(st.floats(0, 1), min_size=len(boxes), max_size=len(boxes)))
    ends = np.cumsum([0, *map(len, boxes)])
    shares = Boxes(ends, np.array([row for box in boxes for row in sorted(box)], np.int32), np.zeros(len(boxes)))
    cutting = PackingCuts(weights, k)
    cutting.extend(shares, np.ones(len(boxes), bool), np.array(uses))
    counted = [(box, use) for box, use in zip(boxes, uses, strict=True) if use > 1e-3]
    for rows in cutting.rows:
        used = naive.used_inside([box for box, _ in counted], [use for _, use in counted], {*rows.tolist()})
        assert used > weights[rows].sum() // k
        assert weights[rows].sum() <= 8 * k
    overfull = [box for box, use in counted if use > weights[[*box]].sum() // k + 1e-3]
    known = [{*rows.tolist()} for rows in cutting.rows]
    assert all(any(box <= rows for rows in known) for box in overfull if weights[[*box]].sum() <= 8 * k)


@given(st.data())
def test_boxes_inside_cuts_are_found(data: st.DataObject) -> None:
    n, sets = 8, st.sets(st.integers(0, 7), min_size=1, max_size=6)
    cuts, boxes = data.draw(st.lists(sets, max_size=4)), data.draw(st.lists(sets, min_size=1, max_size=6))
    is_whole = np.array(data.draw(st.lists(st.booleans(), min_size=len(boxes), max_size=len(boxes))))
    cutting = PackingCuts(np.ones(n, np.int64), 2, [np.array(sorted(cut), np.int32) for cut in cuts])
    listed = Boxes(
        np.cumsum([0, *map(len, boxes)]),
        np.array([row for box in boxes for row in sorted(box)], np.int32),
        np.zeros(len(boxes)),
    )
    within = cutting.around(listed, is_whole)
    for at, box in enumerate(boxes):
        found = within.cuts[within.offsets[at] : within.offsets[at + 1]].tolist()
        assert found == [number for number, cut in enumerate(cuts) if is_whole[at] and box <= cut]


def count_near(levels: LevelCosts, prices: np.ndarray, k: int, slack: float) -> int:
    """How many boxes are near, one by one, and near with any of their columns left out."""
    from itertools import product

    first, count = levels.lattice.first.tolist(), 0
    for chosen in product(*(range(start, stop) for start, stop in pairwise(first))):
        boxes: dict[tuple[int, ...], list[int]] = {}
        for row in range(prices.size):
            boxes.setdefault(tuple(int(levels.lattice.nodes[level, row]) for level in chosen), []).append(row)
        for box, rows in boxes.items():
            cost = sum(
                float(levels.lattice.costs[levels.lattice.at[level] + node])
                for level, node in zip(chosen, box, strict=True)
            )
            dear = np.sort(np.repeat(prices[rows], levels.weights[rows]))[::-1]
            count += bool(dear.size >= k and dear[:k].sum() > k * (cost - slack))
    return count


def test_too_little_room_is_told() -> None:
    table = coded(
        {"a": ["x", "y"] * 8, "b": ["u", "v", "w", "w"] * 4}, ["a", "b"], recodings={"a": "suppress", "b": "suppress"}
    )
    levels = LevelCosts.of(table, LM())
    prices = np.full(levels.weights.size, 0.4)
    tiny = Boxes(np.zeros(2, np.int64), np.empty(100, np.int32), np.empty(1))
    found = [
        near_boxes(levels.lattice, levels.weights, prices, dearest_first(prices), 2, 9.0, top, 9, tiny)[0]
        for top in levels.tops
    ]
    assert -1 in found


def test_prices_that_are_too_high_are_scaled_down_and_hopeless_ones_dropped() -> None:
    table = coded({"a": [f"{row}" for row in range(12)]}, ["a"], recodings={"a": "suppress"})
    levels = LevelCosts.of(table, LM())
    assert proven(levels, 3, np.full(12, 2.0), None, Silent()) == pytest.approx(12 * UNIT, rel=1e-6)
    equal = coded({"a": ["x"] * 5 + ["y", "z"]}, ["a"], recodings={"a": "suppress"})
    free = LevelCosts.of(equal, LM())
    assert free.free(3).tolist() == [weight >= 3 for weight in free.weights]
    assert proven(free, 3, np.ones(3), None, Silent()) == 0


def test_tolls_are_subtracted_and_scaled_with_the_prices() -> None:
    """A toll of 1 lets five rows under stars, the most in a group of 3 that is not divided, be priced 1/5 higher."""
    table = coded({"a": [f"{row}" for row in range(12)]}, ["a"], recodings={"a": "suppress"})
    levels = LevelCosts.of(table, LM())
    cutting = PackingCuts(levels.weights, 3, [np.arange(12, dtype=np.int32)], np.array([1.0]))
    proved = (12 * 1.2 - 4) * UNIT
    assert proven(levels, 3, np.full(12, 1.2), cutting, Silent()) == pytest.approx(proved, rel=1e-6)
    assert proven(levels, 3, np.full(12, 1.25), cutting, Silent()) == pytest.approx((15 - 4) / 1.05 * UNIT, rel=1e-6)
    twice = replace(cutting, tolls=np.array([2.0]))
    assert proven(levels, 3, np.full(12, 2.4), twice, Silent()) == pytest.approx(proved, rel=1e-6)


def test_all_different_rows_under_stars_cost_everything() -> None:
    table = coded({"a": [f"{row}" for row in range(12)]}, ["a"], recodings={"a": "suppress"})
    assert floor_of(table, 3).value == pytest.approx(1.0, rel=1e-3)


def grid(n_rows: int) -> Table:
    rng = np.random.default_rng(4)
    columns = {name: [f"{v}" for v in rng.integers(0, 6, n_rows)] for name in "abc"}
    return coded(columns, [*columns], recodings=dict.fromkeys(columns, "suppress"))


def test_the_ascent_gains_much_and_stays_below_good_releases() -> None:
    table, goal = grid(600), Goal((KAnonymity(4),), LM())
    release = Agglomerative().run(table, goal, Randomness(1), Silent())
    floor = find_floor(release, goal, Randomness(1), Silent(), 3.0)
    assert 0.6 * floor.loss < floor.value <= floor.loss
    levels = LevelCosts.of(table, LM())
    start = Ascent(levels, 4, np.ones(levels.weights.size), np.full(levels.weights.size, 0.01), Randomness(1))
    before = start.total
    start.climb(1.0, Silent())
    assert start.total > 3 * before


@pytest.mark.parametrize(
    ("goal", "says"),
    [
        (Goal((KAnonymity(3),), DM()), "needs a cell-based metric such as lm, not 'dm'"),
        (Goal((KAnonymity(1),), LM()), "asks for groups of several rows"),
        (Goal((KConcealment(3),), LM()), "asks for groups of several rows"),
    ],
)
def test_what_cannot_be_certified_is_refused(goal: Goal, says: str) -> None:
    with pytest.raises(InputError, match=says):
        require_certifiable(grid(30), goal, 60.0)


@pytest.mark.parametrize(("values", "found"), [([1, 2, 3], "ranges"), (["x", "y", "z"], "sets")])
def test_columns_without_nested_cells_are_named(values: list[object], found: str) -> None:
    table = coded({"a": values, "b": ["u", "v", "w"]}, ["b", "a"], recodings={"b": "suppress"})
    with pytest.raises(InputError, match=f"those of 'a' are {found}; give the column a hierarchy"):
        require_certifiable(table, Goal((KAnonymity(2),), LM()), 60.0)


def test_too_little_time_is_told_beforehand() -> None:
    with pytest.raises(InputError, match="lattice has 8 nodes over"):
        require_certifiable(grid(500), Goal((KAnonymity(3),), LM()), 0.0)


def test_other_promises_count_with_the_rows_they_need() -> None:
    table, promises = grid(60), (UniformMatching(3), LDiversity(2))
    release = partitioned(table, [list(range(60))])
    floor = find_floor(release, Goal(promises, LM()), Randomness(1), Silent(), 1.0)
    assert floor.k == 3


@pytest.mark.parametrize(
    ("floor", "says"),
    [
        (Floor(0.05, 0.06, "lm", 5), "at most 20% above the best possible: no groups of 5 rows or more lose less than"),
        (Floor(0.0, 0.0, "lm", 5), "is the best possible"),
        (Floor(0.0, 0.1, "lm", 5), "could not be determined"),
    ],
)
def test_the_sentence(floor: Floor, says: str) -> None:
    assert says in str(floor)
