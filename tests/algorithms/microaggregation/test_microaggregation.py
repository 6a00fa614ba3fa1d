"""Groups by squared error, and what is printed for them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from naive import microaggregation as naive
from shoal.algorithms import Microaggregation
from shoal.algorithms.microaggregation.annealing import Patience, improved, squared_error
from shoal.algorithms.microaggregation.optimal import optimal
from shoal.core.arrays import Floats, Offsets
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.errors import InputError
from shoal.kernels.microaggregation import mdav, neighbours
from support.effort import examples

some = settings(max_examples=examples(1), deadline=None)


@st.composite
def clouds(draw: st.DrawFn, most: int = 30, dimensions: int = 3) -> Floats:
    n = draw(st.integers(4, most))
    cloud: Floats = np.random.default_rng(draw(st.integers(0, 10**6))).normal(size=(n, dimensions))
    return cloud


def lists(homes: Offsets) -> list[list[int]]:
    return [np.flatnonzero(homes == home).tolist() for home in np.unique(homes)]


def published(
    frame: pl.DataFrame, k: int = 3, how: str = "microaggregation:method=mdav", **words: object
) -> pl.DataFrame:
    quasi = [name for name in frame.columns if name != "diagnosis"]
    made = shoal.anonymize(
        frame,
        quasi_identifiers=quasi,
        privacy=shoal.KAnonymity(k),
        algorithm=how,
        seed=1,
        **words,  # type: ignore[arg-type]
    )
    shown = made.to_frame()
    assert isinstance(shown, pl.DataFrame)
    return shown


@some
@given(cloud=clouds(), k=st.integers(1, 5))
def test_mdav_is_its_twin(cloud: Floats, k: int) -> None:
    homes, n_groups = mdav(cloud, k)
    wanted = naive.mdav(cloud.tolist(), k)
    assert n_groups == len(wanted)
    assert {frozenset(group) for group in lists(homes)} == {frozenset(group) for group in wanted}


@some
@given(cloud=clouds(12))
def test_neighbours_are_the_nearest(cloud: Floats) -> None:
    for row, near in enumerate(neighbours(cloud, 3).tolist()):
        others = sorted((naive.squared(cloud[row], cloud[o]), o) for o in range(len(cloud)) if o != row)
        assert near == [o for _, o in others[:3]]


@some
@given(cloud=clouds(), k=st.integers(2, 4), seed=st.integers(0, 99))
def test_a_search_keeps_sizes_and_never_loses_more(cloud: Floats, k: int, seed: int) -> None:
    start, _ = mdav(cloud, k)
    homes = improved(cloud, start, k, Patience(0, 2000), Randomness(seed), Silent())
    if len(cloud) >= 2 * k:
        assert all(k <= len(group) < 2 * k for group in lists(homes))
    assert squared_error(cloud, homes) <= squared_error(cloud, start) + 1e-9
    assert squared_error(cloud, homes) == pytest.approx(naive.error(cloud.tolist(), lists(homes)))


@settings(max_examples=10, deadline=None)
@given(cloud=clouds(9, 2), k=st.integers(2, 3))
def test_optimal_is_the_best_of_all_partitions(cloud: Floats, k: int) -> None:
    assert squared_error(cloud, optimal(cloud, k)) == pytest.approx(naive.least_error(cloud.tolist(), k))


@settings(max_examples=10, deadline=None)
@given(cloud=clouds(10, 1), k=st.integers(2, 3))
def test_one_dimension_is_solved_exactly(cloud: Floats, k: int) -> None:
    assert squared_error(cloud, optimal(cloud, k)) == pytest.approx(naive.least_error(cloud.tolist(), k))


def test_the_search_finds_the_optimum_of_a_small_table() -> None:
    cloud = np.random.default_rng(5).normal(size=(14, 2))
    homes = improved(cloud, mdav(cloud, 3)[0], 3, Patience(0, 50_000), Randomness(1), Silent())
    assert squared_error(cloud, homes) == pytest.approx(squared_error(cloud, optimal(cloud, 3)))


def test_numbers_dates_ranks_and_names_are_aggregated_by_their_kind() -> None:
    frame = pl.DataFrame(
        {
            "age": [20, 22, 27, 70, 72, 80],
            "born": [date(2004, 1, 1), date(2004, 1, 3), date(2004, 1, 5), *[date(1950, 1, 1)] * 3],
            "size": ["S", "M", "M", "L", "L", "L"],
            "town": ["Ayr", "Ayr", "Bonn", "Bonn", "Bonn", "Bonn"],
        }
    )
    shown = published(frame, orders={"size": ["S", "M", "L"]}).unique().sort("age")
    assert shown["age"].to_list() == [23.0, 74.0]
    assert shown["born"].to_list() == [date(2004, 1, 3), date(1950, 1, 1)]
    assert shown["size"].to_list() == ["M", "L"]
    assert shown["town"].to_list() == ["Ayr", "Bonn"]


@pytest.mark.parametrize(("how", "wanted"), [("mean", 7.0), ("median", 4.0), ("mode", 1), ("geometric", 4.0)])
def test_other_aggregates_on_request(how: str, wanted: float) -> None:
    frame = pl.DataFrame(
        {"x": [1, 1, 4, 4, 25] if how == "median" else [1, 1, 4, 6, 23] if how == "mean" else [1, 4, 16]}
    )
    if how == "mode":
        frame = pl.DataFrame({"x": [1, 1, 4, 6, 23]})
    shown = published(frame, 3, f"microaggregation:aggregate={how}")
    assert shown["x"].n_unique() == 1
    assert shown["x"][0] == pytest.approx(wanted)


def test_a_geometric_mean_needs_numbers_above_nought() -> None:
    with pytest.raises(InputError, match="'x' has values that are not above 0"):
        published(pl.DataFrame({"x": [0, 1, 2]}), 2, "microaggregation:aggregate=geometric")


def test_more_categories_than_distances_can_be_worked_out_with_are_refused() -> None:
    with pytest.raises(InputError, match=r"'x' has 1,001 categories, and 'microaggregation' works with at most 1,000"):
        published(pl.DataFrame({"x": [f"job {i}" for i in range(1001)]}), 2, "microaggregation")


def test_groups_that_are_printed_alike_are_one_class_with_one_cell() -> None:
    frame = pl.DataFrame({"x": [0, 10, 4, 6], "y": [0, 0, 9, 9]})
    made = shoal.anonymize(
        frame.select("x"), quasi_identifiers=["x"], privacy=shoal.KAnonymity(2), algorithm="microaggregation:steps=100",
        seed=1,
    )  # fmt: skip
    assert made.verdicts[0].achieved >= 2
    release = made.release
    for cells in release.cells:
        assert cells.printed is not None
        assert cells.printed.n_unique() == cells.n_distinct
    assert release.truthful().all()


def test_promises_about_values_are_kept_by_uniting_groups() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(
        {
            "x": rng.normal(size=60),
            "y": rng.normal(size=60),
            "diagnosis": rng.choice(["a", "b", "c"], 60, p=[0.8, 0.1, 0.1]),
        }
    )
    made = shoal.anonymize(
        frame, quasi_identifiers=["x", "y"], sensitive=["diagnosis"], algorithm="microaggregation:steps=500", seed=3,
        privacy=[shoal.KAnonymity(3), shoal.LDiversity(2, of="diagnosis")],
    )  # fmt: skip
    shown = made.to_frame().group_by("x", "y").agg(pl.len(), pl.col("diagnosis").n_unique())
    assert shown["len"].min() >= 3
    assert shown["diagnosis"].min() >= 2


def test_a_group_of_missing_values_stays_missing_and_a_mixed_one_has_the_mean_of_the_others() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, None, None, None]})
    assert (
        sorted(published(frame, 3, "microaggregation:method=optimal")["x"].to_list(), key=str) == [2.0] * 3 + [None] * 3
    )
    assert published(frame, 6)["x"].to_list() == [2.0] * 6


def test_written_numbers_are_numbers_when_read_again(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [1, 2, 3, 10, 11, 12]})
    made = shoal.anonymize(
        frame,
        quasi_identifiers=["x"],
        privacy=shoal.KAnonymity(3),
        algorithm="microaggregation:steps=10",
    )
    made.write(tmp_path / "release.csv")
    assert sorted(pl.read_csv(tmp_path / "release.csv")["x"]) == [2.0] * 3 + [11.0] * 3
    assert made.audited is not None
    assert not made.audited.falling


def test_the_best_is_a_claim_that_is_checked() -> None:
    frame = pl.DataFrame({"x": [1, 2, 3, 10, 11, 12, 13]})
    made = shoal.anonymize(
        frame, quasi_identifiers=["x"], privacy=shoal.KAnonymity(3), algorithm="microaggregation:method=optimal"
    )
    assert any("proven least" in str(claim) for claim in made.claims)


def test_optimal_says_when_there_is_too_much_to_choose_from() -> None:
    frame = pl.DataFrame({"x": range(60), "y": [v * v % 17 for v in range(60)]})
    with pytest.raises(InputError, match="Use method=search"):
        published(frame, 3, "microaggregation:method=optimal")


def test_blocks_and_limits_on_memory_are_refused() -> None:
    frame = pl.DataFrame({"x": range(60)})
    with pytest.raises(InputError, match="needs all rows in memory"):
        published(frame, 3, "blocked:inner=microaggregation")


@pytest.mark.parametrize(
    "options", [{"method": "best"}, {"aggregate": "sum"}, {"budget": -1}, {"steps": -1}, {"block": 1}]
)
def test_wrong_options_are_refused_when_said(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Microaggregation(**options)  # type: ignore[arg-type]
