"""Where a column says whose row each row is, people are counted, not rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.core.randomness import Randomness
from shoal.engine.backends.checked_table import publish_table
from shoal.errors import BrokenPromise
from shoal.io.example_visits import VISIT_ROLES
from shoal.io.example_visits import visits as hospital_visits
from support.people import visits
from support.tables import coded, goal_of

QUASI = ["age", "zip"]


def fewest_people(frame: pl.DataFrame, keys: pl.Series) -> int:
    return int(frame.with_columns(keys.alias("whose")).group_by(QUASI).agg(pl.col("whose").n_unique())["whose"].min())  # type: ignore[arg-type]


def test_six_rows_of_two_people_are_not_three_anonymous() -> None:
    frame = pl.DataFrame({"who": ["a"] * 3 + ["b"] * 3, "age": [30] * 6, "zip": ["1"] * 6})
    with pytest.raises(shoal.ImpossibleGoal, match=r"k = 3 needs at least 3 people, but the table has 2"):
        shoal.anonymize(frame, quasi_identifiers=QUASI, person="who", privacy={"k": 3})


def test_every_class_has_k_people_and_the_key_is_not_published() -> None:
    frame = visits(300, seed=3)
    result = shoal.anonymize(frame, quasi_identifiers=QUASI, sensitive=["illness"], person="who", privacy={"k": 4})
    assert result.keys is not None
    assert fewest_people(result.frame, result.keys) >= 4
    assert "who" not in result.frame.columns
    assert result.verdicts[0].promise == "4-anonymity (people counted)"
    assert sorted(result.keys.to_list()) == sorted(frame["who"].to_list())


def test_printed_records_are_counted_by_the_keys_and_not_by_the_numbers_that_made_them() -> None:
    """Rows that were numbered wrongly, each as a person of its own, are found out before anything is written."""
    table = coded({"age": [30] * 6}, ["age"]).with_people(np.arange(6, dtype=np.int32))
    goal = goal_of(shoal.KAnonymity(3)).of_people()
    told = {"right": ["a", "a", "b", "b", "c", "c"], "wrong": ["a"] * 3 + ["b"] * 3}
    publish_table(table, goal, shoal.Mondrian(), Randomness(1), keys=pl.Series("who", told["right"]))
    with pytest.raises(BrokenPromise):
        publish_table(table, goal, shoal.Mondrian(), Randomness(1), keys=pl.Series("who", told["wrong"]))


def test_rows_without_a_key_are_people_of_their_own_and_are_told() -> None:
    frame = pl.DataFrame({"who": ["a", "a", None, None], "age": [1, 1, 1, 1], "zip": ["x"] * 4})
    result = shoal.anonymize(frame, quasi_identifiers=QUASI, person="who", privacy={"k": 3})
    assert result.verdicts[0].achieved == 3
    assert "2 of 4 rows have no value in 'who'; each counts as a person of its own." in result.notes


@pytest.mark.parametrize("role", ["quasi_identifiers", "sensitive", "identifiers", "others"])
def test_a_key_has_no_other_role(role: str) -> None:
    frame = visits(20, seed=1)
    said = {"quasi_identifiers": QUASI, "sensitive": ["illness"], "others": []}
    said[role] = [*said.get(role, []), "who"]
    with pytest.raises(shoal.InputError, match=r"'who' is named as .* and as person; choose one role"):
        shoal.anonymize(frame, person="who", privacy={"k": 2}, **said)  # type: ignore[arg-type]


def test_a_key_that_is_not_there_is_named() -> None:
    with pytest.raises(shoal.InputError, match=r"no column 'hwo' \(named person\)\. Did you mean 'who'"):
        shoal.anonymize(visits(20, seed=1), quasi_identifiers=QUASI, person="hwo", privacy={"k": 2})


def test_a_person_with_most_of_the_rows_is_one_person() -> None:
    rng = np.random.default_rng(0)
    keys = ["busy"] * 100_000 + [f"p{i}" for i in range(40)]
    frame = pl.DataFrame(
        {"who": keys, "age": rng.integers(20, 60, len(keys)), "zip": rng.choice(list("abcdef"), len(keys))}
    )
    result = shoal.anonymize(frame, quasi_identifiers=QUASI, person="who", privacy={"k": 5}, quick=True, audit="off")
    assert result.keys is not None
    assert fewest_people(result.frame, result.keys) >= 5


def test_the_risk_that_reports_tell_is_among_people() -> None:
    said = {"quasi_identifiers": QUASI, "sensitive": ["illness"], "person": "who", "privacy": {"k": 4}}
    result = shoal.anonymize(visits(300, seed=3), **said, quick=True, audit="off")  # type: ignore[arg-type]
    assert result.keys is not None
    fewest = fewest_people(result.frame, result.keys)
    alike = result.frame.group_by(QUASI).len()["len"].min()
    risk = result.summary().published.risk
    assert fewest < alike  # type: ignore[operator]
    assert (risk.smallest, risk.highest) == (fewest, 1 / fewest)


def test_one_person_only_hides_nobody() -> None:
    frame = pl.DataFrame({"who": ["a"] * 5, "age": [1, 1, 2, 2, 3], "zip": ["x"] * 5})
    with pytest.raises(shoal.ImpossibleGoal, match=r"k = 2 needs at least 2 people, but the table has 1"):
        shoal.anonymize(frame, quasi_identifiers=QUASI, person="who", privacy={"k": 2})


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"linked": "histories"}, "person"),
        ({"publish_person": "pseudonym"}, "person"),
        ({"person": "who", "publish_person": "pseudonym"}, "histories"),
    ],
)
def test_words_about_people_that_do_not_fit_together_are_refused(said: dict[str, str], wrong: str) -> None:
    with pytest.raises(shoal.InputError, match=wrong):
        shoal.anonymize(visits(20, seed=1), quasi_identifiers=QUASI, privacy={"k": 2}, **said)  # type: ignore[arg-type]


def test_the_command_line_counts_people(tmp_path: Path) -> None:
    frame, where = visits(200, seed=5), tmp_path / "release.csv"
    frame.write_csv(tmp_path / "visits.csv")
    said = ["anonymize", str(tmp_path / "visits.csv"), "--quasi", "age,zip", "--sensitive", "illness", "-q"]
    assert main([*said, "--person", "who", "--k", "3", "-o", str(where)]) == 0
    assert pl.read_csv(where).columns == ["age", "zip", "illness"]


def test_the_default_starts_and_searches_as_well_as_where_rows_are_counted() -> None:
    frame = hospital_visits(400)
    said = {**VISIT_ROLES, "privacy": {"k": 5}, "audit": "off", "seed": 1}
    rows = shoal.anonymize(frame, identifiers=["patient_id"], **said)  # type: ignore[arg-type]
    people = shoal.anonymize(frame, person="patient_id", **said)  # type: ignore[arg-type]
    quick = shoal.anonymize(frame, person="patient_id", quick=True, **said)  # type: ignore[arg-type]
    assert people.choice.algorithm.start == rows.choice.algorithm.start  # type: ignore[attr-defined]
    losses = [made.metrics()["lm"] for made in (rows, people, quick)]
    assert losses[0] < losses[1] < 0.6 * losses[2]
    assert people.verdicts[0].holds
