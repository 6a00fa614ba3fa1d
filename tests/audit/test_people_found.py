"""Where people are counted, whoever looks for somebody's records or guesses their values is judged by people."""

from __future__ import annotations

from fractions import Fraction
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from naive import people_attacks as naive
from shoal.audit.scorer import Referee
from support.people import visits

SAID: dict[str, Any] = {"quasi_identifiers": ["age", "zip"], "sensitive": ["illness"], "person": "who"}
K = 3


@pytest.fixture(scope="module")
def made() -> shoal.Result:
    return shoal.anonymize(visits(400, seed=8), privacy={"k": K}, algorithm="mondrian", **SAID)


@pytest.fixture(scope="module")
def records(made: shoal.Result) -> list[naive.Record]:
    assert made.keys is not None
    return list(zip(made.frame.select("age", "zip").iter_rows(), made.keys.to_list(), strict=True))


def attacked(made: shoal.Result, attack: str) -> Any:
    (risk,) = made.audit(attacks=[attack]).of(attack.split(":")[0])
    return risk


def test_a_record_may_be_that_of_the_different_people_of_its_class(
    made: shoal.Result, records: list[naive.Record]
) -> None:
    risk, among = attacked(made, "matching"), naive.candidates(records)
    assert risk.figures["fewest people for a record"] == min(among.values()) >= K
    assert risk.rate == pytest.approx(fmean(1 / n for n in among.values()))
    assert (risk.outcome, risk.baseline) == ("stopped", 1 / K)


def test_a_record_is_somebodys_by_their_part_of_the_class(made: shoal.Result, records: list[naive.Record]) -> None:
    risk, parts = attacked(made, "posterior"), naive.parts(records)
    assert risk.figures["largest chance"] == pytest.approx(float(max(parts.values())))
    assert risk.rate == pytest.approx(fmean(map(float, parts.values())))
    assert risk.figures["people above 2/k"] == len({who for (_, who), part in parts.items() if part > Fraction(2, K)})
    assert risk.figures["people above 0.5"] == len({who for (_, who), part in parts.items() if part > 0.5})
    figure = made.audit(attacks=["linking"]).figures.linkage
    assert figure is not None
    assert figure.highest == pytest.approx(float(max(parts.values())))


def test_somebody_with_most_records_of_a_class_is_found_though_it_holds_k_people() -> None:
    frame = pl.DataFrame({"who": ["a"] * 6 + ["b", "c"], "age": [30] * 8, "ill": list("xyzuvwst")})
    said: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "person": "who"}
    made = shoal.anonymize(frame, privacy={"k": 3}, **said)
    risk = attacked(made, "posterior")
    assert (risk.outcome, risk.figures["people above 0.5"], risk.figures["largest chance"]) == ("falls", 1, 0.75)
    assert "1 of 3 people has so many records" in risk.says
    assert "linkage" in made.audit(attacks=["posterior"]).remedies["posterior"]
    with pytest.raises((shoal.GoalNotMet, shoal.ImpossibleGoal)):
        shoal.anonymize(frame, privacy={"k": 3, "linkage": 0.4}, **said)


