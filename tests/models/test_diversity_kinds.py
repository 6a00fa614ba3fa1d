"""The kinds of l-diversity on groups whose counts are known."""

from __future__ import annotations

from math import e, log

import numpy as np
import pytest

from shoal.core.table import Table
from shoal.errors import ImpossibleGoal, InputError
from shoal.models import LDiversity
from shoal.models.diversity_kinds import grassberger_logarithms
from support.tables import coded, groups_of


def _pool(**counts: int) -> Table:
    values: list[object] = [value for value, count in counts.items() for _ in range(count)]
    return coded({"ward": [1] * len(values), "illness": values}, ["ward"], sensitive=("illness",))


def _measure(promise: LDiversity, table: Table) -> float:
    return float(promise.shown(promise.measure(table, groups_of([range(table.n_rows)])))[0])


def _holds(promise: LDiversity, table: Table) -> bool:
    return bool(promise.accepts(table, groups_of([range(table.n_rows)]))[0])


def test_entropy() -> None:
    table = _pool(flu=2, cold=1, gout=1)
    assert _measure(LDiversity(2, "entropy"), table) == pytest.approx(e ** (0.5 * log(2) + 2 * 0.25 * log(4)))
    assert _holds(LDiversity(2.8, "entropy"), table)
    assert not _holds(LDiversity(2.9, "entropy"), table)


@pytest.mark.parametrize("n", range(1, 40))
def test_equally_frequent_values_are_enough(n: int) -> None:
    for each in (1, 3, 7):
        table = _pool(**{f"v{i}": each for i in range(n)})
        for kind in ("entropy", "frequency"):
            assert _holds(LDiversity(n, kind), table)
            assert not _holds(LDiversity(n + 0.001, kind), table)


def test_frequency() -> None:
    table = _pool(flu=2, cold=2, gout=1)
    assert _measure(LDiversity(2, "frequency"), table) == 2.5
    assert _holds(LDiversity(2.5, "frequency"), table)


def test_recursive_is_strict() -> None:
    """r1 = 4 < c · (r2 + r3) = 2c."""
    table = _pool(flu=4, cold=1, gout=1)
    assert _measure(LDiversity(2, "recursive", 3), table) == 2
    assert not _holds(LDiversity(2, "recursive", 2), table)
    assert _holds(LDiversity(2, "recursive", 2.001), table)
    assert not _holds(LDiversity(3, "recursive", 4), table)
    assert _holds(LDiversity(3, "recursive", 4.1), table)


def test_recursive_needs_l_values() -> None:
    assert not _holds(LDiversity(3, "recursive", 1e9), _pool(flu=1, cold=1))


def test_grassberger_logarithms() -> None:
    """They come close to the logarithm, and the first two are known."""
    found = grassberger_logarithms(1001)
    assert found.size == 1002
    assert found[1:4] == pytest.approx([-np.euler_gamma - log(2), 2 - np.euler_gamma - log(2), found[2]])
    assert found[1000] == pytest.approx(log(1000), abs=1e-6)


def test_grassberger_is_kinder_to_small_groups_but_asks_for_l_values() -> None:
    table = _pool(flu=2, cold=1, gout=1)
    assert _holds(LDiversity(3, "grassberger"), table)
    assert not _holds(LDiversity(3, "entropy"), table)
    assert not _holds(LDiversity(3.01, "grassberger"), table)


def test_refusals_name_what_is_possible() -> None:
    table = _pool(flu=2, cold=1, gout=1)
    with pytest.raises(ImpossibleGoal, match=r"^l = 3\.5 needs at least 4 different values of 'illness', which has 3;"):
        LDiversity(3.5, "entropy").refuse(table)
    with pytest.raises(ImpossibleGoal, match=r"^c = 0\.5 cannot be kept: with l = 2 .* need c above 0\.5\.$"):
        LDiversity(2, "recursive", 0.5).refuse(table)
    LDiversity(2, "recursive", 0.51).refuse(table)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((2.5,), r"l must be a whole number, got 2\.5"),
        ((0.5, "entropy"), r"l must be at least 1, got 0\.5"),
        ((3, "recursive"), r"needs c as well as l, as in 3:recursive:c=4"),
        ((3, "entropy", 4), r"c is for recursive l-diversity; leave it out, or write 3:recursive:c=4"),
        ((3, "recursive", 0), "c must be above 0, got 0"),
        ((3, "many"), "kind must be one of distinct, entropy, grassberger, recursive, frequency, got 'many'"),
    ],
)
def test_bad_parameters(arguments: tuple[object, ...], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        LDiversity(*arguments)  # type: ignore[arg-type]
