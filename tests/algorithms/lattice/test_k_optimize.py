"""k-Optimize against every recoding, its bounds when time runs out, and the chapter's example of indexes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from naive import lattice as naive
from shoal import metrics
from shoal.algorithms.lattice import KOptimize, Lattice
from shoal.algorithms.lattice.column_cuts import CutClasses, Items
from shoal.algorithms.lattice.k_optimize_costs import costs_of
from shoal.algorithms.lattice.set_enumeration import Enumeration
from shoal.core.contracts import Goal
from shoal.errors import GoalNotMet, InputError
from shoal.models import KAnonymity
from support.promises import POSSIBLE
from support.strategies import tables
from support.tables import coded

COSTS = st.sampled_from([metrics.DM(), metrics.LM()])
LIMITS = st.sampled_from([0.0, 0.2, 0.5, 1.0])


@given(data=st.data(), metric=COSTS, limit=LIMITS)
def test_finds_an_optimum(data: st.DataObject, metric: metrics.DM | metrics.LM, limit: float) -> None:
    table = data.draw(tables(12, 2))
    name = data.draw(st.sampled_from(["k-anonymity", "k-anonymity", "l-diversity", "t-closeness"]))
    goal = Goal((data.draw(st.sampled_from(POSSIBLE[name](table))),), metric, limit)
    best = naive.best_recoding(table, goal)
    if best is None:
        with pytest.raises(GoalNotMet):
            KOptimize(None).search(table, goal)
        return
    found = KOptimize(None).search(table, goal)
    assert found.is_optimal
    assert found.lower_bound == found.score
    assert found.score == pytest.approx(float(best), abs=1e-9)
    assert metric.score(found.release) == pytest.approx(float(best), abs=1e-9)
    assert goal.promises[0].check(found.release).holds


@given(table=tables(30, 3), k=st.integers(1, 5), metric=COSTS)
def test_says_honestly_how_far_it_got(table, k: int, metric) -> None:
    assume(k <= table.n_rows)
    goal = Goal((KAnonymity(k),), metric, 1.0)
    hasty, sure = KOptimize(time_limit=0).search(table, goal), KOptimize(None).search(table, goal)
    assert hasty.n_visited <= 1
    assert hasty.lower_bound <= sure.score + 1e-9
    assert sure.score <= hasty.score + 1e-9
    assert hasty.gap >= 0


@given(table=tables(20, 3), k=st.integers(1, 5), metric=COSTS, limit=LIMITS)
def test_never_loses_more_than_one_level_per_column(table, k: int, metric, limit: float) -> None:
    """Every node of the lattice is also a set of cuts."""
    assume(k <= table.n_rows)
    goal = Goal((KAnonymity(k),), metric, limit)
    found = KOptimize(None, 30).search(table, goal)
    if found.is_optimal:
        assert found.score <= Lattice().search(table, goal).score + 1e-9


@given(table=tables(30, 3), k=st.integers(1, 5), metric=COSTS, data=st.data())
def test_what_an_item_does_is_what_happens_when_it_is_chosen(table, k: int, metric, data: st.DataObject) -> None:
    """The kernel's sums against grouping again with the item."""
    search = Enumeration(table, Goal((KAnonymity(k),), metric, 1.0), costs_of(metric, table), None, None)
    n = len(search._items)
    head = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    before = search._items.classes(head)
    open_items = np.flatnonzero(~head)
    bound, least = search._bound((before.sizes < k)[before.ids], np.ones(n, bool))
    effects = search._effects(before, before.sizes < k, head, open_items, bound, least)
    for place, item in enumerate(open_items):
        more = head.copy()
        more[item] = True
        after = search._items.classes(more)
        sizes, new_sizes = before.sizes[before.ids], after.sizes[after.ids]
        lost = (sizes >= k) & (new_sizes < k)
        assert effects.lost[place] == search._weights[lost].sum()
        assert effects.changes[place] == pytest.approx(_cost(search, after, k) - _cost(search, before, k), abs=1e-9)
        saved = bound + (search._costs.lost * search._weights - least)[lost].sum()
        assert effects.bounds[place] == pytest.approx(saved, abs=1e-9)
        assert effects.is_active[place] or (sizes == new_sizes).all()
        if effects.is_free[place]:
            assert (sizes == new_sizes)[sizes >= k].all()


def _cost(search: Enumeration, classes: CutClasses, k: int) -> float:
    sizes = classes.sizes[classes.ids]
    costs = search._costs.kept(classes.cells, search._codes, sizes)
    return float(np.dot(np.where(sizes >= k, costs, search._costs.lost), search._weights))


def test_the_indexes_of_example_4_1() -> None:
    """The set {3, 8, 10} of figure 12: indexes count through all columns, the first of each being left out."""
    columns = {
        "ZIP": ["22030", "22032", "22045", "22047"],
        "MaritalStatus": ["married", "widow", "divorced", "single"],
        "Sex": ["M", "F", "M", "F"],
    }
    orders = {"MaritalStatus": columns["MaritalStatus"], "Sex": ["M", "F"]}
    table = coded(columns, [*columns], orders=orders, kinds={"ZIP": "ordinal"})
    items = Items.of(table)
    indexes = [2, 3, 4, 6, 7, 8, 10]
    assert len(items) == len(indexes)
    texts = [column.domain.texts for column in table.quasi]

    def printed(chosen: set[int]) -> list[list[str]]:
        cells = items.cells(np.isin(indexes, [*chosen]))
        pairs = [sorted(set(zip(low.tolist(), high.tolist(), strict=True))) for low, high in cells]
        return [[f"{names[a]}-{names[b]}" for a, b in p] for names, p in zip(texts, pairs, strict=True)]

    assert printed({3, 8, 10}) == [
        ["22030-22032", "22045-22047"],
        ["married-divorced", "single-single"],
        ["M-M", "F-F"],
    ]
    assert printed(set()) == [["22030-22047"], ["married-single"], ["M-F"]]


def test_metrics_that_are_no_sum_over_rows_are_refused() -> None:
    table = coded({"age": [1, 2, 3, 4]}, ["age"])
    with pytest.raises(InputError, match="minimises dm or a mean price of cells such as lm, not 'aecs'"):
        KOptimize().refuse(table, Goal((KAnonymity(2),), metrics.AECS()))


@pytest.mark.parametrize("limit", [-1, float("nan"), "soon"])
def test_time_limits_are_numbers(limit: object) -> None:
    with pytest.raises(InputError, match="time_limit must be"):
        KOptimize(time_limit=limit)  # type: ignore[arg-type]


def test_a_limited_number_of_sets() -> None:
    table = coded({"age": [*range(40)] * 2, "zip": [row % 7 for row in range(80)]}, ["age", "zip"])
    goal = Goal((KAnonymity(5),), metrics.LM(), 0.1)
    found = [KOptimize(n).search(table, goal) for n in (1, 5, 50)]
    assert [result.n_visited for result in found] == [1, 5, 50]
    assert found[0].score >= found[1].score >= found[2].score
    assert all(result.lower_bound < result.score and not result.is_optimal for result in found[:2])
    with pytest.raises(InputError, match="max_sets must be at least 1, got 0"):
        KOptimize(0)
