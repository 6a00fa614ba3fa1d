"""What cannot be done is refused in a sentence; what looks strange is done."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.algorithms import Freeform, NonHomogeneous
from shoal.core.contracts import Algorithm
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal, InputError
from shoal.models import AlphaK, KAnonymity, TCloseness, UniformMatching
from support.tables import coded, goal_of, single

BOTH = pytest.mark.parametrize("algorithm", [NonHomogeneous(), Freeform(), Freeform("greedy")], ids=str)


def released(algorithm: Algorithm, table: Table, k: int) -> Release:
    release = algorithm.run(table, goal_of(UniformMatching(k)), Randomness(1), Silent())
    assert UniformMatching(k).check(release).holds
    return release


@BOTH
def test_more_matches_than_rows(algorithm: Algorithm) -> None:
    with pytest.raises(ImpossibleGoal, match="k = 4 matches need at least 4 rows, but the table has 3"):
        released(algorithm, single([1, 2, 3]), 4)


@BOTH
def test_one_row(algorithm: Algorithm) -> None:
    assert released(algorithm, single([7]), 1).owners.tolist() == [0]


@BOTH
def test_as_many_matches_as_rows(algorithm: Algorithm) -> None:
    release = released(algorithm, single([1, 2, 3]), 3)
    assert len(release.classes) == 1


@BOTH
def test_all_rows_equal(algorithm: Algorithm) -> None:
    release = released(algorithm, single([5] * 9), 4)
    assert all((cells.sizes == 1).all() for cells in release.cells)


@BOTH
def test_a_column_with_one_value(algorithm: Algorithm) -> None:
    table = coded({"same": ["x"] * 6, "q": list(range(6))}, ["same", "q"])
    assert released(algorithm, table, 2).cells[0].n_distinct == 1


@BOTH
def test_just_above_k_rows(algorithm: Algorithm) -> None:
    """Where hardly an edge is left over in the last round."""
    for n in range(4, 9):
        released(algorithm, single([row * row % 5 for row in range(n)]), n - 1)


def test_sets_of_more_than_ten_thousand_values() -> None:
    table = single([f"value {row}" for row in range(10_050)], recodings={"q": "sets"}, kinds={"q": "nominal"})
    release = released(NonHomogeneous(), table, 10)
    assert release.cells[0].sizes.max() == 10
    release = released(NonHomogeneous(), table, 10_020)  # a ring of 100 million matches: all rows match instead
    assert release.cells[0].sizes.tolist() == [10_050]


@BOTH
@pytest.mark.parametrize("promise", [KAnonymity(5), AlphaK(0.5, 5)], ids=str)
def test_records_that_look_alike_cannot_be_promised(algorithm: Algorithm, promise: KAnonymity | AlphaK) -> None:
    with pytest.raises(InputError) as refused:
        algorithm.refuse(single([1, 2, 3]), goal_of(promise))
    assert str(promise) in str(refused.value)
    for said in ("equal records", "uniform matching", "--matching 5", "mondrian"):
        assert said in str(refused.value)


@BOTH
def test_other_promises_cannot_be_asked_for(algorithm: Algorithm) -> None:
    with pytest.raises(InputError, match="cannot promise"):
        algorithm.refuse(single([1, 2, 3]), goal_of(TCloseness(0.2)))


def test_an_unknown_partition_is_named() -> None:
    with pytest.raises(InputError, match="Did you mean 'mondrian'"):
        released(NonHomogeneous("mondrain"), single([1, 2, 3]), 2)


def test_end_to_end() -> None:
    """By name, as users ask for it."""
    ages = [20 + row % 13 for row in range(60)]
    frame = {"age": ages, "town": [f"t{row % 7}" for row in range(60)], "s": ["abc"[row % 3] for row in range(60)]}
    result = shoal.anonymize(
        pl.DataFrame(frame),
        quasi_identifiers=["age", "town"],
        sensitive=["s"],
        privacy=[UniformMatching(4), shoal.LDiversity(2)],
        algorithm="nonhomogeneous:partition=curve",
        seed=3,
    )
    assert all(verdict.holds for verdict in result.verdicts)
    assert sorted(result.to_frame()["s"]) == sorted(frame["s"])  # type: ignore[call-overload]
