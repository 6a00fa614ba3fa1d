"""A published pseudonym says which records are one person's, and nothing else."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli import main


def visits(n_people: int = 300) -> pl.DataFrame:
    """Two rows a person, keys ascending as they are given out."""
    rng = np.random.default_rng(4)
    who = np.repeat(np.arange(n_people), 2)
    return pl.DataFrame(
        {
            "who": [f"{one:05d}" for one in who],
            "age": 20 + rng.integers(0, 9, who.size),
            "row": np.arange(who.size),
        }
    )


def released(frame: pl.DataFrame) -> pl.DataFrame:
    made = shoal.anonymize(
        frame, quasi_identifiers=["age"], others=["row"], person="who", linked="histories", privacy={"k": 3},
        publish_person="pseudonym", algorithm="mondrian:relaxed", audit="off",
    )  # fmt: skip
    return made.frame


def correlation(one: list[float], other: list[float]) -> float:
    return abs(float(np.corrcoef(one, other)[0, 1]))


def as_number(key: str) -> float:
    return float(int(re.sub(r"[^0-9a-f]", "", key[1:]), 16))


def test_a_pseudonym_follows_neither_the_key_nor_its_order_nor_the_rows() -> None:
    frame = visits()
    seen = released(frame).join(frame.select("row", key="who"), on="row", maintain_order="left")
    people = seen.unique("key", keep="first", maintain_order=True)
    drawn = [as_number(key) for key in people["who"]]
    assert correlation(drawn, [float(key) for key in people["key"]]) < 0.25
    assert correlation(drawn, list(range(people.height))) < 0.25
    assert correlation(people["key"].cast(pl.Float64).to_list(), list(range(people.height))) < 0.25
    assert correlation(seen["row"].cast(pl.Float64).to_list(), list(range(seen.height))) < 0.2
    together = sum(one == other for one, other in pairwise(seen["key"].to_list()))
    assert together < 20  # of 300 people whose two rows stood together
    long = [
        (key.lstrip("0"), name) for key, name in people.select("key", "who").iter_rows() if len(key.lstrip("0")) > 2
    ]
    assert len(long) > 100
    assert sum(key in name for key, name in long) <= 8  # three digits turn up by chance, less than once on average


def test_two_releases_have_no_pseudonym_in_common_and_order_them_differently() -> None:
    frame = visits()
    one, other = (released(frame).unique("who").join(frame.select("row", key="who"), on="row") for _ in range(2))
    assert not set(one["who"]) & set(other["who"])
    both = one.select("key", first="who").join(other.select("key", second="who"), on="key")
    assert both.height == 300
    ranks = [both[name].rank().to_list() for name in ("first", "second")]
    assert correlation(*ranks) < 0.25


def test_all_records_of_a_person_have_one_pseudonym_and_nobody_else_has_it() -> None:
    frame = visits()
    seen = released(frame).join(frame.select("row", key="who"), on="row")
    pairs = seen.select("who", "key").unique()
    assert pairs.height == pairs["who"].n_unique() == pairs["key"].n_unique() == 300


@pytest.mark.parametrize(("k", "status"), [(3, 0), (200, 1)])
def test_verify_judges_histories_by_the_published_pseudonyms(k: int, status: int, tmp_path: Path) -> None:
    released(visits()).drop("row").write_csv(tmp_path / "release.csv")
    assert main(["verify", str(tmp_path / "release.csv"), "--quasi", "age", "--person", "who", "--k", str(k)]) == status


def test_verify_sees_a_history_that_one_person_has_alone(tmp_path: Path) -> None:
    frame = pl.DataFrame({"who": ["a", "a", "b", "b", "c"], "age": ["1", "2", "1", "2", "1"]})
    found = shoal.verify(frame, quasi_identifiers=["age"], person="who", privacy={"k": 2})
    assert [(verdict.promise, verdict.achieved) for verdict in found.verdicts] == [("2-anonymity of histories", 1.0)]
