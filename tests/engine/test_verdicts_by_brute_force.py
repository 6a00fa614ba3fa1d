"""The verdicts of ``verify`` and ``audit`` on hundreds of tiny releases, against a judge that lists assignments."""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.contracts import PrivacyModel
from support.judging import Cells, Judge, Person, effective, largest_share, recursive

N_DRAWN = int(os.environ.get("SHOAL_TINY_TABLES", "100"))
AGES, TOWNS, PAY = (7, 19, 20, 100), ("a", "b", "c", None), (9, 10, 80, 200)
LEAST_PAY_FIRST = [*PAY, None]


@dataclass(frozen=True)
class Drawn:
    """A table and a release of it: what is printed, and what the judge knows of it."""

    original: pl.DataFrame
    release: pl.DataFrame
    judge: Judge


def draw(seed: int) -> Drawn:
    """Up to six people, each with a record around their values; some records share their cells."""
    rng = random.Random(seed)
    n = rng.choice((2, 3, 3, 4, 4, 5, 5, 6))
    people: list[Person] = [(rng.choice(AGES), rng.choice(TOWNS if i else TOWNS[:-1])) for i in range(n)]
    ages, towns = {person[0] for person in people}, {person[1] for person in people}
    values = [rng.choice((*PAY, None)) for _ in range(n)]
    boxes: list[tuple[Cells, tuple[object, ...]]] = []
    for person in people:
        fitting = [box for box in boxes if all(v in cell for v, cell in zip(person, box[0], strict=True))]
        boxes.append(rng.choice(fitting) if fitting and rng.random() < 0.6 else _box(person, ages, towns, rng))
    order = rng.sample(range(n), n)
    labels = [boxes[i][1] for i in order]
    schema = {"age": pl.String, "town": pl.String, "pay": pl.Int64}
    release = pl.DataFrame([(*boxes[i][1], values[i]) for i in order], schema, orient="row")
    original = pl.DataFrame([(*people[i], values[i]) for i in range(n)], {**schema, "age": pl.Int64}, orient="row")
    return Drawn(original, release, Judge(people, [boxes[i][0] for i in order], labels, [values[i] for i in order]))


def _box(person: Person, ages: set[Any], towns: set[Any], rng: random.Random) -> tuple[Cells, tuple[object, ...]]:
    age: Any
    age, town = person
    low, high = sorted([age, rng.choice(sorted(ages))])
    some = {town} | {each for each in towns if rng.random() < 0.4}
    age_cell, age_label = (
        frozenset(a for a in ages if low <= a <= high),
        str(low) if low == high else f"[{low}..{high}]",
    )
    if rng.random() < 0.2:
        age_cell, age_label = frozenset(ages), "*"
    town_label = "{" + ", ".join(sorted("(missing)" if t is None else t for t in some)) + "}" if len(some) > 1 else town
    if some == towns and len(some) > 1:
        town_label = "*"
    return (age_cell, frozenset(some)), (age_label, town_label)


def frequency(counts: Counter[object]) -> Fraction:
    return 1 / largest_share(counts)


def promises(drawn: Drawn, rng: random.Random) -> list[tuple[PrivacyModel, bool]]:
    """Promises about the printed labels, and whether they hold."""
    judge, k, t = drawn.judge, rng.randint(1, 4), rng.choice(["0.1", "0.25", "0.3", "0.5", "0.75"])
    sizes = [len(each) for each in judge.classes]
    share, exact = rng.choice(["0.3", "0.5", "0.75"]), Fraction(t)

    def least(measure: Callable[[Counter[object]], float | Fraction]) -> float | Fraction:
        return min(judge.of_classes(measure))

    def most(measure: Callable[[Counter[object]], float | Fraction]) -> float | Fraction:
        return max(judge.of_classes(measure))

    shares_fit = most(largest_share) <= Fraction(share)
    return [
        (shoal.KAnonymity(k), min(sizes) >= k),
        (shoal.LDiversity(k), least(len) >= k),
        (shoal.LDiversity(k, "frequency"), least(frequency) >= k),
        (shoal.LDiversity(k, "entropy"), least(effective) >= k - 1e-9),
        (shoal.LDiversity(k, "recursive", 1.5), most(lambda c: recursive(c, k)) < 1.5),
        (shoal.PSensitive(k, 2), min(sizes) >= 2 and least(len) >= k),
        (shoal.AlphaK(float(share), k), min(sizes) >= k and shares_fit),
        (shoal.TCloseness(float(t)), most(judge.equal_distance) <= exact),
        (shoal.TCloseness(float(t), "ordered"), most(lambda c: judge.ordered_distance(c, LEAST_PAY_FIRST)) <= exact),
        (shoal.BetaLikeness(float(t)), most(judge.largest_gain) <= exact),
        (shoal.DeltaDisclosure(float(t)), most(judge.largest_bits) < float(t)),
    ]


def match_promises(drawn: Drawn, rng: random.Random) -> list[tuple[PrivacyModel, bool]]:
    """Promises about who fits what, and whether they hold."""
    judge, k, p = drawn.judge, rng.randint(1, 4), rng.choice(["0.3", "0.5", "0.75"])
    rows, records = (min(counts) for counts in judge.degrees)
    matched, owned = (min(counts) for counts in judge.matches)
    asked: list[tuple[PrivacyModel, bool]] = [
        (shoal.OneK(k), rows >= k),
        (shoal.KOne(k), records >= k),
        (shoal.KK(k), min(rows, records) >= k),
        (shoal.KConcealment(k), min(matched, owned) >= k),
        (shoal.KConcealment(k, "rows"), matched >= k),
        (shoal.KConcealment(k, "records"), owned >= k),
        (shoal.LinkageBound(float(p)), max(judge.chances.values()) <= Fraction(p)),
    ]
    return asked + ([(shoal.UniformMatching(k), judge.disjoint >= k)] if len(judge.people) <= 4 else [])


