"""Cuts: kept by every partition into groups, broken by groups in parts, and forgotten without a toll."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive import relaxation as naive
from naive.relaxation import Cut, Group
from shoal.algorithms.relaxation.group_pool import GroupPool
from shoal.algorithms.relaxation.rounding_cuts import RoundingCuts, divisors_for
from shoal.core.randomness import Randomness
from support.effort import examples
from support.relaxation import drawn_cuts, drawn_groups, listed_cuts, pool_of

WEIGHTS = st.lists(st.integers(1, 4), min_size=4, max_size=8)


def cutting_of(weights: Sequence[int], k: int, cuts: Sequence[Cut] = ()) -> RoundingCuts:
    sets = [np.array(sorted(cut.rows), np.int32) for cut in cuts]
    tolls = np.array([cut.toll for cut in cuts], np.float64)
    return RoundingCuts(np.array(weights), k, sets, [cut.divisor for cut in cuts], tolls)


def cuts_of(cutting: RoundingCuts) -> list[Cut]:
    several = zip(cutting.sets, cutting.divisors, cutting.tolls.tolist(), strict=True)
    return [Cut({*rows.tolist()}, divisor, toll) for rows, divisor, toll in several]


def extended(cutting: RoundingCuts, groups: Sequence[Group], uses: Sequence[float], may: Sequence[bool] = ()) -> int:
    n, weights = cutting.weights.size, cutting.weights
    pool = pool_of(groups, [1.0] * len(groups), uses)
    return cutting.extend(pool, weights, np.array(may or [True] * n), Randomness(1))


@given(WEIGHTS, st.integers(2, 4), st.data())
def test_groups_of_a_partition_pay_no_oftener_than_is_given_back(
    weights: list[int], k: int, data: st.DataObject
) -> None:
    assume(sum(weights) >= k)
    cutting = cutting_of(weights, k, data.draw(drawn_cuts(len(weights), st.floats(0, 1))))
    copies = data.draw(st.permutations([row for row, weight in enumerate(weights) for _ in range(weight)]))
    ends = [*range(0, len(copies) - k + 1, k)][1:]
    groups = [tuple(copies[start:end]) for start, end in zip([0, *ends], [*ends, len(copies)], strict=True)]
    cuts = cuts_of(cutting)
    for cut, most in zip(cuts, cutting.most, strict=True):
        assert sum(naive.times(group, cut) for group in groups) <= most
        assert most == sum(weights[row] for row in cut.rows) // cut.divisor
    assert cutting.returned == pytest.approx(sum(cut.toll * n for cut, n in zip(cuts, cutting.most, strict=True)))


@given(WEIGHTS, st.data())
def test_cuts_are_listed_by_row(weights: list[int], data: st.DataObject) -> None:
    cuts = data.draw(drawn_cuts(len(weights), st.floats(0, 1)))
    found = cutting_of(weights, 3, cuts).cuts(np.array([cut.toll for cut in cuts], np.float64))
    wanted = listed_cuts(cuts, len(weights), np.float64)
    assert [part.tolist() for part in found] == [part.tolist() for part in wanted]


@settings(max_examples=examples(3))
@given(WEIGHTS, st.integers(2, 4), st.data())
def test_new_cuts_are_not_kept_by_the_groups_in_parts(weights: list[int], k: int, data: st.DataObject) -> None:
    """Only of rows that are permitted and are not more than a group holds; each of them is in a dozen at most."""
    assume(sum(weights) >= k)
    groups = data.draw(drawn_groups(weights, k))
    uses = data.draw(st.lists(st.floats(0, 1), min_size=len(groups), max_size=len(groups)))
    may = data.draw(st.lists(st.sampled_from([True, True, False]), min_size=len(weights), max_size=len(weights)))
    cutting = cutting_of(weights, k)
    n_new = extended(cutting, groups, uses, may)
    cuts = cuts_of(cutting)
    assert n_new == len(cuts) == cutting.most.size == cutting.idle.size
    assert (cutting.tolls == 0).all()
    for cut, rows in zip(cuts, cutting.sets, strict=True):
        assert cut.divisor in divisors_for(k)
        assert naive.overfull_by(groups, uses, cut, weights) > 0.02
        assert (np.diff(rows) > 0).all()
        assert all(may[row] and weights[row] <= k for row in cut.rows)
    assert all(sum(row in cut.rows for cut in cuts) <= 12 for row in range(len(weights)))
    assert len({(cut.divisor, *sorted(cut.rows)) for cut in cuts}) == len(cuts)
    assert extended(cutting, groups, uses, may) + n_new == len({(c.divisor, *sorted(c.rows)) for c in cuts_of(cutting)})


def test_halves_of_three_pairs_are_cut_once() -> None:
    cutting, pairs = cutting_of([1, 1, 1], 2), [(0, 1), (0, 2), (1, 2)]
    assert extended(cutting, pairs, [0.5] * 3) == 1
    assert cuts_of(cutting) == [Cut({0, 1, 2}, 2, 0.0)]
    assert cutting.most.tolist() == [1]
    assert extended(cutting, pairs, [0.5] * 3) == 0


def test_whole_groups_are_not_cut() -> None:
    assert extended(cutting_of([1] * 6, 3), [(0, 1, 2), (3, 4, 5), (0, 3, 4)], [1.0, 1.0, 0.0]) == 0


def test_a_row_is_in_few_new_cuts_those_that_are_exceeded_most_come_first() -> None:
    """Row 0 is in three half used pairs with each of twenty pairs of rows, which is far too much."""
    groups = [group for at in range(1, 41, 2) for group in ((0, at), (0, at + 1), (at, at + 1))]
    uses = [0.5 + at / 1000 for at in range(20) for _ in range(3)]
    cutting = cutting_of([1] * 41, 2)
    extended(cutting, groups, uses)
    assert max(sum(row in cut.rows for cut in cuts_of(cutting)) for row in range(41)) == 12
    by = [naive.overfull_by(groups, uses, cut, [1] * 41) for cut in cuts_of(cutting)]
    assert by == sorted(by, reverse=True)


def test_cuts_without_tolls_are_forgotten_in_time() -> None:
    cuts = [Cut({0, 1, 2}, 2, 0.0), Cut({1, 2, 3}, 2, 0.25), Cut({0, 3}, 3, 0.0)]
    cutting = cutting_of([1, 1, 1, 1], 2, cuts)
    cutting.forget()
    assert cuts_of(cutting) == cuts
    cutting.tolls[2] = 0.5
    cutting.forget()
    assert cuts_of(cutting) == [cuts[1], cuts[2]._replace(toll=0.5)]
    assert cutting.most.tolist() == [1, 0]
    cutting.tolls[:] = 0
    cutting.forget()
    cutting.forget()
    assert (cutting.sets, cutting.divisors, cutting.tolls.size, cutting.most.size) == ([], [], 0, 0)


@pytest.mark.parametrize(
    ("k", "divisors"), [(3, [2, 3]), (4, [2, 3, 4]), (10, [2, 3, 5, 7, 10]), (25, [2, 3, 13, 18, 25])]
)
def test_divisors(k: int, divisors: list[int]) -> None:
    assert divisors_for(k) == divisors


def test_pools_are_joined_without_what_is_known() -> None:
    pool = pool_of([(0, 1), (1, 1, 2)], [0.5, 0.75], [0.5, 0.0])
    other = pool_of([(1, 1, 2), (0, 2)], [0.75, 1.0], [0.0, 0.25])
    joined = pool.joined(other)
    assert joined.sizes.tolist() == [2, 3, 2]
    assert joined.starts.tolist() == [0, 2, 4, 6]
    assert joined.rows.tolist() == [0, 1, 1, 2, 0, 2]
    assert joined.counts.tolist() == [1, 1, 2, 1, 1, 1]
    assert joined.costs.tolist() == [0.5, 0.75, 1.0]
    assert joined.uses.tolist() == [0.5, 0.0, 0.25]
    assert joined.chosen(joined.uses > 0).rows.tolist() == [0, 1, 0, 2]
    assert GroupPool().joined(other).sizes.tolist() == [3, 2]
    assert GroupPool().sizes.size == 0
