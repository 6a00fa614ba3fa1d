"""k-anonymity by hand."""

from __future__ import annotations

import pytest

from shoal.core.release import Release
from shoal.errors import ImpossibleGoal, InputError
from shoal.models import KAnonymity
from support.tables import coded, partitioned, single


def test_the_smallest_class_decides() -> None:
    verdict = KAnonymity(2).check(Release.identity(single([1, 1, 1, 2, 3, 3])))
    assert not verdict.holds
    assert (verdict.achieved, verdict.n_groups, verdict.n_failing) == (1.0, 3, 1)
    assert verdict.worst_measures == (1.0, 2.0, 3.0)
    assert str(verdict) == "2-anonymity DOES NOT HOLD: achieved 1, 1 of 3 classes fail"


def test_more_than_was_asked_for() -> None:
    verdict = KAnonymity(2).check(partitioned(single([1, 2, 3, 4, 5]), [[0, 1, 2, 3, 4]]))
    assert verdict.holds
    assert str(verdict) == "2-anonymity holds: achieved 5"


def test_missing_values_are_values_like_any_other() -> None:
    """A checker that drops rows with a missing value calls this table 2-anonymous."""
    verdict = KAnonymity(2).check(Release.identity(single([1, 1, None, 2, 2])))
    assert (verdict.holds, verdict.achieved) == (False, 1.0)


def test_suppressed_rows_do_not_count() -> None:
    table = single([1, 1, 2])
    assert KAnonymity(2).check(partitioned(table, [[0, 1]])).holds
    assert KAnonymity(10).check(partitioned(table, [])).holds


def test_classes_and_not_groups_are_counted() -> None:
    """Groups that are printed alike hide in each other."""
    verdict = KAnonymity(4).check(partitioned(single([1, 2, 1, 2]), [[0, 1], [2, 3]]))
    assert (verdict.holds, verdict.n_groups) == (True, 1)


def test_all_columns_count_together() -> None:
    table = coded({"a": [1, 1, 2, 2], "b": ["x", "y", "x", "y"]}, ["a", "b"])
    assert KAnonymity(1).check(Release.identity(table)).achieved == 1.0


def test_refuses_k_above_the_number_of_rows() -> None:
    with pytest.raises(ImpossibleGoal, match=r"^k = 4 needs at least 4 rows, but the table has 3; ask for k"):
        KAnonymity(4).refuse(single([1, 2, 3]))
    KAnonymity(3).refuse(single([1, 2, 3]))


@pytest.mark.parametrize("k", [0, -1, 2.5, "two", None, True])
def test_bad_k(k: object) -> None:
    with pytest.raises(InputError, match=r"^k must be .*, got .*\.$"):
        KAnonymity(k)  # type: ignore[arg-type]


def test_what_algorithms_may_count_on() -> None:
    assert KAnonymity(3).is_monotone
    assert KAnonymity(3).floor == 3
