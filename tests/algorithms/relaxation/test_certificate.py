"""The floor: below every release, near the linear program, and checked by code that did not find it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive import relaxation as naive
from naive.clustering import least_cost
from naive.relaxation import Cut
from shoal.algorithms import Agglomerative, Mondrian
from shoal.algorithms.relaxation import Floor, find_floor, require_certifiable
from shoal.algorithms.relaxation.certificate import proven
from shoal.algorithms.relaxation.linear_program import dearest_first
from shoal.algorithms.relaxation.node_costs import UNIT, LevelCosts
from shoal.algorithms.relaxation.rounding_cuts import RoundingCuts
from shoal.core.contracts import CellMetric, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.relaxation_check import excess
from shoal.metrics import DM, GCP, LM
from shoal.models import AverageRisk, KAnonymity, KConcealment, LDiversity, UniformMatching
from support.effort import examples
from support.relaxation import NESTED, boxes_of, drawn_cuts, grid, listed_cuts, priced, starred, three_pairs
from support.strategies import tables
from support.tables import coded, partitioned

SECONDS = 5.0


def floor_of(table: Table, k: int, metric: CellMetric | None = None, limit: float = 0.0) -> Floor:
    goal = Goal((KAnonymity(k),), metric or LM(), limit)
    release = Mondrian().run(table, goal, Randomness(1), Silent())
    return find_floor(release, goal, Randomness(1), Silent(), SECONDS)


def floor_of_matches(table: Table, k: int) -> Floor:
    """The floor where each record has k matches, but releases need not be groups."""
    release = partitioned(table, [list(range(table.n_rows))])
    return find_floor(release, Goal((UniformMatching(k),), LM()), Randomness(1), Silent(), SECONDS)


@settings(max_examples=examples(1.5))
@given(tables(8, 3, NESTED), st.integers(2, 4), st.sampled_from([LM(), GCP()]))
def test_no_partition_loses_less(table: Table, k: int, metric: CellMetric) -> None:
    assume(table.n_rows >= k)
    floor, price = floor_of(table, k, metric), priced(table, metric)
    scaled = least_cost(table.n_rows, lambda rows: round(price(rows) * 2**40), k) / 2**40
    assert floor.value * table.n_rows <= scaled + 1e-6
    assert floor.value <= floor.loss + 1e-9


@given(tables(9, 3, NESTED), st.integers(2, 3))
def test_the_floor_is_near_the_best_that_prices_can_do(table: Table, k: int) -> None:
    """The program is solved to the optimum: of 493 tables drawn like these, none is below 0.99999 of it.

    If releases need not be groups, no cut raises the floor above what prices can do.
    """
    assume(table.n_rows >= k)
    best = naive.best_bound(table.n_rows, priced(table, LM()), k)
    matched = floor_of_matches(table, k).value * table.n_rows
    assert 0.99 * best - 1e-6 <= matched <= best + 1e-6
    assert floor_of(table, k).value * table.n_rows >= 0.99 * best - 1e-6


def test_cuts_prove_what_prices_cannot() -> None:
    """Any two of these rows share one value and all three share none, so three halves of a pair cost 2, and a group 3.

    Prices of 1, the most that a row may cost, need a toll of 2 - 4/3 for every two of the rows; one pair can pay it.
    Lower prices p need a toll of 2p - 4/3, so that 3p less the toll is less. So 3 - 2/3 is the best proof.
    """
    table = three_pairs()
    assert naive.best_bound(3, priced(table, LM()), 2) == pytest.approx(2)
    assert floor_of(table, 2).value * 3 == pytest.approx(3 - 2 / 3, rel=1e-4)
    assert floor_of_matches(table, 2).value * 3 == pytest.approx(2, rel=1e-4)  # two matches need not be groups


def test_a_toll_is_paid_for_every_divisor_rows_in_the_cut() -> None:
    """Prices of 1.2 need a toll of 1 of each group of 3 to 5 rows; one that is partly outside the cut pays none."""
    levels = LevelCosts.of(starred([f"{row}" for row in range(12)]), LM())
    prices = np.full(12, int(1.2 * UNIT))
    worst = []
    for cut in (Cut({*range(12)}, 3, UNIT), Cut({*range(11)}, 3, UNIT), Cut({*range(12)}, 2, UNIT // 2)):
        cuts = listed_cuts([cut], 12, np.int64)
        found = (
            excess(levels.whole, levels.weights, prices, dearest_first(prices), 3, cuts, top, 99, 10**6)
            for top in levels.tops
        )
        worst.append(max(found))
    # two rows in the cut and one outside exceed 3 by 0.6; and three rows exceed 3 by 0.1 if they pay a half
    assert worst == [0, pytest.approx(1 + 0.6 / 3), pytest.approx(1 + 0.1 / 3)]


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


@settings(max_examples=examples(3))
@given(tables(8, 3, NESTED), st.integers(2, 4), st.data())
def test_whatever_prices_and_tolls_are_given_the_proof_holds(table: Table, k: int, data: st.DataObject) -> None:
    """Prices far too high are scaled down, or prove nothing; so do tolls far too low."""
    assume(table.n_rows >= k)
    levels, price = LevelCosts.of(table, LM()), priced(table, LM())
    n = levels.weights.size
    prices = np.array(data.draw(st.lists(st.floats(0, 2), min_size=n, max_size=n)))
    drawn = data.draw(drawn_cuts(n, st.floats(0, 0.5)))
    sets = [np.array(sorted(cut.rows), np.int32) for cut in drawn]
    tolls = np.array([cut.toll for cut in drawn], np.float64)
    cutting = RoundingCuts(levels.weights, k, sets, [cut.divisor for cut in drawn], tolls)
    proved = proven(levels, k, prices, cutting, Silent())
    assert isinstance(proved, int)
    assert 0 <= proved <= least_cost(table.n_rows, lambda rows: int(price(rows) * UNIT) + 1, k)
    weights, whole = levels.weights.tolist(), [int(p * UNIT * (1 - 1e-9)) for p in prices]
    due = [cut._replace(toll=int(np.ceil(cut.toll * UNIT))) for cut in drawn]
    if naive.too_dear(boxes_of(levels.whole), weights, whole, k, due) == 0:
        back = sum(cut.toll * (sum(weights[row] for row in cut.rows) // cut.divisor) for cut in due)
        assert proved == max(0, sum(p * weight for p, weight in zip(whole, weights, strict=True)) - back)


def test_prices_that_are_too_high_are_scaled_down_and_hopeless_ones_dropped() -> None:
    levels = LevelCosts.of(starred([f"{row}" for row in range(12)]), LM())
    # The check measures the excess of five rows by the cost of three, which is more than enough: 1 + 5/3 instead of 2.
    assert proven(levels, 3, np.full(12, 2.0), None, Silent()) == pytest.approx(24 / (1 + 5 / 3) * UNIT, rel=1e-6)
    free = LevelCosts.of(starred(["x"] * 5 + ["y", "z"]), LM())
    assert free.free(3).tolist() == [weight >= 3 for weight in free.weights]
    assert proven(free, 3, np.ones(3), None, Silent()) == 0


def test_tolls_are_subtracted_and_scaled_with_the_prices() -> None:
    """A toll of 1 for every three of the rows lets five of them, the most in a group of 3, be priced 1/5 higher.

    At 1.25 those five exceed 5 and the toll by 0.25, a twelfth of what three rows cost.
    """
    levels = LevelCosts.of(starred([f"{row}" for row in range(12)]), LM())
    cutting = RoundingCuts(levels.weights, 3, [np.arange(12, dtype=np.int32)], [3], np.array([1.0]))
    proved = (12 * 1.2 - 4) * UNIT
    assert proven(levels, 3, np.full(12, 1.2), cutting, Silent()) == pytest.approx(proved, rel=1e-6)
    scaled = (15 - 4) / (1 + 0.25 / 3) * UNIT
    assert proven(levels, 3, np.full(12, 1.25), cutting, Silent()) == pytest.approx(scaled, rel=1e-6)
    twice = replace(cutting, tolls=np.array([2.0]))
    assert proven(levels, 3, np.full(12, 2.4), twice, Silent()) == pytest.approx(
        (28.8 - 8) / (1 + 5 / 3) * UNIT, rel=1e-6
    )


def test_tolls_that_give_back_more_than_prices_prove_nothing() -> None:
    levels = LevelCosts.of(starred([f"{row}" for row in range(12)]), LM())
    cutting = RoundingCuts(levels.weights, 3, [np.arange(12, dtype=np.int32)], [2], np.array([3.0]))
    assert proven(levels, 3, np.full(12, 1.0), cutting, Silent()) == 0


def test_all_different_rows_under_stars_cost_everything() -> None:
    assert floor_of(starred([f"{row}" for row in range(12)]), 3).value == pytest.approx(1.0, rel=1e-6)


def test_the_floor_is_close_to_a_good_release() -> None:
    table, goal = grid(300), Goal((KAnonymity(4),), LM())
    release = Agglomerative().run(table, goal, Randomness(1), Silent())
    floor = find_floor(release, goal, Randomness(1), Silent(), 3.0)
    assert 0.9 * floor.loss < floor.value <= floor.loss


def test_a_worse_release_has_the_same_floor_and_a_larger_distance() -> None:
    table, goal = grid(60), Goal((KAnonymity(4),), LM())
    good = Agglomerative().run(table, goal, Randomness(1), Silent())
    bad = partitioned(table, [list(range(30)), list(range(30, 60))])
    floors = [find_floor(release, goal, Randomness(1), Silent(), SECONDS) for release in (good, bad)]
    assert floors[1].value == pytest.approx(floors[0].value, rel=0.01)
    assert floors[1].above > floors[0].above + 0.1


@pytest.mark.parametrize(
    ("goal", "says"),
    [
        (Goal((KAnonymity(3),), DM()), "needs a cell-based metric such as lm, not 'dm'"),
        (Goal((KAnonymity(1),), LM()), "asks for groups of several rows"),
        (Goal((KConcealment(3),), LM()), "asks for groups of several rows"),
        (Goal((KAnonymity(3), AverageRisk(0.2)), LM()), "promises about each class by itself, not .*; leave it out"),
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