def ask(release: object, asked: list[tuple[PrivacyModel, bool]], **more: Any) -> dict[str, bool | None]:
    """What is said of each promise: yes, no, or that it cannot be told."""
    found = shoal.verify(
        release,
        quasi_identifiers=["age", "town"],
        sensitive=["pay"],
        privacy=[promise for promise, _ in asked],
        **more,
    )
    assert found.holds is (not found.untold and all(verdict.holds for verdict in found.verdicts))
    told: dict[str, bool | None] = {verdict.promise: verdict.holds for verdict in found.verdicts}
    return told | {one.promise: None for one in found.untold}


def truth(asked: list[tuple[PrivacyModel, bool]]) -> dict[str, bool]:
    return {str(promise): holds for promise, holds in asked}


def test_promises_about_labels(tmp_path: Path) -> None:
    for seed in range(N_DRAWN):
        drawn = draw(seed)
        drawn.release.write_csv(tmp_path / "release.csv")
        asked = promises(drawn, random.Random(-seed))
        for release in (drawn.release, tmp_path / "release.csv"):
            assert ask(release, asked) == truth(asked), (seed, drawn.release)


def test_promises_about_matches_with_the_original() -> None:
    for seed in range(N_DRAWN):
        drawn = draw(seed)
        asked = match_promises(drawn, random.Random(-seed))
        assert ask(drawn.release, asked, original=drawn.original) == truth(asked), (seed, drawn)


def test_promises_about_matches_are_never_denied_without_the_original() -> None:
    for seed in range(N_DRAWN):
        drawn = draw(seed)
        asked = match_promises(drawn, random.Random(-seed))
        for promise, told in ask(drawn.release, asked).items():
            assert told is None or (told and truth(asked)[promise]), (seed, promise, drawn)


def test_promises_about_a_population() -> None:
    for seed in range(N_DRAWN):
        drawn, rng = draw(seed), random.Random(-seed)
        judge, k, share = drawn.judge, rng.randint(1, 6), rng.choice(["0.3", "0.5", "0.75"])
        more = [(rng.choice(AGES), rng.choice(TOWNS)) for _ in range(rng.randint(0, 8))]
        everybody = [*judge.people, *more]
        wide = Judge(judge.people, [_widened(judge, r, drawn, everybody) for r in range(len(judge.cells))], (), ())
        inside, rows = wide.people_inside(everybody), wide.people_inside(judge.people)
        population = pl.DataFrame(everybody, {"age": pl.Int64, "town": pl.String}, orient="row")
        given = {"original": drawn.original, "population": population}
        presence = max(Fraction(a, b) for a, b in zip(rows, inside, strict=True))
        asked: list[tuple[PrivacyModel, bool]] = [
            (shoal.KMap(k), min(inside) >= k),
            (shoal.DeltaPresence(float(share)), presence <= Fraction(share)),
        ]
        assert ask(drawn.release, asked, **given) == truth(asked), (seed, drawn, everybody)
        for promise, told in ask(drawn.release, asked).items():
            assert told is None or (told and truth(asked)[promise]), (seed, promise, drawn)


def _widened(judge: Judge, record: int, drawn: Drawn, everybody: list[Person]) -> Cells:
    """A star and a range hold also values that only others in the population have."""
    everyone: list[Any] = [*everybody]
    ages, towns = ({person[j] for person in everyone} for j in (0, 1))
    label, town = judge.labels[record]
    ends = [int(end) for end in str(label).strip("[]").split("..")] if label != "*" else [0, math.inf]
    return (
        frozenset(age for age in ages if ends[0] <= age <= ends[-1]),
        frozenset(towns) if town == "*" else judge.cells[record][1],
    )


@pytest.mark.parametrize("attack", ["linking", "matching", "homogeneity"])
def test_attacks(attack: str) -> None:
    for seed in range(N_DRAWN):
        drawn = draw(seed)
        judge = drawn.judge
        (risk,) = shoal.audit_release(
            drawn.original,
            drawn.release,
            quasi_identifiers=["age", "town"],
            sensitive=["pay"],
            attacks=[attack],
        ).risks
        assert {name: risk.figures[name] for name in _figures(attack, judge)} == _figures(attack, judge), (seed, drawn)
        assert (risk.outcome == "falls") is _falls(attack, judge), (seed, drawn, risk)


def _figures(attack: str, judge: Judge) -> dict[str, int]:
    if attack == "homogeneity":
        return {"people whose value is certain": sum(_is_certain(judge, p) for p in range(len(judge.people)))}
    rows, records = judge.degrees if attack == "linking" else judge.matches
    if attack == "linking":
        return {
            "fewest records for a person": min(rows),
            "people who fit one record": rows.count(1),
            "fewest people for a record": min(records),
            "records that fit one person": records.count(1),
        }
    return {
        "fewest matches of a person": min(rows),
        "people with one match": rows.count(1),
        "fewest matches of a record": min(records),
    }


def _falls(attack: str, judge: Judge) -> bool:
    if attack == "homogeneity":
        return len(judge.totals) > 1 and _figures(attack, judge)["people whose value is certain"] > 0
    return min(map(min, judge.degrees if attack == "linking" else judge.matches)) <= 1


def _is_certain(judge: Judge, person: int) -> bool:
    """Whether every assignment gives the person the same value."""
    return len({judge.values[each[person]] for each in judge.assignments}) == 1
