"""The linear program over groups: its prices and tolls prove bounds, and its uses of groups cost as much."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import shoal.algorithms.relaxation.linear_program as linear_program
from naive import relaxation as naive
from naive.clustering import least_cost
from naive.relaxation import Cut, Group
from shoal.algorithms.relaxation.certificate import approach
from shoal.algorithms.relaxation.group_pool import GroupPool
from shoal.algorithms.relaxation.linear_program import LinearProgram, dearest_first, listed_at_most
from shoal.algorithms.relaxation.node_costs import LevelCosts
from shoal.algorithms.relaxation.rounding_cuts import RoundingCuts
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.metrics import LM
from support.effort import examples
from support.relaxation import NESTED, boxes_of, grid, pool_of, priced, starred, three_pairs
from support.strategies import tables


def program_of(table: Table, k: int, has_cuts: bool = False, start: float = 0.5) -> LinearProgram:
    levels = LevelCosts.of(table, LM())
    most = np.where(levels.free(k), 0.0, 1.0)
    cutting = RoundingCuts(levels.weights, k) if has_cuts else None
    return LinearProgram(levels, k, start * most, np.zeros(most.size), most, Randomness(1), cutting)


def solved(table: Table, k: int, has_cuts: bool = False) -> LinearProgram:
    program = program_of(table, k, has_cuts)
    approach(program, 5.0, Silent())
    return program


def proved(program: LinearProgram) -> float:
    """All repaired prices, less tolls as often as they can be paid."""
    back = program.cutting.returned if program.cutting else 0.0
    return float(program.repaired() @ program.levels.weights) - back


def groups_of(pool: GroupPool) -> list[Group]:
    copies = np.repeat(pool.rows, pool.counts)
    return (
        [tuple(sorted(part.tolist())) for part in np.split(copies, np.cumsum(pool.sizes)[:-1])] if copies.size else []
    )


def cuts_of(program: LinearProgram) -> list[Cut]:
    cutting = program.cutting
    assert cutting is not None
    several = zip(cutting.sets, cutting.divisors, cutting.tolls.tolist(), strict=True)
    return [Cut({*rows.tolist()}, divisor, toll) for rows, divisor, toll in several]


@given(tables(9, 3, NESTED), st.integers(2, 3))
def test_prices_are_the_best_there_are(table: Table, k: int) -> None:
    """Of 493 tables drawn like these, the bound of none is below 0.99999 of the best."""
    assume(table.n_rows >= k)
    best = naive.best_bound(table.n_rows, priced(table, LM()), k)
    assert 0.99 * best - 1e-9 <= proved(solved(table, k)) <= best + 1e-9


@given(tables(8, 3, NESTED), st.integers(2, 4))
def test_cuts_prove_more_but_never_more_than_a_partition_loses(table: Table, k: int) -> None:
    assume(table.n_rows >= k)
    price = priced(table, LM())
    best, program = naive.best_bound(table.n_rows, price, k), solved(table, k, has_cuts=True)
    least = least_cost(table.n_rows, lambda rows: round(price(rows) * 2**40), k) / 2**40
    assert 0.99 * best - 1e-9 <= proved(program) <= least + 1e-9
    prices, weights = program.repaired(), program.levels.weights.tolist()
    assert ((prices >= 0) & (prices <= program.most)).all()
    for box in boxes_of(program.levels.lattice):
        assert naive.worst_excess(box, weights, prices.tolist(), k, cuts_of(program)) <= 1e-9


@given(tables(12, 3, NESTED), st.integers(2, 3), st.booleans())
def test_groups_in_parts_cost_as_much_as_prices_prove(table: Table, k: int, has_cuts: bool) -> None:
    """Rows that are not covered cost what a suppressed row does. Groups consist of rows that there are, in a box."""
    assume(table.n_rows >= k)
    program, price, weights = solved(table, k, has_cuts), priced(table, LM()), table.distinct.weights.tolist()
    pool = program.pool
    assert (pool.uses >= 0).all()
    covered = np.zeros(len(weights))
    for group, cost, use in zip(groups_of(pool), pool.costs, pool.uses, strict=True):
        assert group in naive.groups_in({*group}, weights, k)
        assert cost >= len(group) * price(table.distinct.firsts[[*{*group}]].tolist()) - 1e-9
        np.add.at(covered, list(group), use)
    missing = np.maximum(0.0, program.weights - covered) @ program.most
    assert pool.costs @ pool.uses + missing == pytest.approx(program.bound, rel=0.01, abs=1e-6)


def test_halves_of_three_pairs_are_priced_out() -> None:
    """Prices of 1 and a toll of 2/3 for every two of the three rows: see ``test_cuts_prove_what_prices_cannot``."""
    program = solved(three_pairs(), 2, has_cuts=True)
    assert program.prices == pytest.approx([1, 1, 1], rel=1e-4)
    assert [(cut.rows, cut.divisor) for cut in cuts_of(program) if cut.toll] == [({0, 1, 2}, 2)]
    assert proved(program) == pytest.approx(7 / 3, rel=1e-4)
    plain = solved(three_pairs(), 2)
    assert plain.prices == pytest.approx([2 / 3] * 3, rel=1e-4)
    assert plain.pool.covered(plain.cuts, 3)[0] == pytest.approx([1, 1, 1], rel=1e-3)
    assert plain.cut() == 0


def test_the_bound_rises_far_from_low_prices() -> None:
    table = grid(300)
    low, prices = program_of(table, 4, start=0.01), solved(table, 4).repaired()
    before = low.bound
    for _ in range(8):
        low.cycle()
    assert low.bound > 3 * before
    assert low.bound == pytest.approx(float(prices @ low.levels.weights), rel=0.02)


def test_the_same_seed_gives_the_same_prices() -> None:
    first, second = (program_of(grid(100), 3, has_cuts=True) for _ in range(2))
    for program in (first, second):
        for _ in range(6):
            program.cycle()
            program.cut()
    assert first.prices.tolist() == second.prices.tolist()
    assert cuts_of(first) == cuts_of(second)


def test_boxes_are_listed_from_farther_away_until_prices_settle() -> None:
    program, seen = program_of(grid(60), 3), []
    while not program.is_settled:
        program.cycle()
        seen.append(program.slack)
        assert (program.prices <= program.ceiling).all()
        assert (program.ceiling <= program.most).all()
    assert seen == sorted(seen, reverse=True)
    assert 2 <= len(seen) < 30


def listed(program: LinearProgram) -> list[tuple[list[int], float]]:
    ends, members = program.boxes.offsets.tolist(), program.boxes.members.tolist()
    rows = [sorted(members[start:end]) for start, end in pairwise(ends)]
    return sorted(zip(rows, program.boxes.costs.tolist(), strict=True))


def test_near_boxes_are_listed_however_small_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    program, wanted = program_of(grid(40), 3), []
    weights, prices = program.levels.weights.tolist(), program.prices.tolist()
    for rows, cost in boxes_of(program.levels.lattice):
        if naive.dearest(rows, weights, prices, 3) > 3 * (cost - 0.3):
            wanted.append((rows, cost))
    program.look(0.3)
    assert listed(program) == sorted(wanted)
    monkeypatch.setattr(linear_program, "_ROOM", 1)
    small = program_of(grid(40), 3)
    small.look(0.3)
    assert listed(small) == sorted(wanted)


def test_prices_fall_where_too_many_boxes_are_near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_program, "_ROOM", 4)
    monkeypatch.setattr(linear_program, "_MOST_ROOM", 20)
    program = program_of(grid(40), 3, start=1.0)
    program.look(0.3)
    assert 0 < program.prices.max() < 1
    assert program.boxes.costs.size <= 20


@pytest.mark.parametrize(("n_rows", "is_whole"), [(63, True), (64, False), (70, False)])
def test_groups_of_a_box_with_too_many_rows_pay_no_tolls(n_rows: int, is_whole: bool) -> None:
    """Only its 64 dearest rows are listed, so it is not known which group pays least."""
    program = program_of(starred([f"{row}" for row in range(n_rows)]), 3, has_cuts=True)
    program.most, program.prices = np.full(n_rows, 2.0), np.full(n_rows, 1.5)
    program.look(0.1)
    assert np.diff(program.boxes.offsets).tolist() == [min(n_rows, listed_at_most(3))]
    assert program.is_whole.tolist() == [is_whole]
    program.solve(1)
    assert program.pool.pays.tolist() == [is_whole]


def test_groups_that_are_taken_use_up_rows_and_tolls() -> None:
    """Two copies of row 0 are left of four, one toll of two, and no group that needs more."""
    table = starred(["x"] * 4 + ["y"] * 2, ["u"] * 6)
    program = program_of(table, 2, has_cuts=True)
    assert program.cutting is not None
    cutting = program.cutting
    cutting.sets, cutting.divisors, cutting.tolls = [np.array([0], np.int32)], [2], np.array([0.25])
    cutting.most, cutting.idle = np.array([2.0]), np.array([0])
    program.cuts, program.prices = cutting.cuts(cutting.tolls), np.array([0.5, 0.25])
    program.pool = pool_of([(0, 0, 1), (0, 0, 0), (0, 1), (1, 1), (0, 0)], [1.0] * 5, [0.9, 0.2, 0.5, 0.1, 1.5])
    program.take(np.array([True, False, False, False, False]))
    assert program.weights.tolist() == [2, 1]
    assert cutting.most.tolist() == [1]
    assert groups_of(program.pool) == [(0, 0, 1), (0, 1), (0, 0)]
    assert program.pool.uses.tolist() == [0, 0.5, 1.5]
    program.take(np.array([False, False, True]))
    assert program.weights.tolist() == [0, 1]
    assert program.prices.tolist() == [0, 0.25]
    assert cutting.most.tolist() == [0]
    assert groups_of(program.pool) == []


@settings(max_examples=examples(3))
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=9))
def test_rows_by_price(prices: list[float]) -> None:
    """Equal ones in their order."""
    wanted = sorted(range(len(prices)), key=lambda row: (-prices[row], row))
    assert dearest_first(np.array(prices)).tolist() == wanted


@pytest.mark.parametrize(("until", "n_turns"), [(0.0, 1), (2.5, 3), (100.0, 5)])
def test_no_turn_but_the_first_begins_when_the_time_is_up(
    until: float, n_turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that advances a second each time that somebody looks."""
    seconds, real, turns = iter(range(1, 100)), GroupPool.use, []

    def use(pool: GroupPool, *said: Any) -> None:
        turns.append(1)
        real(pool, *said)

    monkeypatch.setattr(linear_program, "working_time", lambda: float(next(seconds)))
    monkeypatch.setattr(GroupPool, "use", use)
    program = program_of(grid(40), 3)
    program.look(0.1)
    program.solve(5, until)
    assert len(turns) == n_turns
