"""Where people are counted, attacks on values and figures of risk are about people: worked out again, naively."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import polars as pl
import pytest

import shoal
from support.people import visits

SAID: dict[str, Any] = {"quasi_identifiers": ["age", "zip"], "sensitive": ["illness"], "person": "who"}

Classes = dict[tuple[Any, ...], dict[str, set[str]]]


def classes_of(frame: pl.DataFrame, keys: list[str]) -> Classes:
    """In each class the people, and the values of each."""
    found: Classes = defaultdict(lambda: defaultdict(set))
    for (age, zip_, illness), key in zip(frame.select("age", "zip", "illness").iter_rows(), keys, strict=True):
        found[age, zip_][key].add(illness)
    return found


def share(members: dict[str, set[str]], value: str) -> float:
    return sum(value in own for own in members.values()) / len(members)


@pytest.fixture(scope="module")
def release() -> tuple[shoal.Audit, Classes]:
    made = shoal.anonymize(visits(400, seed=8), privacy={"k": 3}, **SAID)
    assert made.keys is not None
    named = ["homogeneity", "background", "skewness", "inference"]
    return made.audit(attacks=named), classes_of(made.frame, made.keys.to_list())


def surest(members: dict[str, set[str]]) -> float:
    return max(share(members, value) for value in set().union(*members.values()))


def test_a_value_that_all_people_of_a_class_have_is_certain(release: tuple[shoal.Audit, Classes]) -> None:
    audit, classes = release
    certain = {key for members in classes.values() if surest(members) == 1 for key in members}
    (risk,) = audit.of("homogeneity")
    assert certain
    assert risk.figures["people whose value is certain"] == len(certain)
    assert risk.rate == len(certain) / len({key for members in classes.values() for key in members})
    assert risk.outcome == "falls"
    assert "all of their class have had it" in risk.says


def test_guesses_are_right_for_people(release: tuple[shoal.Audit, Classes]) -> None:
    audit, classes = release
    (risk,) = audit.of("inference")
    n = sum(map(len, classes.values()))
    assert risk.rate == pytest.approx(sum(surest(members) * len(members) for members in classes.values()) / n)
    everybody: dict[str, set[str]] = defaultdict(set)
    for members in classes.values():
        for key, own in members.items():
            everybody[key] |= own
    assert risk.baseline == pytest.approx(surest(everybody))


def test_gains_are_of_shares_of_people(release: tuple[shoal.Audit, Classes]) -> None:
    audit, classes = release
    everybody: dict[str, set[str]] = defaultdict(set)
    for members in classes.values():
        for key, own in members.items():
            everybody[key] |= own
    values = set().union(*everybody.values())
    most = max(share(members, v) / share(everybody, v) for members in classes.values() for v in values)
    (risk,) = audit.of("skewness")
    assert risk.figures["largest gain"] == pytest.approx(most - 1)


def test_few_values_of_a_class_are_known_to_whoever_rules_out_one(release: tuple[shoal.Audit, Classes]) -> None:
    audit, classes = release
    few = {
        key
        for members in classes.values()
        if surest(members) == 1 or len(set().union(*members.values())) <= 2
        for key in members
    }
    (risk,) = audit.of("background")
    assert risk.figures["people certain after ruling out 1"] == len(few)


def test_amounts_that_lie_close_together_are_known_closely() -> None:
    rows = [(f"p{n}", 30 if n < 3 else 60, 100 + n if n < 3 else 100 * n) for n in range(8)]
    frame = pl.DataFrame([*rows, *rows[:3]], ["who", "age", "pay"], orient="row")
    found = shoal.audit_release(
        frame, frame.drop("who"), quasi_identifiers=["age"], sensitive=["pay"], person="who", attacks=["similarity"]
    )
    (risk,) = found.of("similarity")
    assert risk.outcome == "falls"
    assert risk.figures["people whose value is known closely"] == 3


def test_a_register_in_which_people_have_several_rows_hides_nobody_better() -> None:
    frame = pl.DataFrame({"who": ["a", "b"], "age": [30, 40], "ill": ["x", "y"]})
    release = pl.DataFrame({"age": ["[30..40]"] * 2, "ill": ["x", "y"]})
    register = pl.DataFrame({"who": ["a", "b", "c", "c", "c", "c"], "age": [30, 40, 31, 32, 33, 34]})
    said: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "attacks": ["linking"]}
    rows = shoal.audit_release(frame, release, population=register, **said).figures.journalist
    people = shoal.audit_release(frame, release, population=register, person="who", **said).figures.journalist
    assert rows is not None
    assert people is not None
    assert (rows.highest, people.highest) == (1 / 6, 1 / 3)


def test_uniqueness_is_of_people_of_a_population() -> None:
    frame = visits(300, seed=2)
    release = frame.select("age", "zip", "illness")
    n_people = frame["who"].n_unique()
    said = {**SAID, "attacks": ["linking"]}
    counted = shoal.audit_release(frame, release, population=n_people, **said).figures
    assert counted.uniqueness is not None
    assert counted.uniqueness_before is not None
    assert (counted.uniqueness.population, counted.uniqueness.sample) == (n_people, n_people)
    assert counted.uniqueness.share == pytest.approx(counted.uniqueness_before.share)
    alone = frame.group_by("age", "zip").agg(pl.col("who").n_unique())["who"]
    assert counted.uniqueness.sample_uniques == (alone == 1).sum()
    assert shoal.audit_release(frame, release, population=n_people - 1, **said).figures.uniqueness is None