@pytest.mark.parametrize("corrupted", [1, 2, 4])
def test_people_who_tell_tell_all_their_records(
    corrupted: int, made: shoal.Result, records: list[naive.Record]
) -> None:
    risk = attacked(made, f"corruption:corrupted={corrupted}")
    alone, n = naive.left_alone(records, corrupted), len({who for _, who in records})
    assert risk.figures["people who may be left alone"] == len(alone)
    assert risk.rate == pytest.approx(len(alone) / n)
    assert risk.baseline == len(naive.left_alone(records, 0)) / n
    assert risk.outcome == ("falls" if alone and corrupted < K - 1 else "stopped")


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_the_referee_counts_people_whose_guess_is_a_value_they_have_had(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    owners = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    values = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    guesses = data.draw(st.lists(st.integers(-1, 4), min_size=n, max_size=n))
    people = np.unique(owners, return_inverse=True)[1].astype(np.int32)
    referee = Referee({"ill": np.array(values, np.int32)}, owners=people)
    hits, made = referee.hits("ill", np.array(guesses, np.int32))
    wanted, n_made = naive.right(
        [(str(who), value) for who, value in zip(owners, values, strict=True)],
        [None if guess < 0 else guess for guess in guesses],
    )
    assert (hits, made) == (pytest.approx(float(wanted)), n_made)


def test_repeating_a_persons_rows_changes_no_count_of_people() -> None:
    """One row each, and the same with every third person's row four times: as many people guessed as before."""
    rng = np.random.default_rng(4)
    once = pl.DataFrame(
        {
            "who": [f"p{n}" for n in range(60)],
            "age": np.repeat([30, 40, 50], 20),
            "sex": rng.choice(["f", "m"], 60),
            "ill": rng.choice(["flu", "cold", "hiv"], 60),
        }
    )
    often = pl.concat([once, *[once.gather_every(3)] * 3])
    said: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "sensitive": ["ill"], "person": "who"}
    names = ["definetti", "order", "composition"]
    for frame in (once, often):
        release = frame.select("age", "sex", "ill").sample(fraction=1, shuffle=True, seed=1)
        found = shoal.audit_release(frame, release, other=release, attacks=names, seed=2, **said)
        assert found.of("definetti")[0].figures["guesses"] == 60
        assert found.of("order")[0].figures["people paired"] == 60
        assert found.of("composition")[0].figures["people in both"] == 60
        assert found.n_people == 60


@pytest.mark.parametrize("is_shuffled", [True, False])
def test_an_order_that_was_kept_betrays_people(is_shuffled: bool) -> None:
    frame = visits(400, seed=3).with_columns(age=pl.lit(30), zip=pl.lit("x"))
    release = frame.select("age", "zip", "illness")
    release = release.sample(fraction=1, shuffle=True, seed=5) if is_shuffled else release
    (risk,) = shoal.audit_release(frame, release, attacks=["order"], seed=1, **SAID).of("order")
    assert risk.outcome == ("stopped" if is_shuffled else "falls")
    assert is_shuffled or risk.rate == 1
    guesses = release["illness"].to_list()
    wanted, n = naive.right(list(frame.select("who", "illness").iter_rows()), guesses)
    assert risk.rate == pytest.approx(float(wanted) / n)


def a_sure_and_a_mixed_class() -> pl.DataFrame:
    """Three people with ten rows of one value, eight of them one person's; and ten people of whom six are guessed."""
    sure = [("a", 30, "flu")] * 8 + [("b", 30, "flu"), ("c", 30, "flu")]
    mixed = [(f"p{n}", 40, "cold" if n < 6 else "hiv") for n in range(10)] + [("p6", 40, "cold"), ("p7", 40, "hiv")]
    return pl.DataFrame(sure + mixed, ["who", "age", "ill"], orient="row")


def guessed_people(frame: pl.DataFrame) -> float:
    """The share of people for whom the commonest value of their class is right."""
    commonest = {30: "flu", 40: "cold"}
    rows = list(frame.select("who", "ill").iter_rows())
    hits, n = naive.right(rows, [commonest[age] for age in frame["age"]])
    assert float(hits) / n != pytest.approx(
        np.mean([commonest[age] == ill for age, ill in frame.select("age", "ill").iter_rows()])
    )
    return float(hits) / n


def test_a_classifier_is_judged_by_the_people_it_guesses_right() -> None:
    frame = a_sure_and_a_mixed_class()
    said: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "person": "who"}
    (risk,) = shoal.audit_release(frame, frame.drop("who"), attacks=["definetti"], **said).of("definetti")
    assert risk.rate == risk.baseline == pytest.approx(guessed_people(frame))
    assert risk.figures["guesses"] == 13


