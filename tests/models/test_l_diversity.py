"""Distinct l-diversity by hand."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal, InputError
from shoal.models import LDiversity
from support.tables import coded, partitioned


def _wards() -> Table:
    columns: dict[str, list[object]] = {
        "ward": ["a", "a", "a", "b", "b"],
        "illness": ["flu", "flu", None, "flu", "flu"],
    }
    return coded(columns, ["ward"], sensitive=("illness",))


def test_the_poorest_class_decides() -> None:
    verdict = LDiversity(2).check(Release.identity(_wards()))
    assert (verdict.holds, verdict.achieved, verdict.n_failing) == (False, 1.0, 1)
    assert str(verdict) == "2-diversity DOES NOT HOLD: achieved 1, 1 of 2 pools fail"


def test_a_missing_value_counts_as_a_value() -> None:
    release = partitioned(_wards(), [[0, 1, 2]])
    assert LDiversity(2).check(release).holds


def test_buckets_are_judged_where_there_are_any() -> None:
    """Anatomy: classes are single rows, pools are not."""
    table = coded({"ward": list("abcd"), "illness": ["flu", "flu", "gout", "gout"]}, ["ward"], sensitive=("illness",))
    plain = Release.identity(table)
    pooled = Release(table, plain.owners, plain.shapes, plain.cells, np.array([0, 1, 0, 1], np.int32))
    assert not LDiversity(2).check(plain).holds
    assert LDiversity(2).check(pooled).holds


def test_row_labels_are_not_positions() -> None:
    """The sensitive values are those of the owners, in whatever order the records are."""
    table = coded({"ward": ["a", "b", "a", "b"], "illness": ["x", "y", "x", "y"]}, ["ward"], sensitive=("illness",))
    assert LDiversity(2).check(partitioned(table, [[3, 1], [2, 0]])).achieved == 1.0


def test_a_column_may_be_named() -> None:
    columns: dict[str, list[object]] = {"ward": ["a", "a"], "illness": ["flu", "gout"], "pay": [1, 1]}
    release = Release.identity(coded(columns, ["ward"], sensitive=("illness", "pay")))
    assert not LDiversity(2).check(release).holds
    with pytest.raises(InputError, match=r"'illnes' is not a sensitive column\. Did you mean 'illness'\?"):
        LDiversity(2, of="illnes").check(release)


def test_refuses_l_above_the_number_of_values() -> None:
    with pytest.raises(ImpossibleGoal, match=r"^l = 3 needs at least 3 different values of 'illness', which has 2"):
        LDiversity(3).refuse(_wards())
    LDiversity(2).refuse(_wards())


def test_needs_a_sensitive_column() -> None:
    with pytest.raises(InputError, match="needs a sensitive column"):
        LDiversity(2).refuse(coded({"ward": ["a"]}, ["ward"]))


@pytest.mark.parametrize("l", [0, -1, 2.5, "two", None, True])
def test_bad_l(l: object) -> None:  # noqa: E741
    with pytest.raises(InputError, match=r"^l must be .*, got .*\.$"):
        LDiversity(l)  # type: ignore[arg-type]


def test_what_algorithms_may_count_on() -> None:
    assert LDiversity(3).is_monotone
    assert LDiversity(3).floor == 3
