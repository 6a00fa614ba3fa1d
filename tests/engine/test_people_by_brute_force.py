"""Every algorithm with every promise over people: a judge that knows nothing of ours reads the files and the keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import algorithms
from shoal.io.example_visits import VISIT_ROLES, visits
from support.people_judge import ROW, Judged, judge

QUASI = ["age", "place", "sex"]
Kept = Callable[[Judged], bool]
PROMISES: list[tuple[dict[str, Any], Kept]] = [
    ({"k": 3}, lambda found: found.fewest_people >= 3),
    ({"k": 2, "l": 2}, lambda found: found.fewest_people >= 2 and found.fewest_values >= 2),
    ({"k": 2, "l": "2:frequency"}, lambda found: found.fewest_people >= 2 and float(found.largest_share) <= 0.5),
    ({"k": 2, "t": "0.4"}, lambda found: found.fewest_people >= 2 and float(found.farthest) <= 0.4 + 1e-9),
    ({"alpha": "0.6,3"}, lambda found: found.fewest_people >= 3 and float(found.largest_share) <= 0.6),
    ({"p": "2,3"}, lambda found: found.fewest_people >= 3 and found.fewest_values >= 2),
    ({"concealment": 3}, lambda found: found.fewest_people >= 3),
    ({"linkage": 0.4}, lambda found: float(found.largest_part) <= 0.4 + 1e-9),
]
SLOW = {
    "clustering": "clustering:budget=0.3",
    "concealment": "concealment:budget=0.3",
    "microaggregation": "microaggregation:steps=200",
}


def random_visits(seed: int) -> pl.DataFrame:
    """A small table: some people come once, some often, some have the same value always; a few keys are missing."""
    rng = np.random.default_rng(seed)
    n, n_people = int(rng.integers(12, 60)), int(rng.integers(4, 20))
    who = np.minimum(rng.geometric(2 / n_people, n) - 1, n_people - 1)
    illness = np.where(rng.random(n) < 0.4, np.array(list("abcd"))[who % 4], rng.choice(list("abcd"), n))
    keys = [None if rng.random() < 0.03 else f"p{one}" for one in who]
    return pl.DataFrame(
        {
            ROW: np.arange(n),
            "who": keys,
            "age": who * 3 % 11 + rng.integers(0, 2, n),
            "place": np.array(list("uvwxyz"))[who % int(rng.integers(2, 6))],
            "sex": np.array(list("fm"))[who % 2],
            "illness": illness,
        }
    )


def made_and_judged(frame: pl.DataFrame, folder: Path, algorithm: str, privacy: dict[str, Any]) -> Judged | None:
    """The printed release, judged; None where the algorithm says in a sentence that it cannot."""
    original, release = folder / "original.csv", folder / "release.csv"
    frame.write_csv(original)
    try:
        result = shoal.anonymize(
            original,
            quasi_identifiers=QUASI,
            sensitive=["illness"],
            person="who",
            others=[ROW],
            kinds={"age": "numeric"},
            privacy=privacy,
            algorithm=SLOW.get(algorithm, algorithm),
            seed=1,
            audit="off",
        )
    except (shoal.InputError, shoal.GoalNotMet):
        return None
    result.write(release)
    return judge(release, original, QUASI, "who", "illness")


def run(algorithm: str, seeds: range, folder: Path) -> int:
    n_made = 0
    for seed in seeds:
        privacy, kept = PROMISES[seed % len(PROMISES)]
        found = made_and_judged(random_visits(seed), folder, algorithm, privacy)
        if found is not None:
            n_made += 1
            assert kept(found), (algorithm, seed, privacy, found)
            assert "who" not in found.columns
    return n_made


REFUSES = {"anatomy", "column-generation", "concealment", "freeform", "patterns-exact", "nonhomogeneous"}
"""Algorithms that are made for rows, or for columns with hierarchies: they say so, whatever is asked."""


FEWER = {"k-optimize": 2, "auto": 6, "factor": 6}
"""Tables in the usual suite for those that take seconds each; all promises for the others."""


@pytest.mark.parametrize("algorithm", ["auto", *algorithms.ALL])
def test_small_tables(algorithm: str, tmp_path: Path) -> None:
    n_made = run(algorithm, range(FEWER.get(algorithm, 12)), tmp_path)
    assert (n_made > 0) == (algorithm not in REFUSES)


@pytest.mark.parametrize("algorithm", sorted(REFUSES - {"column-generation"}))
def test_algorithms_made_for_rows_say_so(algorithm: str) -> None:
    with pytest.raises(shoal.InputError, match=r"cannot promise .*people counted.*choose an"):
        shoal.anonymize(
            random_visits(0).drop(ROW),
            quasi_identifiers=QUASI,
            sensitive=["illness"],
            person="who",
            privacy={"k": 2},
            algorithm=algorithm,
        )


def test_parts_that_are_printed_alike_are_judged_together(tmp_path: Path) -> None:
    """Seed 161: all people of two parts with equal cells have one illness in common, those of either part have not."""
    assert run("local-suppression", range(161, 162), tmp_path) == 1


@pytest.mark.nightly
@pytest.mark.parametrize("algorithm", ["auto", *algorithms.ALL])
def test_thousands_of_small_tables(algorithm: str, tmp_path: Path) -> None:
    run(algorithm, range(12, 12 + (25 if algorithm in SLOW or algorithm in FEWER else 160)), tmp_path)


@pytest.mark.parametrize("algorithm", ["auto", "mondrian", "lattice"])
def test_hospital_visits(algorithm: str, tmp_path: Path) -> None:
    frame = visits(600).with_row_index(ROW)
    original, release = tmp_path / "visits.csv", tmp_path / "release.csv"
    frame.write_csv(original)
    shoal.anonymize(
        original,
        **VISIT_ROLES,  # type: ignore[arg-type]
        person="patient_id",
        others=[ROW],
        hierarchies={"birth_date": "dates", "visit_date": "dates", "postcode": "mask"},
        privacy={"k": 5, "l": 2},
        algorithm=algorithm,
        audit="off",
        quick=algorithm == "auto",
    ).write(release)
    found = judge(release, original, VISIT_ROLES["quasi_identifiers"], "patient_id", "diagnosis")
    assert found.fewest_people >= 5
    assert found.fewest_values >= 2
    assert found.n_records == frame.height


REAL: dict[str, tuple[str, list[str], list[str], str]] = {
    "households of sdcMicro's survey": (
        "sdcmicro/testdata.csv",
        ["ori_hid"],
        ["urbrur", "roof", "sex", "age", "relat"],
        "hhcivil",
    ),
    "people of the KDD census with one survey weight, race and origin": (
        "census-kdd/census_income_kdd_test.parquet",
        ["instance weight", "race", "hispanic origin"],
        ["age", "sex", "education", "marital stat"],
        "income",
    ),
}
"""Real tables, the columns that make a household or what is nearest to it, quasi-identifiers, a sensitive column."""


@pytest.mark.parametrize("name", REAL)
def test_real_tables(name: str, tmp_path: Path, data_folder: Path) -> None:
    file, unit, quasi, sensitive = REAL[name]
    path = data_folder / "datasets" / file
    frame = pl.read_csv(path) if path.suffix == ".csv" else pl.read_parquet(path)
    keys = frame.select(pl.concat_str(unit, separator="/").alias("unit"))["unit"]
    frame = frame.select(*quasi, sensitive).with_columns(keys).with_row_index(ROW)
    original, release = tmp_path / "original.csv", tmp_path / "release.csv"
    frame.write_csv(original)
    shoal.anonymize(
        original,
        quasi_identifiers=quasi,
        sensitive=[sensitive],
        person="unit",
        others=[ROW],
        privacy={"k": 5},
        quick=True,
        audit="off",
    ).write(release)
    found = judge(release, original, quasi, "unit", sensitive)
    assert found.fewest_people >= 5
    assert found.n_records == frame.height
    assert frame["unit"].n_unique() < frame.height