def test_two_releases_make_values_certain_for_people_and_not_rows() -> None:
    frame = a_sure_and_a_mixed_class()
    said: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "person": "who"}
    release = frame.drop("who")
    found = shoal.audit_release(frame, release, other=release, attacks=["composition"], **said)
    (risk,) = found.of("composition")
    assert risk.figures["people whose value is certain"] == 3
    assert risk.rate == pytest.approx(3 / 13)
    assert risk.figures["guessed right"] == pytest.approx(guessed_people(frame))


def test_the_nearest_mean_finds_somebody_among_the_people_of_its_class() -> None:
    """Two classes of three people; in one of them somebody has six of eight rows."""
    frame = pl.DataFrame({"who": list("aaaaaabcdef"), "pay": [10, 11, 14, 10, 11, 14, 10, 14, 90, 91, 95]})
    made = shoal.anonymize(
        frame, quasi_identifiers=["pay"], person="who", privacy={"k": 3}, algorithm="microaggregation:method=mdav"
    )
    risk = attacked(made, "nearest-record")
    assert risk.figures["people whose nearest class is their own"] == 6
    assert risk.rate == pytest.approx(1 / 3)


def test_a_guess_by_imagined_worlds_is_right_if_the_person_has_had_the_value() -> None:
    """Everybody has had every value, so any guess is right for everybody, though for half of the rows alone."""
    frame = pl.DataFrame(
        [(f"p{n}", 20 + n, "x", ill) for n in range(12) for ill in ("flu", "cold")],
        ["who", "age", "zip", "illness"], orient="row",
    )  # fmt: skip
    made = shoal.anonymize(frame, privacy={"k": 2, "t": "0.9:illness"}, algorithm="mondrian", **SAID)
    (risk,) = made.audit(attacks=["minimality:worlds=20"]).of("minimality")
    assert (risk.rate, risk.baseline) == (1, 1)


def test_minimality_runs_the_algorithm_with_people_counted() -> None:
    made = shoal.anonymize(visits(60, seed=2), privacy={"k": 2, "l": "2:illness"}, algorithm="mondrian", **SAID)
    (risk,) = made.audit(attacks=["minimality:worlds=20"]).of("minimality")
    assert "do not depend" not in risk.says
    assert risk.figures["worlds"] == 20


def test_running_the_algorithm_again_counts_the_people_of_classes(
    made: shoal.Result, records: list[naive.Record]
) -> None:
    risk = attacked(made, "algorithm")
    assert risk.outcome == "stopped"
    assert risk.figures["people whose cells were reproduced"] == len({who for _, who in records})
    among = naive.candidates(records)
    by_person: dict[str, list[float]] = {}
    for cell, who in records:
        by_person.setdefault(who, []).append(1 / among[cell, who])
    assert risk.rate == pytest.approx(fmean(fmean(own) for own in by_person.values()))


def test_a_column_published_as_it_is_singles_out_people_and_not_rows() -> None:
    frame = pl.DataFrame({"who": ["a", "a", "b", "b"], "age": [30] * 4, "note": ["x", "x", "y", "y"]})
    said: dict[str, Any] = {"quasi_identifiers": ["age"], "others": ["note"], "privacy": {"k": 2}}
    made = shoal.anonymize(frame, person="who", **said)
    by_rows = shoal.anonymize(frame, identifiers=["who"], **said)
    assert attacked(by_rows, "as-is").figures["records singled out"] == 0
    assert attacked(made, "as-is").figures["records singled out"] == 4
    found = shoal.audit_release(frame, frame.drop("who"), quasi_identifiers=["age"], person="who", attacks=["as-is"])
    assert found.of("as-is")[0].figures["records singled out"] == 4


def test_a_class_of_two_people_betrays_one_to_the_other() -> None:
    frame = pl.DataFrame({"who": list("aaabbcccddee"), "age": [30] * 5 + [40] * 7})
    found = shoal.audit_release(
        frame, frame.drop("who"), quasi_identifiers=["age"], person="who", k=4, attacks=["corruption"]
    )
    (risk,) = found.of("corruption")
    assert (risk.outcome, risk.figures["people who may be left alone"], risk.rate) == ("falls", 2, 2 / 5)
